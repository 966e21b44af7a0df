#include "spec/entry.hpp"

#include <algorithm>

#include "model/value_word.hpp"
#include "spec/lexer.hpp"

namespace gtune {
namespace {

bool is_qualified_name(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find("::");
    if (!is_identifier(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 2);
  }
}

/// Calls `word` for each identifier or number after the first '<', `other` for other characters.
template <typename Word, typename Other>
void walk(std::string_view entry, Word word, Other other) {
  std::size_t at = std::min(entry.find('<'), entry.size());
  for (const char c : entry.substr(0, at)) other(c);
  while (at < entry.size()) {
    std::size_t end = at;
    // A letter is put in front so that a number is a word too.
    while (end < entry.size() && is_identifier("_" + std::string(1, entry[end]))) ++end;
    if (end == at) {
      other(entry[at++]);
    } else {
      word(std::string(entry.substr(at, end - at)));
      at = end;
    }
  }
}

}  // namespace

bool is_entry(std::string_view text) {
  const std::size_t open = text.find('<');
  if (!is_qualified_name(text.substr(0, open))) return false;
  if (open == std::string_view::npos) return true;
  return text.back() == '>' &&
         std::count(text.begin(), text.end(), '<') == std::count(text.begin(), text.end(), '>');
}

std::vector<std::string> template_arguments(std::string_view entry) {
  std::vector<std::string> names;
  walk(
      entry,
      [&](const std::string& word) {
        if (is_identifier(word)) names.push_back(word);
      },
      [](char) {});
  return names;
}

std::string instantiate_entry(std::string_view entry, const NamedValues& values) {
  std::string out;
  walk(
      entry,
      [&](const std::string& word) {
        const auto value = values.find(word);
        out += value ? value_text(*value) : word;
      },
      [&](char c) { out += c; });
  return out;
}

}  // namespace gtune
