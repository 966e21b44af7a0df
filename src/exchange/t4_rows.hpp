#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/t4_result.hpp"

// Converts a result of a T4 file to database rows and back. Throws a std::exception for what cannot
// be converted.
namespace gtune {

/// The row of a measurement, and the rows of its metrics.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing
struct T4Rows {
  nlohmann::json measurement;
  std::vector<nlohmann::json> metrics;
};

/// Converts "2023-01-26 01:05:09.730633+00:00" to "2023-01-26T01:05:09.730633Z".
[[nodiscard]] std::string time_from_t4(const std::string& t4);

/// `id`, `config`: the row ids of the measurement and its configuration.
[[nodiscard]] T4Rows t4_rows_of(const T4Result& result, std::int64_t id, std::int64_t config);
[[nodiscard]] T4Result t4_result_of(const T4Rows& rows, const nlohmann::json& params);

/// Throws std::invalid_argument if `given_back` lacks or changes any part of `result`.
void require_given_back(const nlohmann::json& result, const nlohmann::json& given_back);

}  // namespace gtune
