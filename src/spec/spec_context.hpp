#pragma once

#include <filesystem>
#include <string>
#include <string_view>
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

  /// "file:line:column"
  [[nodiscard]] std::string located(const Place& place) const { return place.in(m_file); }
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
    } catch (const SpecError& error) {
      m_mistakes.push_back(error.mistake());
    } catch (const UserError& error) {
      m_mistakes.push_back({{}, error.what()});
    }
    return false;
  }
  /// From now on mistakes are collected.
  void collect_mistakes() { m_collects = true; }
  [[nodiscard]] const std::vector<SpecMistake>& mistakes() const { return m_mistakes; }

  /// Checks that a value is of this kind; `what` is its name in the error.
  const TomlValue& expect(const TomlValue& value, TomlValue::Kind kind,
                          const std::string& what) const;
  /// Checks that a table or an array has `most_entries` at most.
  void expect_few(const TomlValue& list, const std::string& what) const;
  /// Checks that a table has no other keys.
  void expect_keys(const TomlValue& table, const std::string& what,
                   const std::vector<std::string_view>& keys) const;
  /// The key's value; fails where it is missing.
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
  mutable std::size_t m_steps = 0;  // of the expressions read so far
  std::vector<Claim> m_claims;
  std::vector<std::string> m_declared;
};

}  // namespace gtune
