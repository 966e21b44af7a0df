#include "exchange/t4_result.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "exchange/foreign_results.hpp"
#include "exchange/t4_results.hpp"
#include "exchange/t4_rows.hpp"
#include "model/foreign_json.hpp"

namespace gtune {
namespace {

using nlohmann::json;

json result(int a, const std::string& invalidity, const json& time) {
  return {
      {"timestamp", "2023-01-26 01:05:09.730633+00:00"},
      {"configuration", {{"A", a}, {"B", 64}}},
      {"times", {{"compilation", 100.0}, {"framework", 10.0}, {"runtimes", {2.5, 1.5}}}},
      {"invalidity", invalidity},
      {"correctness", invalidity == "correct" ? 1 : 0},
      {"measurements", json::array({{{"name", "GB/s"}, {"value", 900}, {"unit", "GB/s"}},
                                    {{"name", "time"}, {"value", time}, {"unit", "miliseconds"}}})},
      {"objectives", {"time"}}};
}

json file() {
  return {{"metadata", {{"timeunit", "miliseconds"}}},
          {"schema_version", "1.0.0"},
          {"results",
           json::array({result(1, "correct", 2.0), result(2, "timeout", "RuntimeFailedConfig")})}};
}

TEST(T4Results, AResultIsWrittenAsItWasRead) {
  const json whole = file();
  for (const json& each : t4_results_in(whole)) EXPECT_EQ(t4_json(read_t4_result(each)), each);
}

TEST(T4Results, OnlySamplesThatAreNumbersAreRead) {
  json sampled = result(1, "correct", 2.0);
  sampled["times"]["runtimes"] = {2.5, nullptr, "late", 1.5};
  EXPECT_EQ(read_t4_result(sampled).runtimes, (std::vector<double>{2.5, 1.5}));
}

TEST(T4Results, WhatMayBeMissingHasAnEmptyValue) {
  const T4Result read = read_t4_result({{"configuration", json::object()},
                                        {"times", json::object()},
                                        {"measurements", json::array()}});
  EXPECT_EQ(read.timestamp, "");
  EXPECT_EQ(read.invalidity, "correct");
  EXPECT_TRUE(read.objectives.empty());
  EXPECT_THROW((void)read_t4_result({{"configuration", 1}, {"times", json::object()}}),
               std::invalid_argument);
  EXPECT_THROW((void)read_t4_result({{"configuration", json::object()}}), json::exception);
}

TEST(T4Results, AsASpaceAndAsRowsTheySayTheSame) {
  const RecordedSpace space = from_t4_results(file(), "t4");
  ASSERT_EQ(space.space.size(), 2U);
  EXPECT_EQ(space.costs_ms, (std::vector<std::optional<double>>{2.0, std::nullopt}));
  EXPECT_EQ(space.evaluation_ms, (std::vector<double>{114, 114}));  // with two samples, of 4 ms
  std::istringstream lines(t4_to_lines(file(), "t4.json", {"k", "One", {}}));
  std::vector<json> measurements;
  for (std::string line; std::getline(lines, line);) {
    const json row = parse_foreign_json(line);
    if (row.value("table", "") == "measurement") measurements.push_back(row);
  }
  ASSERT_EQ(measurements.size(), 2U);
  EXPECT_EQ(measurements[0]["status"], "ok");
  EXPECT_EQ(measurements[0]["median_ms"], *space.costs_ms[0]);
  EXPECT_EQ(measurements[1]["status"], "timeout");
  for (const json& row : measurements) {
    EXPECT_EQ(row["compile_ms"], 100);
    EXPECT_EQ(row["samples_ms"], (json{2.5, 1.5}));
  }
}

TEST(T4Time, ATimestampOfMebibytesIsRefused) {
  EXPECT_EQ(time_from_t4("2023-01-26 01:05:09.73+00:00"), "2023-01-26T01:05:09.73Z");
  const std::string digits(std::size_t{8} << 20, '1');
  EXPECT_THROW(static_cast<void>(time_from_t4("2023-01-26 01:05:09." + digits + "+00:00")),
               std::invalid_argument);
}

}  // namespace
}  // namespace gtune
