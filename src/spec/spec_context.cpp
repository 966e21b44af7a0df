#include "spec/spec_context.hpp"

#include <algorithm>
#include <cctype>

#include "model/error.hpp"
#include "spec/compiled_slots.hpp"
#include "spec/device_slots.hpp"
#include "spec/functions.hpp"
#include "spec/lexer.hpp"
#include "spec/reserved_names.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

std::string listed(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

void SpecContext::fail(const Place& place, const std::string& line) const {
  throw SpecError(m_file, {place, line});
}

void SpecContext::complain(const Place& place, const std::string& line) const {
  attempt([&] { fail(place, line); });
}

const TomlValue& SpecContext::expect(const TomlValue& value, TomlValue::Kind kind,
                                     const std::string& what) const {
  if (value.kind != kind) {
    fail(value.place, what + " is " + std::string(to_string(value.kind)) + "; expected " +
                          std::string(to_string(kind)));
  }
  return value;
}

void SpecContext::expect_few(const TomlValue& list, const std::string& what) const {
  const std::size_t count = std::max(list.entries.size(), list.items.size());
  if (count <= most_entries) return;
  fail(list.place, what + " has " + std::to_string(count) + " entries; expected at most " +
                       std::to_string(most_entries));
}

/// Without a limit, lets that use each other could grow with the square of the spec.
void SpecContext::count_steps(const Expression& expression, const Place& place) const {
  m_steps += expression.nodes().size();
  if (m_steps <= most_steps) return;
  fail(place, "the spec's expressions have more than " + std::to_string(most_steps) +
                  " steps; expected shorter ones");
}

void SpecContext::expect_keys(const TomlValue& table, const std::string& what,
                              const std::vector<std::string_view>& keys) const {
  for (const TomlEntry& entry : table.entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
    const std::vector<std::string> candidates(keys.begin(), keys.end());
    const std::string hint = did_you_mean(entry.key, candidates);
    if (!hint.empty()) m_misspelt.insert({&table, nearest_word(entry.key, candidates)});
    complain(entry.place, "unknown key '" + entry.key + "' in " + what +
                              (hint.empty() ? "; expected one of " + listed(keys) : hint));
  }
}

const TomlValue& SpecContext::require(const TomlValue& table, std::string_view key,
                                      const std::string& what) const {
  const TomlValue* value = table.find(key);
  if (value != nullptr) return *value;
  end_if_misspelt(table, key);
  fail(table.place, what + " has no '" + std::string(key) + "'");
}

void SpecContext::expect_spelling(const TomlValue& table, const std::string& key,
                                  const std::string& what) const {
  if (table.find(key) != nullptr) return;
  for (const TomlEntry& entry : table.entries) {
    const std::string hint = did_you_mean(entry.key, std::span(&key, 1));
    if (hint.empty()) continue;
    m_misspelt.insert({&table, key});
    complain(entry.place, "unknown key '" + entry.key + "' in " + what + hint);
  }
  end_if_misspelt(table, key);
}

void SpecContext::end_if_misspelt(const TomlValue& table, std::string_view key) const {
  if (m_misspelt.contains({&table, std::string(key)})) {
    throw FollowsFromMistake();  // NOLINT(bugprone-std-exception-baseclass): caught here alone
  }
}

std::string SpecContext::optional_string(const TomlValue& table, std::string_view key) const {
  const TomlValue* value = table.find(key);
  if (value == nullptr) return {};
  return expect(*value, TomlValue::Kind::string, "'" + std::string(key) + "'").text;
}

double SpecContext::number(const TomlValue& value, const std::string& what) const {
  if (value.kind == TomlValue::Kind::integer) return static_cast<double>(value.integer);
  return expect(value, TomlValue::Kind::real, what).real;
}

void SpecContext::expect_identifier(const std::string& name, const Place& place,
                                    const std::string& what) const {
  if (is_identifier(name)) return;
  fail(place,
       what + " '" + name + "' is not a C identifier; expected letters, digits and '_' only");
}

std::size_t SpecContext::first_compiled_slot() const {
  return size_slots + param_slots + device_slot_names.size();
}

std::size_t SpecContext::first_slot_after_compiled() const {
  return first_compiled_slot() + compiled_slot_names.size();
}

bool SpecContext::names_compiled(const Expression& expression) const {
  const std::vector<std::size_t> slots = expression.slots();
  return std::any_of(slots.begin(), slots.end(),
                     [&](std::size_t slot) { return is_compiled(slot); });
}

std::string SpecContext::why_not_here(const std::string& name) const {
  const auto is_among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_among(m_declared)) {
    return "'" + name + "' cannot be used here; expected only names declared before";
  }
  if (!is_among(compiled_slot_names)) return "";
  return "'" + name +
         "' is known only after a compile; expected it in [constraints], or in "
         "'grid', 'shared', 'cluster' or 'carveout' of a launch";
}

