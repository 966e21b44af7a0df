#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// A position in a file; line and column count from 1.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;

  // NOLINTNEXTLINE(modernize-use-nullptr,readability-implicit-bool-conversion): misread <=>
  [[nodiscard]] auto operator<=>(const Place&) const = default;
  [[nodiscard]] std::string in(const std::string& file) const {
    return file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

struct TomlEntry;

/// A value of a TOML file with its position. Tables keep the file's order.
struct TomlValue {
  enum class Kind { string, integer, real, boolean, table, array, other };

  Kind kind = Kind::other;
  Place place;
  std::string text;
  Place text_place;  // of the text's first byte, after the quotes
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<TomlValue> items;
  std::vector<TomlEntry> entries;

  /// Null if the table has no such key.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
  /// Position of a byte of the text.
  [[nodiscard]] Place place_in_text(std::size_t offset) const;
};

struct TomlEntry {
  std::string key;
  Place place;  // of the key
  TomlValue value;
};

/// "a string", "an integer", ...
[[nodiscard]] std::string_view to_string(TomlValue::Kind kind);

/// Parses a TOML document; the value is its root table. `file` names it in errors. Throws
/// UserError (usage): "file:line:column: ...".
[[nodiscard]] TomlValue parse_toml(const std::string& text, const std::string& file);

}  // namespace gtune
