#include "jit/header_macros.hpp"

#include <algorithm>

namespace gtune {
namespace {

// Limits for untrusted macros.
constexpr int deepest_macro = 8;
constexpr std::size_t most_headers = 1000;

/// Takes a leading `(a, b)` without inner parentheses or quotes; absent for other text.
std::optional<std::vector<std::string>> take_list(std::string_view& text) {
  const std::size_t end = text.find_first_of("()\"'", 1);
  if (!text.starts_with('(') || end == text.npos || text[end] != ')') return std::nullopt;
  std::vector<std::string> items;
  std::string_view inner = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  while (true) {
    const std::size_t comma = std::min(inner.find(','), inner.size());
    items.push_back(trimmed(inner.substr(0, comma)));
    if (comma == inner.size()) return items;
    inner.remove_prefix(comma + 1);
  }
}

/// Replaces each identifier in `text` with `change(identifier)`.
template <typename Change>
std::string with_identifiers(std::string_view text, const Change& change) {
  std::string out;
  while (!text.empty()) {
    const std::string name = take_identifier(text);
    if (!name.empty()) {
      out += change(name);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

void HeaderMacros::define(const Directive& directive) {
  std::string_view rest = directive.rest;
  const std::string name = take_identifier(rest);
  Definition definition;
  if (rest.starts_with('(')) {
    definition.with_parameters = true;
    if (const auto parameters = take_list(rest)) definition.parameters = *parameters;
  }
  definition.text = trimmed(rest);
  m_definitions[name].insert(std::move(definition));
}

bool HeaderMacros::names_macro(std::string_view text) const {
  bool found = false;
  (void)with_identifiers(text, [&](const std::string& name) {
    found = found || m_definitions.contains(name) || m_unknown.contains(name) ||
            name.starts_with("__");  // perhaps a macro of the compiler
    return name;
  });
  return found;
}

bool HeaderMacros::expand(std::string_view text, int depth,
                          std::vector<HeaderName>& headers) const {
  const ParsedHeaderName parsed = parse_header_name(text);
  if (parsed.kind == HeaderNameKind::literal) {
    // Macros are expanded within angle brackets too.
    if (!parsed.header.quoted && names_macro(parsed.header.name)) return false;
    headers.push_back(parsed.header);
    return true;
  }
  const std::string all = trimmed(text);
  std::string_view rest = all;
  const std::string name = take_identifier(rest);
  const auto known = m_definitions.find(name);
  if (name.empty() || depth == 0 || known == m_definitions.end() || m_unknown.contains(name)) {
    return false;
  }
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  const auto arguments = take_list(rest);
  return std::all_of(known->second.begin(), known->second.end(), [&](const Definition& each) {
    if (headers.size() >= most_headers) return false;
    if (each.text.find_first_of("#%") != std::string::npos) return false;  // pasted tokens
    if (!each.with_parameters) return expand(each.text, depth - 1, headers);
    if (!arguments || arguments->size() != each.parameters.size()) return false;
    if (each.text.find('"') != std::string::npos) return false;  // it may contain a parameter
    const std::string replaced = with_identifiers(each.text, [&](const std::string& word) {
      const auto parameter = std::find(each.parameters.begin(), each.parameters.end(), word);
      if (parameter == each.parameters.end()) return word;
      return (*arguments)[static_cast<std::size_t>(parameter - each.parameters.begin())];
    });
    return expand(replaced, depth - 1, headers);
  });
}

std::optional<std::vector<HeaderName>> HeaderMacros::headers_of(std::string_view text) const {
  std::vector<HeaderName> headers;
  if (!expand(text, deepest_macro, headers)) return std::nullopt;
  return headers;
}

}  // namespace gtune