Expression SpecContext::parsed(const TomlValue& value, const std::string& what, const Scope& names,
                               ExpressionKind kind) const {
  if (value.kind == TomlValue::Kind::integer) {
    return kind == ExpressionKind::integer ? Expression(value.integer)
                                           : Expression(static_cast<double>(value.integer));
  }
  const bool real = kind == ExpressionKind::real;
  if (real && value.kind == TomlValue::Kind::real) return Expression(value.real);
  if (value.kind != TomlValue::Kind::string) {
    fail(value.place, what + " is " + std::string(to_string(value.kind)) + "; expected " +
                          (real ? "a number" : "an integer") + " or a string with an expression");
  }
  try {
    Expression parsed = Expression::parse(value.text, names, kind);
    count_steps(parsed, value.place);
    return parsed;
  } catch (const ExpressionError& error) {
    std::string line = error.what();
    const std::string_view rest = std::string_view(value.text).substr(error.offset());
    const std::string name(leading_identifier(rest));
    if (names.find(name) == nullptr && !why_not_here(name).empty()) line = why_not_here(name);
    fail(value.place_in_text(error.offset()), "in " + what + ": " + line);
  }
}

Expression SpecContext::composed(const std::string& text) const {
  constexpr std::size_t shown = 60;
  try {
    return Expression::parse(text, scope);
  } catch (const ExpressionError& error) {
    const bool is_long = text.size() > shown;
    fail(m_composed_at, "these expressions together, '" + text.substr(0, shown) +
                            (is_long ? "..." : "") + "': " + error.what() +
                            "; expected fewer or shorter ones");
  }
}

Expression SpecContext::expression(const TomlValue& value, const std::string& what,
                                   const Scope& names, ExpressionKind kind) const {
  Expression out = parsed(value, what, names, kind);
  for (const std::size_t slot : out.slots()) {
    if (!is_compiled(slot)) continue;
    fail(value.place, "in " + what + ": " + why_not_here(scope.slot_name(slot)));
  }
  return out;
}

Expression SpecContext::compiled_expression(const TomlValue& value, const std::string& what,
                                            const Scope& names) const {
  return parsed(value, what, names, ExpressionKind::integer);
}

Expression SpecContext::expression(const TomlValue& value, const std::string& what, Depends depends,
                                   ExpressionKind kind) const {
  if (depends == Depends::on_compiled) return compiled_expression(value, what, scope);
  Expression out = expression(value, what, scope, kind);
  for (const std::size_t slot : out.slots()) {
    const bool allowed = depends == Depends::on_anything || is_size(slot) ||
                         (depends == Depends::on_sizes_and_device && !is_param(slot));
    if (allowed) continue;
    fail(value.place, what + " depends on '" + scope.slot_name(slot) +
                          "'; expected an expression of problem sizes" +
                          (depends == Depends::on_sizes ? "" : " and device facts"));
  }
  return out;
}

void SpecContext::claim(const std::string& name, const Place& place, const std::string& what) {
  expect_identifier(name, place, what);
  if (is_reserved_name(name)) {
    fail(place, "'" + name + "' is reserved; expected another name for the " + what);
  }
  if (find_function(name) != nullptr) {
    fail(place,
         "'" + name + "' is a function of expressions; expected another name for the " + what);
  }
  for (const Claim& claim : m_claims) {
    // Sizes and parameters become columns of SQL views, whose names ignore case.
    const bool columns = what != "let" && claim.what != "let";
    if (columns ? lower(claim.name) != lower(name) : claim.name != name) continue;
    fail(place, what + " '" + name + "' has the name of " + claim.what + " '" + claim.name +
                    "'; expected another name");
  }
  m_claims.push_back({name, what});
}

void SpecContext::declare_ahead(const TomlValue& table) {
  for (const TomlEntry& entry : table.entries) m_declared.push_back(entry.key);
}

}  // namespace gtune
