#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "authoring/source_tokens.hpp"
#include "jit/source_directives.hpp"

namespace gtune {

/// Whether a condition of the preprocessor holds.
struct ConditionVerdict {
  bool holds = false;
  bool is_assumed = false;  // another build may decide otherwise, or gtune cannot evaluate it
};

/// The macros that are defined while a source's text is read.
class DefinedMacros {
 public:
  /// Those of nvcc when it compiles device code for `arch`. `__CUDACC_RTC__` is not among them:
  /// NVRTC does not read the host code, which shows the launch.
  explicit DefinedMacros(const std::string& arch = "sm_90");

  /// `definition`: what follows #define.
  void define(std::string_view definition);
  void undefine(const std::string& name) { m_values.erase(name); }
  [[nodiscard]] bool is_defined(const std::string& name) const { return m_values.contains(name); }
  [[nodiscard]] std::optional<std::int64_t> value_of(const std::string& name) const;

  /// A macro that the build may choose has this value; conditions on it are assumptions.
  void assume(const std::string& name, std::int64_t value);
  /// The build may choose this macro's value: conditions on it are assumptions.
  void note_choice(const std::string& name) { m_choices.insert(name); }
  [[nodiscard]] bool is_choice(const std::string& name) const { return m_choices.contains(name); }

  /// Adds the definitions of `others`, except those that `these` has too.
  void add_missing_from(const DefinedMacros& others, const DefinedMacros& these);

  /// For #if, #ifdef, #ifndef and their forms with `el`. Undefined names are 0, as in C; a
  /// condition that cannot be evaluated holds.
  [[nodiscard]] ConditionVerdict evaluate(const Directive& condition) const;

 private:
  struct Value {
    Tokens tokens;
    bool is_known = true;  // false for a macro with arguments and for the toolkit's version
  };
  class Evaluation;

  std::map<std::string, Value, std::less<>> m_values;
  std::set<std::string, std::less<>> m_choices;
};

/// Whether only compilers and their headers define such names: `_WIN32`, `__HIPCC__`,
/// `CUDART_VERSION`.
[[nodiscard]] bool is_compilers_macro(const std::string& name);

}  // namespace gtune
