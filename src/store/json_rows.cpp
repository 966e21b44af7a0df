#include "store/json_rows.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace gtune {

using nlohmann::json;

namespace {

bool is_utf8(const std::string& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

json bytes_json(const std::string& text) {
  json bytes = json::array();
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return {{"bytes", bytes}};
}

/// JSON has no infinity.
json real_json(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json column_json(const SQLite::Column& column) {
  if (column.isNull()) return nullptr;
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return real_json(column.getDouble());
  if (column.isText()) {
    const std::string text = column.getString();
    return is_utf8(text) ? json(text) : bytes_json(text);
  }
  std::vector<double> samples(static_cast<std::size_t>(column.getBytes()) / sizeof(double));
  if (!samples.empty()) {
    std::memcpy(samples.data(), column.getBlob(), samples.size() * sizeof(double));
  }
  json list = json::array();
  for (const double sample : samples) {
    list.push_back(std::isnan(sample) ? json("nan") : real_json(sample));
  }
  return list;
}

double real_of(const json& value) {
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  return value.get<double>();
}

std::string text_value(const json& value) {
  if (!value.is_object()) return value.get<std::string>();
  std::string text;
  for (const json& byte : value.at("bytes")) text += static_cast<char>(byte.get<unsigned char>());
  return text;
}

}  // namespace

void put_columns(json& row, const TableShape& shape, const SQLite::Statement& statement,
                 int first) {
  for (const TableColumn& column : shape.columns) {
    row[column.name] = column_json(statement.getColumn(first++));
  }
}

void bind_column(Binder& to, const TableColumn& column, const json& value) {
  if (value.is_null()) {
    to.null();
  } else if (column.type == "INTEGER") {
    const auto integer = integer_in<std::int64_t>(value);
    if (!integer) throw std::invalid_argument(column.name + " is no integer of 64 bits");
    to << *integer;
  } else if (column.type == "REAL") {
    to << real_of(value);
  } else if (column.type == "TEXT") {
    to << text_value(value);
  } else {
    std::vector<double> samples;
    for (const json& sample : value) samples.push_back(real_of(sample));
    const void* data = samples.empty() ? static_cast<const void*>("") : samples.data();
    to.blob(data, samples.size() * sizeof(double));
  }
}

}  // namespace gtune
