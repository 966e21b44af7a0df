#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/scope.hpp"
#include "spec/spec_mistake.hpp"
#include "spec/toml_value.hpp"

namespace gtune {

/// Limit on the entries of a table of names or an array of tables: far more than any spec has, and
/// few enough for quadratic work.
inline constexpr std::size_t most_entries = 1024;
/// Limit on the steps of all expressions of a spec together; named ones count at each use.
inline constexpr std::size_t most_steps = 1'000'000;

/// The slots that an expression may depend on. on_anything: all that are known before a compile.
enum class Depends { on_sizes, on_sizes_and_device, on_anything, on_compiled };

/// Shared by the readers of a spec's parts: the names known so far, and the reporting of mistakes.
class SpecContext {
 public:
  explicit SpecContext(std::string file) : m_file(std::move(file)) {}

  /// The folder of the spec's file.
  [[nodiscard]] std::filesystem::path folder() const {
    return std::filesystem::path(m_file).parent_path();
  }

  /// Throws SpecError: "file:line:column: LINE".
  [[noreturn]] void fail(const Place& place, const std::string& line) const;
  /// Reports a mistake after which reading can continue: if mistakes are collected, it is added to
  /// them, otherwise thrown.
  void complain(const Place& place, const std::string& line) const;
  /// Runs `read`, on which nothing else depends. If mistakes are collected, its first one is added
  /// to them and the result is false; otherwise it is thrown.
  template <typename Read>
  bool attempt(Read read) const {
    if (!m_collects) {
      read();
      return true;
    }
    try {
      read();
      return true;
    } catch (const FollowsFromMistake&) {  // the mistake itself was collected
    } catch (const SpecError& error) {
      m_mistakes.push_back(error.mistake());
    } catch (const UserError& error) {
      m_mistakes.push_back({{}, error.what()});
    }
    ++m_failures;
    return false;
  }
  /// From now on mistakes are collected.
  void collect_mistakes() { m_collects = true; }
  [[nodiscard]] const std::vector<SpecMistake>& mistakes() const { return m_mistakes; }
  /// Fails if `key` is misspelt in the table. For keys that determine which others are allowed.
  void expect_spelling(const TomlValue& table, const std::string& key,
                       const std::string& what) const;
  /// The number of parts that could not be read so far.
  [[nodiscard]] std::size_t failures() const { return m_failures; }
  /// Stops reading a part if an unknown key of its table is a misspelling of this one.
  void end_if_misspelt(const TomlValue& table, std::string_view key) const;
  /// Runs `read` and adds the place to its UserError.
  template <typename Read>
  auto at(const Place& place, Read read) const {
    try {
      return read();
    } catch (const UserError& error) {
      fail(place, error.what());
    }
  }

  /// Checks that a value is of this kind. `what` names it in the error.
  const TomlValue& expect(const TomlValue& value, TomlValue::Kind kind,
                          const std::string& what) const;
  /// Checks that a table or an array has at most `most_entries`.
  void expect_few(const TomlValue& list, const std::string& what) const;
  /// Checks that a table has no other keys.
  void expect_keys(const TomlValue& table, const std::string& what,
                   const std::vector<std::string_view>& keys) const;
  /// The key's value; fails if it is missing. If expect_keys has reported a misspelling of the key,
  /// that stays the only mistake.
  [[nodiscard]] const TomlValue& require(const TomlValue& table, std::string_view key,
                                         const std::string& what) const;
  /// The key's string; empty if it is missing.
  [[nodiscard]] std::string optional_string(const TomlValue& table, std::string_view key) const;
  /// Reads a float or an integer.
  [[nodiscard]] double number(const TomlValue& value, const std::string& what) const;
  void expect_identifier(const std::string& name, const Place& place,
                         const std::string& what) const;

  /// Reads a string with an expression, or a number. The expression may use the names of `names`,
  /// but not the compiler's facts.
  [[nodiscard]] Expression expression(const TomlValue& value, const std::string& what,
                                      const Scope& names,
                                      ExpressionKind kind = ExpressionKind::integer) const;
  /// The same with the names of `scope`; fails if the expression depends on more than `depends`.
  [[nodiscard]] Expression expression(const TomlValue& value, const std::string& what,
                                      Depends depends,
                                      ExpressionKind kind = ExpressionKind::integer) const;

  /// The same, but the expression may use the compiler's facts.
  [[nodiscard]] Expression compiled_expression(const TomlValue& value, const std::string& what,
                                               const Scope& names) const;

  /// Parses a combination of the spec's own expressions. Fails if they are too long or too deeply
  /// nested together, at the place of compose_at().
  [[nodiscard]] Expression composed(const std::string& text) const;
  /// The place of the table whose expressions composed() combines from now on.
  void compose_at(const Place& place) const { m_composed_at = place; }

  /// Claims a name for a size, parameter or let; fails if it is taken or reserved.
  void claim(const std::string& name, const Place& place, const std::string& what);
  /// Notes the names that the table declares, for better errors before they are read.
  void declare_ahead(const TomlValue& table);

  Scope scope;                  // grows as the spec is read
  std::size_t size_slots = 0;   // number of slots for sizes, which come first
  std::size_t param_slots = 0;  // number of slots for parameters, which come next

  /// Device slots follow those of the parameters; slots of compiled kernels follow them.
  [[nodiscard]] std::size_t first_compiled_slot() const;
  [[nodiscard]] std::size_t first_slot_after_compiled() const;
  [[nodiscard]] bool is_compiled(std::size_t slot) const {
    return slot >= first_compiled_slot() && slot < first_slot_after_compiled();
  }
  [[nodiscard]] bool names_compiled(const Expression& expression) const;
  [[nodiscard]] bool is_size(std::size_t slot) const { return slot < size_slots; }
  [[nodiscard]] bool is_param(std::size_t slot) const {
    return slot >= size_slots && slot < size_slots + param_slots;
  }

 private:
  /// Thrown for a failure that is only a consequence of a reported mistake.
  struct FollowsFromMistake {};

  struct Claim {
    std::string name;
    std::string what;
  };

  void count_steps(const Expression& expression, const Place& place) const;
  [[nodiscard]] Expression parsed(const TomlValue& value, const std::string& what,
                                  const Scope& names, ExpressionKind kind) const;
  /// Why a known name cannot be used here; empty if the name is unknown.
  [[nodiscard]] std::string why_not_here(const std::string& name) const;

  std::string m_file;
  bool m_collects = false;
  mutable std::vector<SpecMistake> m_mistakes;
  mutable std::size_t m_failures = 0;
  mutable std::set<std::pair<const TomlValue*, std::string>> m_misspelt;  // tables and keys
  mutable std::size_t m_steps = 0;  // in all expressions read so far
  mutable Place m_composed_at;
  std::vector<Claim> m_claims;
  std::vector<std::string> m_declared;
};

}  // namespace gtune
