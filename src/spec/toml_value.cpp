#include "spec/toml_value.hpp"

// toml++ 3.3 asserts on some damaged keys and, without the assertion, reports them as errors.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "spec/spec_mistake.hpp"
#include "spec/toml_text.hpp"

namespace gtune {
namespace {

Place place_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

/// Whether a byte begins a UTF-8 character: columns count characters.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

void advance(Place& place, char byte) {
  if (byte == '\n') {
    ++place.line;
    place.column = 1;
  } else if (begins_character(byte)) {
    ++place.column;
  }
}

class Converter {
 public:
  explicit Converter(const std::string& text) {
    std::size_t begin = 0;
    while (begin <= text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      m_lines.emplace_back(text.data() + begin, end - begin);
      begin = end + 1;
    }
  }

  [[nodiscard]] TomlValue convert(const toml::node& node) const {
    TomlValue out;
    out.place = place_of(node.source());
    if (const auto* table = node.as_table()) {
      out.kind = TomlValue::Kind::table;
      out.entries = entries_of(*table);
    } else if (const auto* array = node.as_array()) {
      out.kind = TomlValue::Kind::array;
      for (const toml::node& item : *array) out.items.push_back(convert(item));
    } else if (const auto* string = node.as_string()) {
      out.kind = TomlValue::Kind::string;
      out.text = string->get();
      out.text_place = behind_quotes(out.place);
    } else if (const auto* integer = node.as_integer()) {
      out.kind = TomlValue::Kind::integer;
      out.integer = integer->get();
    } else if (const auto* real = node.as_floating_point()) {
      out.kind = TomlValue::Kind::real;
      out.real = real->get();
    } else if (const auto* boolean = node.as_boolean()) {
      out.kind = TomlValue::Kind::boolean;
      out.boolean = boolean->get();
    }
    return out;
  }

 private:
  /// Restores the spec's order: toml++ sorts tables by key.
  [[nodiscard]] std::vector<TomlEntry> entries_of(const toml::table& table) const {
    std::vector<TomlEntry> entries;
    for (const auto& [key, value] : table) {
      entries.push_back({std::string(key.str()), place_of(key.source()), convert(value)});
    }
    std::stable_sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return entries;
  }

  [[nodiscard]] Place behind_quotes(Place place) const {
    if (place.line == 0 || place.line > m_lines.size()) return place;
    const std::string_view rest = m_lines[place.line - 1].substr(byte_of(place));
    const bool triple = rest.starts_with("\"\"\"") || rest.starts_with("'''");
    place.column += triple ? 3 : 1;
    // A line break directly after three quotes is not part of the text.
    if (triple && (rest.size() == 3 || rest.substr(3) == "\r")) return {place.line + 1, 1};
    return place;
  }

  /// The byte at which a column begins. Each line is counted only once: it may have many strings.
  [[nodiscard]] std::size_t byte_of(const Place& place) const {
    const std::string_view line = m_lines[place.line - 1];
    std::vector<std::size_t>& bytes = m_column_bytes[place.line];
    if (bytes.empty()) {
      for (std::size_t byte = 0; byte < line.size(); ++byte) {
        if (begins_character(line[byte])) bytes.push_back(byte);
      }
      bytes.push_back(line.size());
    }
    return bytes[std::min(place.column - 1, bytes.size() - 1)];
  }

  std::vector<std::string_view> m_lines;
  mutable std::map<std::size_t, std::vector<std::size_t>> m_column_bytes;  // by line
};

std::string one_line(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace

const TomlValue* TomlValue::find(std::string_view key) const {
  for (const TomlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Place TomlValue::place_in_text(std::size_t offset) const {
  Place at = text_place;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) advance(at, text[i]);
  return at;
}

std::string_view to_string(TomlValue::Kind kind) {
  constexpr std::array<std::string_view, 7> words = {
      "a string", "an integer", "a float", "a boolean", "a table", "an array", "a date"};
  return words.at(static_cast<std::size_t>(kind));
}

TomlValue parse_toml(const std::string& text, const std::string& file) {
  check_toml_text(text, file);
  try {
    return Converter(text).convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const std::string line = one_line(error.description());
    // The parser's errors for a bare word, or for a date or number that begins like one.
    const bool is_bare = line.find("could not determine value type") != std::string::npos ||
                         line.find("expected 'nan'") != std::string::npos ||
                         line.find("expected 'inf'") != std::string::npos ||
                         line.find("expected 'true'") != std::string::npos ||
                         line.find("expected 'false'") != std::string::npos;
    throw SpecError(file, {place_of(error.source()),
                           line + (is_bare ? "; texts and expressions stand in quotes" : "")});
  }
}

}  // namespace gtune
