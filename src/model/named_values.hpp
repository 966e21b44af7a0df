#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gtune {

/// Ordered name = integer pairs, in the order in which the spec declares them.
class NamedValues {
 public:
  using Entry = std::pair<std::string, std::int64_t>;

  NamedValues() = default;
  NamedValues(std::initializer_list<Entry> entries) : m_entries(entries) {}
  /// The names must be distinct.
  explicit NamedValues(std::vector<Entry> entries) : m_entries(std::move(entries)) {}

  /// Sets the value of `name`; a new name goes to the end.
  void set(std::string_view name, std::int64_t value);
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
  [[nodiscard]] bool empty() const { return m_entries.empty(); }
  /// The values alone, in the order of the entries.
  [[nodiscard]] std::vector<std::int64_t> values() const;
  /// "BM=128,BN=64": the form that `--config` takes.
  [[nodiscard]] std::string text() const;

  /// Same names with same values, in any order.
  friend bool operator==(const NamedValues& a, const NamedValues& b);

 private:
  std::vector<Entry> m_entries;
};

/// Values of the tuning parameters.
class Config : public NamedValues {
 public:
  using NamedValues::NamedValues;
  explicit Config(NamedValues values) : NamedValues(std::move(values)) {}
};

/// Values of the problem sizes.
class Problem : public NamedValues {
 public:
  using NamedValues::NamedValues;
  explicit Problem(NamedValues values) : NamedValues(std::move(values)) {}
};

/// A configuration is never a problem, though both have names and values.
bool operator==(const Config& config, const Problem& problem) = delete;

}  // namespace gtune
