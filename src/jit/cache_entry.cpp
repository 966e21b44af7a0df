#include "jit/cache_entry.hpp"

#include <algorithm>
#include <cstdint>

#include "jit/compile_frames.hpp"
#include "model/json.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

// Layout of an entry: the first line; a digest of the key and of the bytes that follow; the
// header's length (32 bits, little endian); the header in JSON; the cubin.
constexpr std::string_view first_line = "gtune cubin 3\n";
static_assert(first_line.starts_with(cache_entry_mark));
constexpr std::size_t digest_digits = 32;
constexpr std::size_t length_bytes = 4;
constexpr std::size_t content_at = first_line.size() + digest_digits;
constexpr int deepest_header = 6;  // nesting of the header's JSON

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string digest_of(const std::string& key, std::string_view content) {
  return hex_digest(key + '\0' + std::string(content));
}

std::optional<std::string_view> take(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  const std::string_view taken = text.substr(0, count);
  text.remove_prefix(count);
  return taken;
}

std::size_t length_from(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  }
  return length;
}

/// Nesting is bounded: an entry with a valid digest may still be forged.
nlohmann::json parse_header(std::string_view text) {
  const auto is_shallow = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    return depth <= deepest_header;
  };
  return nlohmann::json::parse(text, is_shallow, false);
}

std::size_t hex_digits_at_start(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789abcdef"), text.size());
}

/// Removes a leading `.NUMBER`.
bool take_number(std::string_view& text) {
  if (!text.starts_with('.')) return false;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  text.remove_prefix(end);
  return end > 1;
}

}  // namespace

std::vector<std::byte> to_cache_entry(const std::string& key, const CompileResult& result) {
  const std::string header = json_text(to_frame(result).header);
  std::string content;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    content += static_cast<char>(header.size() >> 8 * i & 0xff);
  }
  content += header;
  content += as_text(result.cubin);
  const std::string entry = std::string(first_line) + digest_of(key, content) + content;
  const auto bytes = std::as_bytes(std::span(entry));
  return {bytes.begin(), bytes.end()};
}

std::optional<CompileResult> from_cache_entry(const std::string& key,
                                              std::span<const std::byte> entry) {
  std::string_view rest = as_text(entry);
  const auto line = take(rest, first_line.size());
  const auto digest = take(rest, digest_digits);
  if (line != first_line || !digest || *digest != digest_of(key, rest)) return std::nullopt;
  const auto length = take(rest, length_bytes);
  if (!length) return std::nullopt;
  const auto header = take(rest, length_from(*length));
  if (!header) return std::nullopt;
  Frame frame{parse_header(*header), {}};
  if (!frame.header.is_object()) return std::nullopt;
  const auto cubin = entry.last(rest.size());
  frame.blob.assign(cubin.begin(), cubin.end());
  try {
    return compile_result_from(std::move(frame));
  } catch (const FrameError&) {
    return std::nullopt;
  }
}

bool is_cache_entry_name(std::string_view file_name) {
  return hex_digits_at_start(file_name) == digest_digits &&
         file_name.substr(digest_digits) == ".cubin";
}

bool is_cache_draft_name(std::string_view file_name) {
  if (hex_digits_at_start(file_name) != digest_digits) return false;
  file_name.remove_prefix(digest_digits);
  return take_number(file_name) && take_number(file_name) && file_name == ".tmp";
}

}  // namespace gtune
