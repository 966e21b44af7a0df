#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// Messages between processes, over pipes: a JSON header and raw bytes.
namespace gtune {

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

using FrameDeadline = std::optional<std::chrono::steady_clock::time_point>;

/// Writes the whole frame. Throws FrameError: closed where nobody reads any more (SIGPIPE has to
/// be ignored), timeout at the deadline, garbage where the frame is larger than a reader takes.
/// Bytes in the header that are no UTF-8 are replaced.
void write_frame(int fd, const Frame& frame, FrameDeadline deadline = std::nullopt);

/// Reads a whole frame; nothing where the stream ends before its first byte. Throws FrameError:
/// closed where it ends later, garbage as soon as something cannot be a frame, timeout at the
/// deadline.
[[nodiscard]] std::optional<Frame> read_frame(int fd, FrameDeadline deadline);

/// Reads over text before a stream's first frame, such as a login banner, and appends all that it
/// reads to `seen`; may be called again after a timeout. True once `seen` ends with a frame's first
/// bytes: read_frame_after goes on from there. False where the stream ends. Throws FrameError, as
/// garbage for more text than a banner has.
[[nodiscard]] bool skip_to_frame(int fd, FrameDeadline deadline, std::string& seen);

/// The frame whose first bytes `seen` ends with; takes them off.
[[nodiscard]] Frame read_frame_after(int fd, FrameDeadline deadline, std::string& seen);

}  // namespace gtune
