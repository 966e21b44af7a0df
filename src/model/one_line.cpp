#include "model/one_line.hpp"

#include <algorithm>

namespace gtune {
namespace {

/// The first character of a text.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // else a single byte that does not begin valid UTF-8
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// A character's length in bytes, from its first byte; 0 if no character begins with it.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

Character first_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_by(first);
  if (bytes == 0 || text.size() < bytes) return {};
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(bytes),
                   continues)) {
    return {};
  }
  char32_t code = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (const char byte : text.substr(1, bytes - 1)) {
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (too_long || surrogate || code > 0x10ffff) return {};
  return {code, bytes, true};
}

/// C0, DEL or C1.
bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Line and paragraph separators, and bidirectional controls, which make a line read differently
/// from its bytes.
bool is_misleading(char32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

enum class LineEnds { replaced, kept };

void append_harmless(std::string& out, std::string_view text, LineEnds line_ends) {
  while (!text.empty()) {
    const Character next = first_of(text);
    const std::string_view bytes = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    if (!next.valid || is_misleading(next.code)) {
      out += '?';
    } else if (!is_control(next.code) ||
               (line_ends == LineEnds::kept && (bytes == "\n" || bytes == "\t"))) {
      out += bytes;
    } else {
      out += ' ';
    }
  }
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  text = text.substr(0, most);
  if (cut) {  // drop a character that was cut in two
    const std::string_view last = text.substr(text.size() - std::min<std::size_t>(text.size(), 3));
    const auto begin =
        std::find_if(last.rbegin(), last.rend(), [](char c) { return !continues(c); });
    const auto tail = static_cast<std::size_t>(begin - last.rbegin()) + 1;
    if (begin != last.rend() && length_by(static_cast<unsigned char>(*begin)) > tail) {
      text.remove_suffix(tail);
    }
  }
  std::string out;
  append_harmless(out, text, LineEnds::replaced);
  return cut ? out + "..." : out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  append_harmless(out, text, LineEnds::kept);
  return out;
}

}  // namespace gtune
