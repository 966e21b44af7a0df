#include "system/frame.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <string_view>
#include <thread>

#include "support/patience.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class FrameTest : public testing::Test {
 protected:
  FrameTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    m_reading = FileDescriptor(ends[0]);
    m_writing = FileDescriptor(ends[1]);
  }

  void write_raw(std::string_view bytes) {
    ASSERT_EQ(write(m_writing.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }

  std::optional<Frame> read_within(std::chrono::milliseconds limit) {
    return read_frame(m_reading.get(), Clock::now() + limit);
  }

  /// The kind of error when reading fails; stores its text in `text`.
  FrameError::Kind failure(std::string* text = nullptr) {
    try {
      (void)read_within(2s);
    } catch (const FrameError& error) {
      if (text != nullptr) *text = error.what();
      return error.kind();
    }
    ADD_FAILURE() << "nothing was wrong";
    return {};
  }

  FileDescriptor m_reading;
  FileDescriptor m_writing;
};

/// The bytes of a frame on the pipe.
std::string raw_frame(const std::string& header, const std::string& blob) {
  std::string out = "gtun";
  for (const std::size_t length : {header.size(), blob.size()}) {
    for (int i = 0; i < 4; ++i) out += static_cast<char>(length >> (8 * i) & 0xff);
  }
  return out + header + blob + "\n";
}

TEST_F(FrameTest, ArrivesAsSent) {
  const Frame sent{{{"kind", "measure"}, {"values", {1, 2, 3}}}, {std::byte{0}, std::byte{255}}};
  write_frame(m_writing.get(), sent);
  const auto received = read_frame(m_reading.get(), std::nullopt);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->header, sent.header);
  EXPECT_EQ(received->blob, sent.blob);
}

TEST_F(FrameTest, EndsWithANewlineSoThatItPassesWhatHandsOnWholeLines) {
  for (const std::size_t blob : {0, 1, 70000}) {
    const FileDescriptor file(memfd_create("frame", MFD_CLOEXEC));
    write_frame(file.get(), {{{"kind", "x"}}, std::vector<std::byte>(blob, std::byte{'\n'})});
    char last = 0;
    const off_t size = lseek(file.get(), 0, SEEK_END);
    ASSERT_EQ(pread(file.get(), &last, 1, size - 1), 1);
    EXPECT_EQ(last, '\n');
    lseek(file.get(), 0, SEEK_SET);
    EXPECT_EQ(read_frame(file.get(), std::nullopt)->blob.size(), blob);
    EXPECT_FALSE(read_frame(file.get(), std::nullopt));
  }
}

TEST_F(FrameTest, WithoutItsNewlineItIsTakenAsWell) {
  // An older program sends no newline and waits for the answer.
  std::string old = raw_frame(R"({"kind":"hello"})", "");
  old.pop_back();
  write_raw(old);
  EXPECT_EQ(read_within(20s)->header.at("kind"), "hello");
  write_raw(old);
  m_writing.reset();
  EXPECT_EQ(read_within(20s)->header.at("kind"), "hello");
}

TEST_F(FrameTest, BytesBehindItsEndAreGarbage) {
  std::string bytes = raw_frame(R"({"kind":"x"})", "blob");
  bytes.back() = 'x';
  write_raw(bytes);
  EXPECT_EQ(failure(), FrameError::Kind::garbage);
}

TEST_F(FrameTest, ABlobThatDoesNotComeTakesNoMemory) {
  const auto peak_kib = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = peak_kib();
  write_raw(std::string_view("gtun\x02\0\0\0\0\0\0\x40{}", 14));  // announces 1 GiB
  m_writing.reset();
  EXPECT_EQ(failure(), FrameError::Kind::closed);
  EXPECT_LT(peak_kib() - before, 100 << 10);
}

TEST_F(FrameTest, BytesThatKeepComingAreWaitedFor) {
  const std::string bytes = raw_frame(R"({"kind":"slow"})", "blob");
  std::thread writer([&] {
    for (const char c : bytes) {
      write_raw({&c, 1});
      std::this_thread::sleep_for(20ms);
    }
  });
  const auto limit = FrameDeadline::after_silence(500ms);  // all bytes together take longer
  EXPECT_EQ(read_frame(m_reading.get(), limit)->header.at("kind"), "slow");
  writer.join();
  try {
    static_cast<void>(read_frame(m_reading.get(), FrameDeadline::after_silence(50ms)));
    FAIL();
  } catch (const FrameError& error) {
    EXPECT_EQ(error.kind(), FrameError::Kind::timeout);
  }
}

