#include "model/foreign_json.hpp"

#include <stdexcept>

namespace gtune {
namespace {

std::invalid_argument too_large(std::size_t bytes) {
  return std::invalid_argument("JSON of more than " + std::to_string(bytes) + " bytes");
}

}  // namespace

void require_bounded_json(std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes) throw too_large(bounds.bytes);
  // Brackets, colons and commas outside strings bound the levels and values from above, even if the
  // text is not JSON.
  std::size_t depth = 0;
  std::size_t values = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++values;
      if (++depth > bounds.depth) {
        throw std::invalid_argument("JSON nested deeper than " + std::to_string(bounds.depth) +
                                    " levels");
      }
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == ',' || c == ':') {
      ++values;
    }
  }
  if (values > bounds.values) {
    throw std::invalid_argument("JSON of more than " + std::to_string(bounds.values) + " values");
  }
}

nlohmann::json parse_foreign_json(std::string_view text, const JsonBounds& bounds) {
  require_bounded_json(text, bounds);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::out_of_range&) {
    throw std::invalid_argument("JSON with a number that is too large, such as 1e400");
  }
}

bool read_bounded_line(std::istream& in, std::string& line, const JsonBounds& bounds) {
  line.clear();
  if (!in.good()) return false;
  constexpr int end = std::istream::traits_type::eof();
  for (int c = in.rdbuf()->sbumpc(); c != '\n'; c = in.rdbuf()->sbumpc()) {
    if (c == end) {
      in.setstate(std::ios::eofbit);
      return !line.empty();
    }
    if (line.size() == bounds.bytes) throw too_large(bounds.bytes);
    line += std::istream::traits_type::to_char_type(c);
  }
  return true;
}

std::string read_bounded_text(std::istream& in, const JsonBounds& bounds) {
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > bounds.bytes) throw too_large(bounds.bytes);
  }
  return text;
}

}  // namespace gtune
