#include "system/frame.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "model/foreign_json.hpp"
#include "model/json.hpp"

namespace gtune {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = FrameError::Kind;

// A frame: magic, header length, blob length (32 bits each, little endian), header, blob, newline.
constexpr std::string_view magic = "gtun";
constexpr std::size_t length_bytes = 4;
constexpr std::size_t prologue_bytes = magic.size() + 2 * length_bytes;
// write_frame never exceeds these lengths.
constexpr std::size_t max_header = std::size_t{64} << 20;
constexpr std::size_t max_blob = std::size_t{1} << 30;
constexpr std::size_t max_quoted = 80;
constexpr std::size_t max_banner = std::size_t{1} << 18;
// The newline is sent with the rest of its frame, so it arrives soon or never.
constexpr auto newline_limit = std::chrono::seconds(2);
// Memory grows with the bytes that arrive, not with the length that a header claims.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

constexpr std::byte newline{'\n'};

void put_length(std::byte* out, std::size_t length) {
  for (std::size_t i = 0; i < length_bytes; ++i) out[i] = std::byte(length >> (8 * i) & 0xff);
}

std::size_t get_length(const std::byte* in) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::to_integer<std::size_t>(in[i]) << (8 * i);
  }
  return length;
}

FrameError system_error(const char* what) {
  return FrameError(Kind::closed, std::string(what) + ": " + std::strerror(errno));
}

/// Waits until `fd` can be read or written. Throws FrameError(timeout).
void wait_for(int fd, short events, const FrameDeadline& deadline) {
  const auto end = deadline.of_this_wait();
  for (;;) {
    int wait_ms = -1;
    if (end) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now());
      wait_ms = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
    }
    pollfd ready{fd, events, 0};
    const int count = poll(&ready, 1, wait_ms);
    if (count > 0) return;
    if (count < 0 && errno != EINTR) throw system_error("poll");
    if (end && Clock::now() >= *end) throw FrameError(Kind::timeout, "no answer in time");
  }
}

/// Reads at least one byte; returns 0 at the end of the stream.
std::size_t read_some(int fd, std::span<std::byte> out, const FrameDeadline& deadline) {
  for (;;) {
    wait_for(fd, POLLIN, deadline);
    const ssize_t count = read(fd, out.data(), out.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) throw system_error("read");
  }
}

void read_all(int fd, std::span<std::byte> out, const FrameDeadline& deadline) {
  while (!out.empty()) {
    const std::size_t count = read_some(fd, out, deadline);
    if (count == 0) throw FrameError(Kind::closed, "the pipe ended inside a message");
    out = out.subspan(count);
  }
}

/// Reads `count` bytes into a string or a vector.
template <typename Bytes>
Bytes read_bytes(int fd, std::size_t count, const FrameDeadline& deadline) {
  Bytes bytes;
  while (bytes.size() < count) {
    const std::size_t have = bytes.size();
    bytes.resize(std::min(count, have + piece_bytes));
    read_all(fd, std::as_writable_bytes(std::span(bytes)).subspan(have), deadline);
  }
  return bytes;
}

/// A frame without a newline is complete too: from an older program, or the last of the stream.
void read_newline(int fd, const FrameDeadline& deadline) {
  const auto end = deadline.of_this_wait();
  const auto soon = Clock::now() + newline_limit;
  std::byte next{};
  try {
    if (read_some(fd, {&next, 1}, end ? std::min(*end, soon) : soon) == 0) return;
  } catch (const FrameError& error) {
    if (error.kind() == Kind::timeout) return;
    throw;
  }
  if (next != newline) {
    throw FrameError(Kind::garbage, "garbage instead of a message: bytes after a message's end");
  }
}

void write_all(int fd, std::span<const std::byte> bytes, const FrameDeadline& deadline) {
  while (!bytes.empty()) {
    wait_for(fd, POLLOUT, deadline);
    // A pipe that poll calls writable takes PIPE_BUF bytes without blocking, but not always more.
    const std::size_t most =
        deadline.of_this_wait() ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
    const ssize_t count = write(fd, bytes.data(), most);
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EPIPE) {
      throw FrameError(Kind::closed, "the pipe broke: nobody reads it any more");
    } else if (errno != EINTR && errno != EAGAIN) {
      throw system_error("write");
    }
  }
}

