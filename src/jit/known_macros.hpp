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

/// Of what may depend on more than is known.
enum class Truth : std::uint8_t { no, maybe, yes };

[[nodiscard]] constexpr Truth opposite(Truth truth) {
  if (truth == Truth::maybe) return truth;
  return truth == Truth::yes ? Truth::no : Truth::yes;
}

/// Which macros are defined at a place of a source, and as what, as far as its text tells. A name
/// of which nothing is known is taken for undefined, as include guards are, unless it begins with
/// an underscore: that may be the compiler's.
class KnownMacros {
 public:
  struct State {
    Truth defined = Truth::no;
    std::string text;
    bool has_value = false;  // the text is what a condition sees of it
  };

  /// Defined, without anything known of its value.
  void define_as_something(const std::string& name);
  void define(const std::string& name, const std::string& text);
  void undefine(const std::string& name);
  /// A `#define` or `#undef` in a group that is compiled so surely.
  void apply(const Directive& directive, Truth compiled);

  [[nodiscard]] State state_of(const std::string& name) const;
  void set_state(const std::string& name, State state);
  [[nodiscard]] Truth is_defined(const std::string& name) const;
  /// Of the condition of an `#if`.
  [[nodiscard]] Truth holds(std::string_view condition) const;
  /// Whether `name` is among these words, or what they stand for has it.
  [[nodiscard]] bool leads_to(const std::set<std::string>& words, const std::string& name) const;

 private:
  std::map<std::string, State> m_states;
};

/// `NAME` of `#define NAME(a) text`, and the rest.
struct MacroDefinition {
  std::string name;
  bool with_parameters = false;
  std::string text;  // without blanks around it
};

[[nodiscard]] MacroDefinition definition_in(const Directive& directive);

}  // namespace gtune
