#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/timing_mode.hpp"

// Moves values into and out of a statement, in the order of its parameters and columns.
namespace gtune {

/// Binds a statement's parameters in turn. NaN and absent values become NULL.
class Binder {
 public:
  explicit Binder(SQLite::Statement& statement) : m_statement(statement) {}

  template <typename T>
  requires std::integral<T> || std::is_enum_v<T> Binder& operator<<(T value) {
    m_statement.bind(++m_index, static_cast<std::int64_t>(value));
    return *this;
  }
  Binder& operator<<(double value) {
    if (std::isnan(value)) return null();
    m_statement.bind(++m_index, value);
    return *this;
  }
  Binder& operator<<(const std::string& value) {
    m_statement.bind(++m_index, value);
    return *this;
  }
  Binder& operator<<(std::string_view value) { return *this << std::string(value); }
  Binder& operator<<(const char* value) { return *this << std::string(value); }
  Binder& operator<<(const TimingMode& mode) { return *this << mode.text(); }
  template <typename T>
  Binder& operator<<(const std::optional<T>& value) {
    return value ? *this << *value : null();
  }
  Binder& null() {
    m_statement.bind(++m_index);
    return *this;
  }
  Binder& blob(const void* data, std::size_t bytes) {
    m_statement.bind(++m_index, data, static_cast<int>(bytes));
    return *this;
  }

 private:
  SQLite::Statement& m_statement;
  int m_index = 0;
};

/// Reads the columns of a statement's current row in turn. NULL reads as NaN, 0, "" or absent.
/// Throws std::invalid_argument for an integer that is out of range and for no timing mode.
class Row {
 public:
  explicit Row(const SQLite::Statement& statement) : m_statement(statement) {}

  template <typename T>
  requires std::integral<T> || std::is_enum_v<T> Row& operator>>(T& value) {
    const std::int64_t stored = next().getInt64();
    if constexpr (std::is_same_v<T, bool>) {
      value = stored != 0;
    } else if constexpr (std::integral<T>) {
      if (!std::in_range<T>(stored)) throw std::invalid_argument("a number is out of range");
      value = static_cast<T>(stored);
    } else {
      value = static_cast<T>(stored);
    }
    return *this;
  }
  Row& operator>>(double& value) {
    const SQLite::Column column = next();
    value = column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
    return *this;
  }
  Row& operator>>(std::string& value) {
    value = next().getString();
    return *this;
  }
  Row& operator>>(std::optional<double>& value) {
    const SQLite::Column column = next();
    value = column.isNull() ? std::nullopt : std::optional(column.getDouble());
    return *this;
  }
  Row& operator>>(TimingMode& mode) {
    mode = timing_mode_from_string(next().getString());
    return *this;
  }
  [[nodiscard]] SQLite::Column peek() const { return m_statement.getColumn(m_index); }
  [[nodiscard]] SQLite::Column next() { return m_statement.getColumn(m_index++); }

 private:
  const SQLite::Statement& m_statement;
  int m_index = 0;
};

/// Runs a statement that ends in RETURNING id, and resets it.
template <typename Id>
[[nodiscard]] Id read_id(SQLite::Statement& statement) {
  statement.executeStep();
  const auto id = static_cast<Id>(statement.getColumn(0).getInt64());
  statement.reset();
  return id;
}

}  // namespace gtune