/// The error for other text in place of a frame, such as a login banner. Quotes what has arrived.
FrameError not_a_frame(int fd, std::string seen) {
  std::array<char, max_quoted> more{};
  pollfd ready{fd, POLLIN, 0};
  if (poll(&ready, 1, 0) > 0) {
    const ssize_t count = read(fd, more.data(), more.size());
    if (count > 0) seen.append(more.data(), static_cast<std::size_t>(count));
  }
  seen.resize(std::min({seen.size(), max_quoted, seen.find('\n')}));
  for (char& c : seen) {
    if (c < ' ' || c > '~') c = '?';
  }
  return FrameError(Kind::garbage, "garbage instead of a message: '" + seen + "'");
}

/// False if the stream ends before the first byte.
bool read_magic(int fd, const FrameDeadline& deadline) {
  std::string seen;
  while (seen.size() < magic.size()) {
    // Byte by byte, to detect a short piece of garbage without waiting for more.
    std::byte next{};
    if (read_some(fd, {&next, 1}, deadline) == 0) {
      if (seen.empty()) return false;
      throw FrameError(Kind::closed, "the pipe ended inside a message");
    }
    seen += static_cast<char>(next);
    if (!magic.starts_with(seen)) throw not_a_frame(fd, seen);
  }
  return true;
}

struct Lengths {
  std::size_t header;
  std::size_t blob;
  [[nodiscard]] bool possible() const { return header <= max_header && blob <= max_blob; }
};

Lengths lengths_from(const std::byte* bytes) {
  return {get_length(bytes), get_length(bytes + length_bytes)};
}

/// Requires possible lengths as well, because text may contain the magic word by chance.
bool ends_with_prologue(std::string_view seen) {
  if (seen.size() < prologue_bytes) return false;
  seen.remove_prefix(seen.size() - prologue_bytes);
  if (!seen.starts_with(magic)) return false;
  return lengths_from(std::as_bytes(std::span(seen)).data() + magic.size()).possible();
}

nlohmann::json header_from(const std::string& text) {
  std::string why = "no JSON object";
  try {
    nlohmann::json header = parse_foreign_json(text);
    if (header.is_object()) return header;
  } catch (const nlohmann::json::parse_error&) {
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
  throw FrameError(Kind::garbage, "garbage instead of a message: " + why);
}

/// Reads the rest of a frame, after its lengths.
Frame read_rest(int fd, const Lengths& lengths, const FrameDeadline& deadline) {
  if (!lengths.possible()) {
    throw FrameError(Kind::garbage, "garbage instead of a message: impossible length");
  }
  const auto text = read_bytes<std::string>(fd, lengths.header, deadline);
  Frame frame;
  frame.header = header_from(text);
  frame.blob = read_bytes<std::vector<std::byte>>(fd, lengths.blob, deadline);
  read_newline(fd, deadline);
  return frame;
}

}  // namespace

void write_frame(int fd, const Frame& frame, FrameDeadline deadline) {
  const std::string header = json_text(frame.header);
  if (header.size() > max_header || frame.blob.size() > max_blob) {
    throw FrameError(Kind::garbage, "a message is too large to send");
  }
  std::vector<std::byte> start(prologue_bytes + header.size());
  std::memcpy(start.data(), magic.data(), magic.size());
  put_length(start.data() + magic.size(), header.size());
  put_length(start.data() + magic.size() + length_bytes, frame.blob.size());
  std::memcpy(start.data() + prologue_bytes, header.data(), header.size());
  if (frame.blob.empty()) start.push_back(newline);  // one write: a short frame is never torn
  write_all(fd, start, deadline);
  if (frame.blob.empty()) return;
  write_all(fd, frame.blob, deadline);
  write_all(fd, {&newline, 1}, deadline);
}

std::optional<Frame> read_frame(int fd, FrameDeadline deadline) {
  if (!read_magic(fd, deadline)) return std::nullopt;
  std::array<std::byte, 2 * length_bytes> bytes{};
  read_all(fd, bytes, deadline);
  return read_rest(fd, lengths_from(bytes.data()), deadline);
}

bool skip_to_frame(int fd, FrameDeadline deadline, std::string& seen) {
  for (;;) {
    if (ends_with_prologue(seen)) return true;
    if (seen.size() > max_banner) {
      throw FrameError(Kind::garbage, "no worker answers, but a lot of text comes");
    }
    std::byte next{};
    if (read_some(fd, {&next, 1}, deadline) == 0) return false;
    seen += static_cast<char>(next);
  }
}

Frame read_frame_after(int fd, FrameDeadline deadline, std::string& seen) {
  const Lengths lengths =
      lengths_from(std::as_bytes(std::span(seen)).data() + seen.size() - 2 * length_bytes);
  seen.resize(seen.size() - prologue_bytes);
  return read_rest(fd, lengths, deadline);
}

}  // namespace gtune