TEST_F(FrameTest, SeveralFollowEachOther) {
  for (int i = 0; i < 3; ++i) write_frame(m_writing.get(), {{{"i", i}}, {}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read_within(1s)->header.at("i"), i);
}

TEST_F(FrameTest, ABlobLargerThanThePipePasses) {
  Frame sent{{{"kind", "big"}}, std::vector<std::byte>(32 << 20)};
  for (std::size_t i = 0; i < sent.blob.size(); i += 4099) sent.blob[i] = std::byte(i % 251);
  std::thread writer([&] { write_frame(m_writing.get(), sent, Clock::now() + 20s); });
  const auto received = read_within(20s);
  writer.join();
  ASSERT_TRUE(received);
  EXPECT_TRUE(received->blob == sent.blob);
}

TEST_F(FrameTest, BytesThatAreNoUtf8DoNotThrow) {
  write_frame(m_writing.get(), {{{"log", "k\xff.cu"}}, {}});
  EXPECT_EQ(read_within(1s)->header.at("log"), "k\xef\xbf\xbd.cu");
}

TEST_F(FrameTest, PiecesArePutTogether) {
  const std::string bytes = raw_frame(R"({"kind":"slow"})", "blob");
  std::thread writer([&] {
    for (const char c : bytes) {
      write_raw({&c, 1});
      std::this_thread::sleep_for(1ms);
    }
  });
  const auto received = read_within(10s);
  writer.join();
  ASSERT_TRUE(received);
  EXPECT_EQ(received->header.at("kind"), "slow");
  EXPECT_EQ(received->blob.size(), 4U);
}

TEST_F(FrameTest, TheEndBeforeAFrameIsNoError) {
  m_writing.reset();
  EXPECT_FALSE(read_within(1s));
}

TEST_F(FrameTest, TheEndWithinAFrameIs) {
  const std::string whole = raw_frame(R"({"kind":"x"})", "blob");
  for (std::size_t length = 1; length + 1 < whole.size(); ++length) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    m_reading = FileDescriptor(ends[0]);
    m_writing = FileDescriptor(ends[1]);
    write_raw(whole.substr(0, length));
    m_writing.reset();
    EXPECT_EQ(failure(), FrameError::Kind::closed) << length << " bytes";
  }
}

TEST_F(FrameTest, GarbageIsNoticedAtItsFirstByteAndQuoted) {
  write_raw("gWelcome to node7!\nmore");
  const auto start = Clock::now();
  std::string text;
  EXPECT_EQ(failure(&text), FrameError::Kind::garbage);
  EXPECT_LT(Clock::now() - start, 1s * test::patience);
  EXPECT_NE(text.find("'gWelcome to node7!'"), text.npos) << text;
}

TEST_F(FrameTest, QuotedGarbageIsPrintableAndOneLine) {
  write_raw("\x01\x1b[2J\xff");
  std::string text;
  EXPECT_EQ(failure(&text), FrameError::Kind::garbage);
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c <= '~') << text;
}

TEST_F(FrameTest, ImpossibleLengthsAreGarbage) {
  write_raw(std::string_view("gtun\xff\xff\xff\xff\0\0\0\0", 12));
  EXPECT_EQ(failure(), FrameError::Kind::garbage);
  write_raw(std::string_view("gtun\x02\0\0\0\xff\xff\xff\xff", 12));
  EXPECT_EQ(failure(), FrameError::Kind::garbage);
}

TEST_F(FrameTest, AHeaderThatIsNoJsonObjectIsGarbage) {
  for (const char* header : {"{\"kind\":", "[1]", "3"}) {
    write_raw(raw_frame(header, ""));
    EXPECT_EQ(failure(), FrameError::Kind::garbage) << header;
  }
}

TEST_F(FrameTest, AHeaderWithANumberThatNoDoubleHoldsIsGarbage) {
  write_raw(raw_frame(R"({"kind":"measure_reply","gpu_ms":1e400})", ""));
  std::string text;
  EXPECT_EQ(failure(&text), FrameError::Kind::garbage);
  EXPECT_NE(text.find("too large"), std::string::npos) << text;
}

TEST_F(FrameTest, ReadingEndsAtTheDeadline) {
  write_raw("gtu");
  const auto start = Clock::now();
  try {
    (void)read_within(100ms);
    FAIL();
  } catch (const FrameError& error) {
    EXPECT_EQ(error.kind(), FrameError::Kind::timeout);
  }
  EXPECT_GE(Clock::now() - start, 100ms);
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

TEST_F(FrameTest, WritingEndsAtTheDeadlineWhereNobodyReads) {
  const Frame frame{{{"kind", "big"}}, std::vector<std::byte>(4 << 20)};
  try {
    write_frame(m_writing.get(), frame, Clock::now() + 100ms);
    FAIL();
  } catch (const FrameError& error) {
    EXPECT_EQ(error.kind(), FrameError::Kind::timeout);
  }
}

TEST_F(FrameTest, WritingToAClosedPipeThrows) {
  m_reading.reset();
  try {
    write_frame(m_writing.get(), {{{"kind", "x"}}, {}});
    FAIL();
  } catch (const FrameError& error) {
    EXPECT_EQ(error.kind(), FrameError::Kind::closed);
  }
}

TEST_F(FrameTest, ADeepHeaderIsGarbage) {
  const std::string header = "{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}";
  std::string bytes = "gtun";
  for (const std::size_t length : {header.size(), std::size_t{0}}) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  }
  write_raw(bytes + header);
  try {
    (void)read_frame(m_reading.get(), std::nullopt);
    ADD_FAILURE() << "it was read";
  } catch (const FrameError& error) {
    EXPECT_EQ(error.kind(), FrameError::Kind::garbage);
    EXPECT_STREQ(error.what(), "garbage instead of a message: JSON nested deeper than 64 levels");
  }
}

}  // namespace
}  // namespace gtune
