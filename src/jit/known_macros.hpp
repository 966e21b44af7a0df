#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "jit/source_directives.hpp"

namespace gtune {

/// A truth value that may depend on unknown facts.
enum class Truth : std::uint8_t { no, maybe, yes };

[[nodiscard]] constexpr Truth opposite(Truth truth) {
  if (truth == Truth::maybe) return truth;
  return truth == Truth::yes ? Truth::no : Truth::yes;
}

/// The macros that are defined at one point of a source, and their values, as far as its text
/// shows. An unknown name counts as undefined, so include guards work, unless it begins with an
/// underscore: it may then be the compiler's.
class KnownMacros {
 public:
  struct State {
    Truth defined = Truth::no;
    std::string text;
    bool has_value = false;  // whether conditions see the text as its value
  };

  /// Defines a macro whose value is unknown.
  void define_as_something(const std::string& name);
  void define(const std::string& name, const std::string& text);
  void undefine(const std::string& name);
  /// Applies a `#define` or `#undef`. `compiled`: whether its group is compiled.
  void apply(const Directive& directive, Truth compiled);

  [[nodiscard]] State state_of(const std::string& name) const;
  void set_state(const std::string& name, State state);
  [[nodiscard]] Truth is_defined(const std::string& name) const;
  /// Evaluates the condition of an `#if`.
  [[nodiscard]] Truth holds(std::string_view condition) const;
  /// Whether `name` is among these words or in their expansions.
  [[nodiscard]] bool leads_to(const std::set<std::string>& words, const std::string& name) const;

 private:
  std::map<std::string, State> m_states;
};

/// The parts of `#define NAME(a) text`.
struct MacroDefinition {
  std::string name;
  bool with_parameters = false;
  std::string text;  // without blanks around it
};

[[nodiscard]] MacroDefinition definition_in(const Directive& directive);

}  // namespace gtune
