#include "exchange/lenient_json.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gtune {
namespace {

using nlohmann::json;

/// The text with NaN and Infinity replaced by null, a trailing comma removed, and open brackets
/// closed.
std::string mended(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  std::string open;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\' && i + 1 < text.size()) out += text[i++];
      in_string = text[i] != '"' || c == '\\';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == 'N' || c == 'I') {
      const std::string_view word = c == 'N' ? "NaN" : "Infinity";
      if (text.substr(i, word.size()) == word) {
        if (!out.empty() && out.back() == '-') out.pop_back();
        out += "null";
        i += word.size() - 1;
        continue;
      }
    }
    out += text[i];
  }
  while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0) out.pop_back();
  if (!open.empty() && !out.empty() && out.back() == ',') out.pop_back();
  out.append(open.rbegin(), open.rend());
  return out;
}

}  // namespace

json parse_lenient(const std::string& text, const JsonBounds& bounds) {
  require_bounded_json(text, bounds);
  try {
    return json::parse(text);
  } catch (const json::parse_error&) {
    return parse_foreign_json(mended(text), bounds);
  }
}

}  // namespace gtune
