#include "frames.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "mutate.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::string_view magic = "gtun";
constexpr std::size_t prologue = 12;

std::uint32_t length_at(const std::string& bytes, std::size_t at) {
  std::uint32_t length = 0;
  for (std::size_t i = 4; i > 0; --i) {
    length = length << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  }
  return length;
}

std::string length_bytes(std::uint32_t length) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes;
}

std::string with_other_length(std::string stream, Random& random) {
  static constexpr std::array<std::uint32_t, 9> lengths = {
      0, 1, 2, 255, 65536, 64U << 20, (64U << 20) + 1, 1U << 30, 0xffffffff};
  const std::size_t place = stream.find(magic, random.below(stream.size() + 1));
  if (place == stream.npos || place + prologue > stream.size()) return stream;
  return stream.replace(place + (one_in(2, random) ? 4 : 8), 4,
                        length_bytes(pick(lengths, random)));
}

}  // namespace

std::vector<RawFrame> split_frames(const std::string& stream, std::string& rest) {
  std::vector<RawFrame> frames;
  std::size_t at = 0;
  while (stream.size() - at >= prologue && stream.compare(at, magic.size(), magic) == 0) {
    const std::size_t header = length_at(stream, at + 4);
    const std::size_t blob = length_at(stream, at + 8);
    if (stream.size() - at - prologue < header + blob) break;
    frames.push_back(
        {stream.substr(at + prologue, header), stream.substr(at + prologue + header, blob)});
    at += prologue + header + blob;
    if (at < stream.size() && stream[at] == '\n') ++at;
  }
  rest = stream.substr(at);
  return frames;
}

std::string join_frames(const std::vector<RawFrame>& frames) {
  std::string stream;
  for (const RawFrame& frame : frames) {
    stream += std::string(magic) + length_bytes(static_cast<std::uint32_t>(frame.header.size())) +
              length_bytes(static_cast<std::uint32_t>(frame.blob.size())) + frame.header +
              frame.blob + '\n';
  }
  return stream;
}

std::string mutate_frames(const std::string& stream, const std::string& other, Random& random) {
  static constexpr std::array<std::string_view, 3> words = {"gtun", "{}", "Welcome gtun to host\n"};
  std::string rest;
  std::vector<RawFrame> frames = split_frames(stream, rest);
  if (frames.empty() || one_in(10, random)) return mutate_bytes(stream, other, words, random);
  const std::size_t at = random.below(frames.size());
  const auto place = frames.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(14)) {
    case 0:
      frames.erase(place);
      break;
    case 1: {
      const RawFrame twice = frames[at];
      frames.insert(place, twice);
      break;
    }
    case 2:
      std::swap(frames[at], frames[random.below(frames.size())]);
      break;
    case 3:
      frames[at].blob = mutate_bytes(frames[at].blob, other, words, random);
      break;
    case 4:
      return with_other_length(stream, random);
    case 5: {
      std::string unused;
      const std::vector<RawFrame> others = split_frames(other, unused);
      if (!others.empty()) frames.insert(place, pick(others, random));
      break;
    }
    default:
      frames[at].header = mutate_json(frames[at].header, other, random);
  }
  return join_frames(frames) + rest;
}

FrameStream::FrameStream(const std::string& bytes) : m_fd(memfd_create("frames", MFD_CLOEXEC)) {
  if (m_fd < 0 || ::write(m_fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      lseek(m_fd, 0, SEEK_SET) != 0) {
    throw std::runtime_error("a stream in memory cannot be made");
  }
}

FrameStream::~FrameStream() {
  if (m_fd >= 0) close(m_fd);
}

}  // namespace gtune::fuzz
