#include "authoring/macro_outline.hpp"

#include <algorithm>
#include <set>

#include "authoring/defined_macros.hpp"
#include "jit/source_directives.hpp"
#include "spec/expression.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

std::string without_suffix(const std::string& number) {
  const std::size_t end = number.find_last_not_of("uUlL");
  return number.substr(0, end == std::string::npos ? 0 : end + 1);
}

/// `NAME VALUE` in a directive. The value of a function-like macro begins with a parenthesis.
struct Definition {
  std::string name;
  Tokens value;
};

Definition definition_in(const Directive& directive) {
  Tokens tokens = source_tokens(directive.rest);
  if (tokens.empty() || !is_word(tokens.front())) return {};
  std::string name = std::move(tokens.front());
  tokens.erase(tokens.begin());
  return {std::move(name), std::move(tokens)};
}

/// A definition's value, which may name constants before it.
std::optional<std::int64_t> value_of(Tokens tokens,
                                     const std::map<std::string, std::int64_t>& constants) {
  for (std::string& token : tokens) {
    const auto constant = constants.find(token);
    if (constant != constants.end()) token = std::to_string(constant->second);
  }
  return constant_value(tokens);
}

/// The name in `#ifndef NAME` or `#if !defined(NAME)`; empty for other directives.
std::string guarded_by(const Directive& directive) {
  const Tokens tokens = source_tokens(directive.rest);
  if (directive.name == "ifndef") return std::string(token_at(tokens, 0));
  if (directive.name != "if" || !stands_at(tokens, 0, {"!", "defined"})) return "";
  const bool is_call = token_at(tokens, 2) == "(";
  if (tokens.size() != (is_call ? 5U : 3U)) return "";
  return tokens[is_call ? 3 : 2];
}

/// Macros that conditions test and the source does not define.
class ComparedMacros {
 public:
  explicit ComparedMacros(const std::vector<Directive>& directives) {
    for (const Directive& each : directives) {
      if (each.name == "define") m_defined.insert(definition_in(each).name);
    }
    for (const Directive& each : directives) {
      if (each.name == "if" || each.name == "elif") read(source_tokens(each.rest));
    }
  }

  [[nodiscard]] std::vector<SettableMacro> take() && {
    for (SettableMacro& macro : m_macros) {
      // A condition on a single value is a choice between it and any other value.
      const bool is_zero = macro.values == std::vector<std::int64_t>{0};
      if (macro.values.size() == 1) macro.values.push_back(is_zero ? 1 : 0);
      std::sort(macro.values.begin(), macro.values.end());
    }
    return std::move(m_macros);
  }

 private:
  void read(const Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string& name = tokens[i];
      const bool is_macro =
          is_word(name) && !is_compilers_macro(name) && name != "defined" && name != "true" &&
          name != "false" && !m_defined.contains(name) &&
          (i == 0 || (tokens[i - 1] != "defined" && !is_existence_test(tokens, i)));
      if (!is_macro) continue;
      auto macro = std::find_if(m_macros.begin(), m_macros.end(),
                                [&](const SettableMacro& one) { return one.name == name; });
      if (macro == m_macros.end()) macro = m_macros.insert(macro, {name, std::nullopt, {}});
      const auto value = compared_with(tokens, i + 1);
      const bool is_new = value && std::find(macro->values.begin(), macro->values.end(), *value) ==
                                       macro->values.end();
      if (is_new) macro->values.push_back(*value);
    }
  }

  /// The value in `== 2`; 1 for a test of truth (`NAME`, `NAME > 0`); absent for other comparisons.
  static std::optional<std::int64_t> compared_with(const Tokens& tokens, std::size_t at) {
    if (stands_at(tokens, at, {"=", "="})) return constant_value(slice(tokens, at + 2, at + 3));
    if (stands_at(tokens, at, {">", "0"})) return 1;
    const std::string_view next = token_at(tokens, at);
    const bool is_alone = next.empty() || next == "&" || next == "|" || next == ")";
    return is_alone ? std::optional<std::int64_t>(1) : std::nullopt;
  }

  /// `defined(NAME)`, `__has_include(NAME)`.
  static bool is_existence_test(const Tokens& tokens, std::size_t at) {
    return at >= 2 && tokens[at - 1] == "(" &&
           (tokens[at - 2] == "defined" || tokens[at - 2].starts_with("__"));
  }

  std::set<std::string> m_defined;
  std::vector<SettableMacro> m_macros;
};

}  // namespace

std::optional<std::int64_t> constant_value(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    text += is_number(token) ? without_suffix(token) : token;
  }
  try {
    return Expression::parse(text, Scope()).evaluate({});
  } catch (const ExpressionError&) {
    return std::nullopt;
  } catch (const EvaluationError&) {
    return std::nullopt;
  }
}

MacroOutline outline_macros(std::string_view text) {
  MacroOutline outline;
  const std::vector<Directive> directives = read_directives(text, {});
  std::string guarded;  // by the #ifndef directly before
  for (const Directive& directive : directives) {
    const Definition macro = definition_in(directive);
    const bool is_definition = directive.name == "define";
    const auto value = is_definition ? value_of(macro.value, outline.fixed) : std::nullopt;
    if (is_definition && macro.name != guarded) outline.defined.insert(macro.name);
    if (is_definition) outline.in_definitions.insert(macro.value.begin(), macro.value.end());
    const bool is_new =
        std::none_of(outline.settable.begin(), outline.settable.end(),
                     [&](const SettableMacro& one) { return one.name == macro.name; });
    if (value && macro.name == guarded) {
      if (is_new) outline.settable.push_back({macro.name, value});
    } else if (value) {
      outline.fixed.emplace(macro.name, *value);
    }
    guarded = guarded_by(directive);
  }
  for (SettableMacro& macro : ComparedMacros(directives).take()) {
    outline.settable.push_back(std::move(macro));
  }
  return outline;
}

}  // namespace gtune
