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

/// Of a table of names, and of an array of tables: far more than any spec has, few enough for work
/// that grows with their square.
inline constexpr std::size_t most_entries = 1024;
/// Of all expressions of a spec together, named ones counted wherever they are used.
inline constexpr std::size_t most_steps = 1'000'000;

/// Which slots an expression may depend on. on_anything: that is known before a compile.
enum class Depends { on_sizes, on_sizes_and_device, on_anything, on_compiled };

/// What the readers of a spec's parts share: the names known so far, and how mistakes are told.
class SpecContext {
 public:
  explicit SpecContext(std::string file) : m_file(std::move(file)) {}

  /// In which the spec's file is.
  [[nodiscard]] std::filesystem::path folder() const {
    return std::filesystem::path(m_file).parent_path();
  }

  /// Throws SpecError: "file:line:column: LINE".
  [[noreturn]] void fail(const Place& place, const std::string& line) const;
  /// The same of a mistake that does not keep the rest from being read: where mistakes are
  /// collected, it is, and reading goes on.
  void complain(const Place& place, const std::string& line) const;
  /// Runs `read`, with which the rest does not stand or fall. Where mistakes are collected, its
  /// first is, and false comes back; else it is thrown.
  template <typename Read>
  bool attempt(Read read) const {
    if (!m_collects) {
      read();
      return true;
    }
    try {
      read();
      return true;
    } catch (const FollowsFromMistake&) {  // which was collected
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
  /// Of a key without which it is not known what others the table may have.
  void expect_spelling(const TomlValue& table, const std::string& key,
                       const std::string& what) const;
  /// Parts that could not be read so far.
  [[nodiscard]] std::size_t failures() const { return m_failures; }
  /// Ends the reading of a part if the table has an unknown key that was meant to be this one.
  void end_if_misspelt(const TomlValue& table, std::string_view key) const;
  /// Runs `read`, whose UserError does not know the place.
  template <typename Read>
  auto at(const Place& place, Read read) const {
    try {
      return read();
    } catch (const UserError& error) {
      fail(place, error.what());
    }
  }

  /// Checks that a value is of this kind; `what` is its name in the error.
  const TomlValue& expect(const TomlValue& value, TomlValue::Kind kind,
                          const std::string& what) const;
  /// Checks that a table or an array has `most_entries` at most.
  void expect_few(const TomlValue& list, const std::string& what) const;
  /// Checks that a table has no other keys.
  void expect_keys(const TomlValue& table, const std::string& what,
                   const std::vector<std::string_view>& keys) const;
  /// The key's value; fails where it is missing. A key that expect_keys took for a misspelling of
  /// this one is the only mistake of the two.
  [[nodiscard]] const TomlValue& require(const TomlValue& table, std::string_view key,
                                         const std::string& what) const;
  /// The key's string, or empty where it is missing.
  [[nodiscard]] std::string optional_string(const TomlValue& table, std::string_view key) const;
  /// A float or an integer.
  [[nodiscard]] double number(const TomlValue& value, const std::string& what) const;
  void expect_identifier(const std::string& name, const Place& place,
                         const std::string& what) const;

  /// A string with an expression, or a number, over the names of `scope` that are known before a
  /// compile.
  [[nodiscard]] Expression expression(const TomlValue& value, const std::string& what,
                                      const Scope& names,
                                      ExpressionKind kind = ExpressionKind::integer) const;
  /// Likewise over `scope()`, and checked to depend on nothing else.
  [[nodiscard]] Expression expression(const TomlValue& value, const std::string& what,
                                      Depends depends,
                                      ExpressionKind kind = ExpressionKind::integer) const;

  /// Likewise, and it may depend on what the compiler reports.
  [[nodiscard]] Expression compiled_expression(const TomlValue& value, const std::string& what,
                                               const Scope& names) const;

  /// Takes the name for a size, parameter or let; fails where it is taken or reserved.
  void claim(const std::string& name, const Place& place, const std::string& what);
  /// Names that the file declares somewhere, for better errors.
  void declare_ahead(const TomlValue& table);

  Scope scope;                  // grows as the spec is read
  std::size_t size_slots = 0;   // slots of sizes come first,
  std::size_t param_slots = 0;  // then those of parameters

  /// Slots of the device come after those of the parameters, then those of compiled kernels.
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
  /// What there is no point in complaining about.
  struct FollowsFromMistake {};

  struct Claim {
    std::string name;
    std::string what;
  };

  void count_steps(const Expression& expression, const Place& place) const;
  [[nodiscard]] Expression parsed(const TomlValue& value, const std::string& what,
                                  const Scope& names, ExpressionKind kind) const;
  /// Of a name that has a meaning elsewhere in the spec; empty where it has none.
  [[nodiscard]] std::string why_not_here(const std::string& name) const;

  std::string m_file;
  bool m_collects = false;
  mutable std::vector<SpecMistake> m_mistakes;
  mutable std::size_t m_failures = 0;
  mutable std::set<std::pair<const TomlValue*, std::string>> m_misspelt;  // tables and keys
  mutable std::size_t m_steps = 0;  // of the expressions read so far
  std::vector<Claim> m_claims;
  std::vector<std::string> m_declared;
};

}  // namespace gtune
