#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/checked_json.hpp"

// Messages between processes, over pipes: a JSON header and raw bytes. A frame ends with a newline,
// so that it passes a launcher that hands on whole lines only.
namespace gtune {

// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing
struct Frame {
  nlohmann::json header;
  std::vector<std::byte> blob;
};

/// The other end cannot be talked to any more. The text says why, in one line.
class FrameError : public std::runtime_error {
 public:
  enum class Kind { timeout, closed, garbage };

  FrameError(Kind kind, const std::string& reason) : std::runtime_error(reason), m_kind(kind) {}
  [[nodiscard]] Kind kind() const { return m_kind; }

 private:
  Kind m_kind;
};

/// How long to wait for a frame: for ever, until a moment, or as long as bytes keep arriving.
class FrameDeadline {
 public:
  using Clock = std::chrono::steady_clock;

  FrameDeadline() = default;
  FrameDeadline(std::nullopt_t) {}
  FrameDeadline(Clock::time_point moment) : m_moment(moment) {}
  /// Bytes may take their time, but no pause between two of them is longer than this.
  [[nodiscard]] static FrameDeadline after_silence(std::chrono::milliseconds longest) {
    FrameDeadline deadline;
    deadline.m_silence = longest;
    return deadline;
  }

  /// When a wait that begins now has to end; nothing: never.
  [[nodiscard]] std::optional<Clock::time_point> of_this_wait() const {
    if (m_silence) return Clock::now() + *m_silence;
    return m_moment;
  }

 private:
  std::optional<Clock::time_point> m_moment;
  std::optional<std::chrono::milliseconds> m_silence;
};

/// Writes the whole frame. Throws FrameError: closed if nobody reads any more (SIGPIPE has to be
/// ignored), timeout at the deadline, garbage if the frame is larger than a reader accepts. Invalid
/// UTF-8 in the header is replaced.
void write_frame(int fd, const Frame& frame, FrameDeadline deadline = std::nullopt);

/// Reads a whole frame; returns nothing if the stream ends before its first byte. Throws
/// FrameError: closed if it ends later, garbage as soon as the bytes cannot be a frame, timeout at
/// the deadline. A frame without its newline is accepted after a short wait: programs of protocol 4
/// send such frames, and their version has to be read to be refused.
[[nodiscard]] std::optional<Frame> read_frame(int fd, FrameDeadline deadline);

/// Skips text before a stream's first frame, such as a login banner, and appends it to `seen`; may
/// be called again after a timeout. True once `seen` ends with the first bytes of a frame, from
/// which read_frame_after continues. False if the stream ends. Throws FrameError: garbage for more
/// text than a banner has.
[[nodiscard]] bool skip_to_frame(int fd, FrameDeadline deadline, std::string& seen);

/// The frame whose first bytes `seen` ends with; takes them off.
[[nodiscard]] Frame read_frame_after(int fd, FrameDeadline deadline, std::string& seen);

}  // namespace gtune
