#include "worker/request_queue.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <future>

#include "support/patience.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;

/// Both ends of the pipe: the tuner's and the worker's.
class RequestQueueTest : public testing::Test {
 protected:
  RequestQueueTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    m_input = FileDescriptor(ends[0]);
    m_tuner = FileDescriptor(ends[1]);
  }

  template <typename Message>
  void send(const Message& message) {
    write_frame(m_tuner.get(), to_frame(message));
  }

  static Hello greeting(int silence_ms) {
    Hello hello;
    hello.remote = silence_ms > 0;
    hello.silence_ms = silence_ms;
    return hello;
  }

  /// Records the reason with which the queue ends the process.
  RequestQueue::EndProcess noting() {
    return [this](const std::string& why) { m_end.set_value(why); };
  }

  bool ends_within(std::chrono::milliseconds limit) {
    return m_ended.wait_for(limit) == std::future_status::ready;
  }

  FileDescriptor m_input;
  FileDescriptor m_tuner;
  std::promise<std::string> m_end;
  std::future<std::string> m_ended = m_end.get_future();
};

TEST_F(RequestQueueTest, GivesRequestsInOrderAndNoPings) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(0));
  send(Ping{});
  send(Prepare{});
  m_tuner.reset();
  EXPECT_EQ(kind_of(queue.next().value()), "hello");
  EXPECT_EQ(kind_of(queue.next().value()), "prepare");
  EXPECT_FALSE(queue.next());
  EXPECT_FALSE(ends_within(0ms));
}

TEST_F(RequestQueueTest, TheEndOfInputEndsAWorkerThatIsBusy) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(0));
  EXPECT_TRUE(queue.next());
  m_tuner.reset();  // the hanging kernel asks for no next request
  ASSERT_TRUE(ends_within(20s));
  EXPECT_EQ(m_ended.get(), "");
}

TEST_F(RequestQueueTest, SilenceEndsAWorkerThatWasPromisedPings) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(100));
  EXPECT_TRUE(queue.next());
  ASSERT_TRUE(ends_within(20s));
  EXPECT_NE(m_ended.get().find("nothing was heard of the tuner"), std::string::npos);
  EXPECT_THROW(static_cast<void>(queue.next()), FrameError);
}

TEST_F(RequestQueueTest, PingsKeepABusyWorkerAlive) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(1000 * test::patience));
  EXPECT_TRUE(queue.next());
  for (int i = 0; i < 6 * test::patience; ++i) {
    send(Ping{});
    EXPECT_FALSE(ends_within(300ms));
  }
  m_tuner.reset();
  EXPECT_FALSE(queue.next());
}

TEST_F(RequestQueueTest, ATunerOnThisMachineMayBeSilent) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(0));
  EXPECT_TRUE(queue.next());
  EXPECT_FALSE(ends_within(400ms));
  send(Prepare{});
  EXPECT_TRUE(queue.next());
  m_tuner.reset();
  EXPECT_FALSE(queue.next());
}

TEST_F(RequestQueueTest, GarbageIsThrownAfterTheRequestsBeforeIt) {
  RequestQueue queue(m_input.get(), noting());
  send(greeting(0));
  ASSERT_EQ(write(m_tuner.get(), "dance\n", 6), 6);
  EXPECT_EQ(kind_of(queue.next().value()), "hello");
  EXPECT_THROW(static_cast<void>(queue.next()), FrameError);
}

TEST_F(RequestQueueTest, TakesNoMoreThanAFewRequestsAhead) {
  RequestQueue queue(m_input.get(), noting());
  OpenProblem large;
  large.data.resize(1 << 20);
  std::atomic<int> sent = 0;
  std::thread tuner([&] {
    for (; sent < 50; ++sent) send(large);
    m_tuner.reset();
  });
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(sent, 10);
  int got = 0;
  while (queue.next()) ++got;
  tuner.join();
  EXPECT_EQ(got, 50);
}

}  // namespace
}  // namespace gtune
