#include "jit/known_macros.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "spec/expression.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

constexpr int deepest_expansion = 20;
constexpr std::size_t longest_condition = 10'000;

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

/// A condition as an expression in which names with unknown values are slots.
class Condition {
 public:
  explicit Condition(const KnownMacros& macros) : m_macros(macros) {}

  [[nodiscard]] Truth truth_of(std::string_view text) {
    const std::string expanded = expand(text, deepest_expansion);
    try {
      const Interval value = Expression::parse(expanded, m_scope).bounds(m_bounds);
      if (value.fails != Fails::never) return Truth::maybe;
      if (value.excluded()) return Truth::no;
      return value.low > 0 || value.high < 0 ? Truth::yes : Truth::maybe;
    } catch (const ExpressionError&) {
      return Truth::maybe;  // functions, __has_include, octal numbers
    }
  }

 private:
  [[nodiscard]] std::string expand(std::string_view text, int depth) {
    std::string out;
    while (!text.empty() && out.size() < longest_condition) {
      std::string word = take_identifier(text);
      if (word.empty()) {
        out += text.front();
        text.remove_prefix(1);
      } else if (word.front() >= '0' && word.front() <= '9') {
        while (word.size() > 1 && std::string_view("uUlL").find(word.back()) != std::string::npos) {
          word.pop_back();
        }
        out += word;
      } else {
        out += word == "defined" ? answer(text) : value_of(word, depth);
      }
    }
    return out;
  }

  /// Answers `defined(NAME)` or `defined NAME`; `text` begins after the word `defined`.
  std::string answer(std::string_view& text) {
    skip_blanks(text);
    const bool in_parentheses = text.starts_with('(');
    if (in_parentheses) text.remove_prefix(1);
    skip_blanks(text);
    const std::string name = take_identifier(text);
    skip_blanks(text);
    if (in_parentheses && text.starts_with(')')) text.remove_prefix(1);
    const Truth defined = m_macros.is_defined(name);
    if (defined == Truth::maybe) return unknown(0, 1);
    return defined == Truth::yes ? "1 " : "0 ";
  }

  std::string value_of(const std::string& name, int depth) {
    if (name == "true") return "1";
    const KnownMacros::State state = m_macros.state_of(name);
    if (state.defined == Truth::no) return "0";
    if (!state.has_value || depth == 0) {
      return unknown(std::numeric_limits<std::int64_t>::min(),
                     std::numeric_limits<std::int64_t>::max());
    }
    return "(" + expand(state.text, depth - 1) + ")";
  }

  std::string unknown(std::int64_t low, std::int64_t high) {
    m_bounds.push_back({low, high});
    const std::string name = "unknown_" + std::to_string(m_bounds.size());
    m_scope.add_slot(name);
    return name + " ";
  }

  const KnownMacros& m_macros;
  Scope m_scope;
  std::vector<Interval> m_bounds;
};

}  // namespace

MacroDefinition definition_in(const Directive& directive) {
  std::string_view rest = directive.rest;
  MacroDefinition definition{take_identifier(rest), rest.starts_with('('), ""};
  definition.text = trimmed(rest);
  return definition;
}

void KnownMacros::define_as_something(const std::string& name) {
  m_states[name] = {Truth::yes, "", false};
}

void KnownMacros::define(const std::string& name, const std::string& text) {
  m_states[name] = {Truth::yes, text, true};
}

void KnownMacros::undefine(const std::string& name) { m_states[name] = {}; }

void KnownMacros::apply(const Directive& directive, Truth compiled) {
  if (compiled == Truth::no) return;
  const MacroDefinition definition = definition_in(directive);
  State state;
  if (directive.name == "define") {
    state = {Truth::yes, definition.text, !definition.with_parameters};
  }
  if (compiled == Truth::maybe && is_defined(definition.name) != state.defined) {
    state.defined = Truth::maybe;
  }
  state.has_value = state.has_value && compiled == Truth::yes;
  m_states[definition.name] = std::move(state);
}

KnownMacros::State KnownMacros::state_of(const std::string& name) const {
  const auto known = m_states.find(name);
  if (known != m_states.end()) return known->second;
  return {name.starts_with('_') ? Truth::maybe : Truth::no, "", false};
}

void KnownMacros::set_state(const std::string& name, State state) {
  m_states[name] = std::move(state);
}

Truth KnownMacros::is_defined(const std::string& name) const { return state_of(name).defined; }

Truth KnownMacros::holds(std::string_view condition) const {
  return Condition(*this).truth_of(condition);
}

bool KnownMacros::leads_to(const std::set<std::string>& words, const std::string& name) const {
  std::set<std::string> seen = words;
  std::vector<std::string> waiting(words.begin(), words.end());
  while (!waiting.empty()) {
    const std::string word = std::move(waiting.back());
    waiting.pop_back();
    if (word == name) return true;
    const auto known = m_states.find(word);
    if (known == m_states.end()) continue;
    for (const std::string& next : read_identifiers(known->second.text, {})) {
      if (seen.insert(next).second) waiting.push_back(next);
    }
  }
  return false;
}

}  // namespace gtune
