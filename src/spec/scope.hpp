#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/expression.hpp"

namespace gtune {

/// The names that an expression may use: slots, and named expressions, which are inlined.
class Scope {
 public:
  using Meaning = std::variant<std::size_t, Expression>;

  /// Numbers the slots in the order in which they are added.
  std::size_t add_slot(const std::string& name);
  /// The same, but any other meaning of the name, earlier or later, takes precedence.
  std::size_t add_yielding_slot(const std::string& name);
  void add_expression(const std::string& name, Expression expression);

  /// Null if the name has no meaning here.
  [[nodiscard]] const Meaning* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// Sets the words that are a slot's values. Such a slot can only be compared with them.
  void set_words(const std::string& name, std::vector<std::string> words);
  /// Empty if the name has no words.
  [[nodiscard]] const std::vector<std::string>& words_of(std::string_view name) const;
  [[nodiscard]] const std::string& slot_name(std::size_t slot) const { return m_slot_names[slot]; }

 private:
  std::map<std::string, Meaning, std::less<>> m_meanings;
  std::vector<std::string> m_slot_names;
  std::map<std::string, std::vector<std::string>, std::less<>> m_words;
};

}  // namespace gtune
