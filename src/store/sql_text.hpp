#pragma once

#include <string>
#include <string_view>
#include <vector>

// Makes foreign names safe to use in the text of a statement.
namespace gtune {

/// "it's" becomes 'it''s'.
[[nodiscard]] std::string sql_literal(std::string_view text);
/// a"b becomes "a""b".
[[nodiscard]] std::string sql_identifier(std::string_view name);
/// Letters, digits and underscores of `name`; everything else becomes an underscore.
[[nodiscard]] std::string plain_name(std::string_view name);

/// Hands out names that differ in more than case, as SQL requires of columns.
class UniqueNames {
 public:
  /// `name` if it is free, else `name` with the first free suffix of _2, _3, ...
  [[nodiscard]] std::string take(const std::string& name);

 private:
  std::vector<std::string> m_taken;  // in lower case
};

}  // namespace gtune
