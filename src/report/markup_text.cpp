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

}  // namespace gtune
