#include "authoring/name_in_source.hpp"

#include "authoring/cpp_types.hpp"

namespace gtune {

NameInSource::NameInSource(const SourceOutline& outline, const OutlinedKernel& kernel)
    : m_outline(outline), m_scope(kernel.name) {
  const std::size_t end = m_scope.rfind("::");
  m_scope.erase(end == std::string::npos ? 0 : end + 2);
}

std::string NameInSource::spelled(const Tokens& text) const {
  const SpelledType whole = spelled_type(text, {});
  if (whole.pointers == 0 && element_of(whole.name).is_known) return whole.name;
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      const bool is_known = is_number(text[at]) || text[at] == "<" || text[at] == ">" ||
                            text[at] == "," || text[at] == ":";
      if (!is_known) return "";
      all += text[at++];
      continue;
    }
    std::string name = text[at++];
    while (stands_at(text, at, {":", ":"}) && is_word(token_at(text, at + 2))) {
      name += "::" + text[at + 2];
      at += 3;
    }
    const std::string full = full_name(name);
    if (full.empty()) return "";
    all += full;
  }
  return all;
}

std::string NameInSource::full_name(const std::string& written) const {
  std::string type = spelled_type({written}, {}).name;
  if (element_of(type).is_known) return type;
  if (written == "true" || written == "false") return written;
  if (std::string name = m_outline.types.class_named(written, m_scope); !name.empty()) return name;
  if (std::string name = m_outline.types.enum_named(written, m_scope); !name.empty()) return name;
  const auto constant = m_outline.constants.find(written);
  if (constant != m_outline.constants.end()) return std::to_string(constant->second);
  return is_function(written) ? written : "";
}

/// Whether the text declares it: a type stands before its name.
bool NameInSource::is_function(const std::string& name) const {
  const Tokens& tokens = m_outline.tokens;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    const std::string& before = tokens[at - 1];
    const bool follows_type = (is_word(before) && before != "return") || before == "*";
    if (tokens[at] == name && token_at(tokens, at + 1) == "(" && follows_type) return true;
  }
  return false;
}

}  // namespace gtune
