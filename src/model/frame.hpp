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

}  // namespace gtune
