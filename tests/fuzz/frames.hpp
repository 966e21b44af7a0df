#pragma once

#include <string>
#include <vector>

#include "search/random.hpp"
#include "system/frame.hpp"

// Streams of frames as inputs.
namespace gtune::fuzz {

/// A frame as text; it may be impossible.
struct RawFrame {
  std::string header;
  std::string blob;
};

/// The frames at the beginning of a stream; anything after them goes to `rest`.
[[nodiscard]] std::vector<RawFrame> split_frames(const std::string& stream, std::string& rest);
[[nodiscard]] std::string join_frames(const std::vector<RawFrame>& frames);

/// The frames as write_frame writes them.
template <typename... Frames>
[[nodiscard]] std::string stream_of(const Frames&... frames) {
  const auto raw = [](const Frame& frame) {
    return RawFrame{frame.header.dump(),
                    {reinterpret_cast<const char*>(frame.blob.data()), frame.blob.size()}};
  };
  return join_frames({raw(frames)...});
}

/// Changes a header, a blob, the order or the lengths of frames, or arbitrary bytes.
[[nodiscard]] std::string mutate_frames(const std::string& stream, const std::string& other,
                                        Random& random);

/// A stream that reads like a pipe whose writer has ended.
class FrameStream {
 public:
  explicit FrameStream(const std::string& bytes);
  ~FrameStream();
  FrameStream(const FrameStream&) = delete;
  FrameStream& operator=(const FrameStream&) = delete;
  [[nodiscard]] int fd() const { return m_fd; }

 private:
  int m_fd;
};

}  // namespace gtune::fuzz
