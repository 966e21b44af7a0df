#include "report/markup_text.hpp"

#include "model/one_line.hpp"

namespace gtune {

std::string markup_text(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : one_line(text, most)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  for (const char* absent : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {  // U+FFFE, U+FFFF
    for (std::size_t at = out.find(absent); at != std::string::npos; at = out.find(absent)) {
      out.replace(at, 3, "?");
    }
  }
  return out;
}

std::string wrapping_text(std::string_view text) {
  const std::string markup = markup_text(text);
  std::string out;
  for (std::size_t i = 0; i < markup.size(); ++i) {
    out += markup[i];
    const bool is_within = i + 1 < markup.size() && markup[i + 1] != ' ';
    if (markup[i] == ',' && is_within) out += "<wbr>";
  }
  return out;
}

}  // namespace gtune
