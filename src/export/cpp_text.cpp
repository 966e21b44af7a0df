#include "export/cpp_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/error.hpp"

namespace gtune {

std::string cpp_literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (c >= ' ' && c <= '~' && c != '?') {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

std::string cpp_comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  // Either would continue the comment on the next line; the second is a trigraph.
  while (text.ends_with('\\') || text.ends_with("?\?/")) text.pop_back();
  return text.empty() ? "//\n" : "// " + text + '\n';
}

void require_no_keyword(const std::string& name) {
  static const std::set<std::string> keywords = {
      "_Bool",     "_Complex",  "_Imaginary", "alignas",  "alignof",  "and",    "asm",
      "auto",      "bool",      "break",      "case",     "catch",    "char",   "class",
      "const",     "constexpr", "continue",   "default",  "delete",   "do",     "double",
      "else",      "enum",      "explicit",   "export",   "extern",   "false",  "float",
      "for",       "friend",    "goto",       "if",       "inline",   "int",    "long",
      "mutable",   "namespace", "new",        "not",      "operator", "or",     "private",
      "protected", "public",    "register",   "restrict", "return",   "short",  "signed",
      "sizeof",    "static",    "struct",     "switch",   "template", "this",   "throw",
      "true",      "try",       "typedef",    "typeid",   "typename", "typeof", "union",
      "unsigned",  "using",     "virtual",    "void",     "volatile", "while",  "xor"};
  if (!keywords.contains(name)) return;
  throw UserError(ExitCode::usage, "'" + name +
                                       "' of the spec is a keyword of C or C++, so no header "
                                       "can name it; expected another name");
}

}  // namespace gtune
