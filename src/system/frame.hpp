#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/checked_json.hpp"

// Messages between processes, over pipes: a JSON header and raw bytes. A frame ends with a newline,
// because some launchers forward only whole lines.
namespace gtune {

// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing
struct Frame {
  nlohmann::json header;
  std::vector<std::byte> blob;
};

/// Communication with the other end has failed. The text gives the reason, in one line.
class FrameError : public std::runtime_error {
 public:
  enum class Kind { timeout, closed, garbage };

  FrameError(Kind kind, const std::string& reason) : std::runtime_error(reason), m_kind(kind) {}
  [[nodiscard]] Kind kind() const { return m_kind; }

 private:
  Kind m_kind;
};

/// How long to wait for a frame: forever, until a moment, or as long as bytes keep arriving.
class FrameDeadline {
 public:
  using Clock = std::chrono::steady_clock;

  FrameDeadline() = default;
  FrameDeadline(std::nullopt_t) {}
  FrameDeadline(Clock::time_point moment) : m_moment(moment) {}
  /// No total limit; expires after a pause of `longest` between bytes.
  [[nodiscard]] static FrameDeadline after_silence(std::chrono::milliseconds longest) {
    FrameDeadline deadline;
    deadline.m_silence = longest;
    return deadline;
  }

  /// When a wait that begins now must end; absent: never.
  [[nodiscard]] std::optional<Clock::time_point> of_this_wait() const {
    if (m_silence) return Clock::now() + *m_silence;
    return m_moment;
  }

 private:
  std::optional<Clock::time_point> m_moment;
  std::optional<std::chrono::milliseconds> m_silence;
};

/// Writes the whole frame. Throws FrameError: closed if the reader is gone (SIGPIPE must be
/// ignored), timeout at the deadline, garbage if the frame is larger than a reader accepts. Invalid
/// UTF-8 in the header is replaced.
void write_frame(int fd, const Frame& frame, FrameDeadline deadline = std::nullopt);

/// Reads a whole frame; absent if the stream ends before its first byte. Throws FrameError: closed
/// if it ends later, garbage as soon as the bytes cannot be a frame, timeout at the deadline.
/// Accepts a frame without a newline after a short wait: programs of protocol 4 send such frames,
/// and their version must be read before it can be refused.
[[nodiscard]] std::optional<Frame> read_frame(int fd, FrameDeadline deadline);

/// Skips text before a stream's first frame, such as a login banner, and appends it to `seen`. May
/// be called again after a timeout. True once `seen` ends with the first bytes of a frame, where
/// read_frame_after continues. False if the stream ends. Throws FrameError: garbage if the text is
/// longer than any banner.
[[nodiscard]] bool skip_to_frame(int fd, FrameDeadline deadline, std::string& seen);

/// Reads the frame whose first bytes are at the end of `seen`, and removes them from `seen`.
[[nodiscard]] Frame read_frame_after(int fd, FrameDeadline deadline, std::string& seen);

}  // namespace gtune
