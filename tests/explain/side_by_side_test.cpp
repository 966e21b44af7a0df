#include "explain/side_by_side.hpp"

#include <gtest/gtest.h>

#include "golden/values.hpp"
#include "report/document_html.hpp"

namespace gtune::test {
namespace {

Subject subject(const std::string& name, const Config& config, double ms,
                std::vector<Metric> metrics) {
  Subject out;
  out.name = name;
  out.device = made_up_gpu();
  out.measured = timed(1, config, ms).measurement;
  if (config.empty()) out.measured.phase = Phase::baseline;
  out.facts = find_static_facts(matmul(), square(4096), out.device, out.measured);
  out.metrics = std::move(metrics);
  return out;
}

/// The texts of the row of this name, without the name; empty if there is none.
std::vector<std::string> row_of(const Table& table, const std::string& name) {
  for (const Table::Row& row : table.rows()) {
    if (row.cells[0].text() != name) continue;
    std::vector<std::string> texts;
    for (std::size_t i = 1; i < row.cells.size(); ++i) texts.push_back(row.cells[i].text());
    return texts;
  }
  return {};
}

class SideBySide : public testing::Test {
 protected:
  Table table = side_by_side(
      matmul(), {subject("best", config_of(128, 2), 0.01,
                         {{"dram_bytes", 2e6, "byte", ""},
                          {"l1_hit_rate", 0.04, "percent", ""},
                          {"l2_hit_rate", 0.04, "percent", ""}}),
                 subject("finalist 2", config_of(128, 3), 0.011,
                         {{"dram_bytes", 0, "byte", ""},
                          {"l1_hit_rate", 0, "percent", ""},
                          {"l2_hit_rate", 0.001, "percent", ""}}),
                 subject("naive", {}, 6,
                         {{"dram_bytes", 4.5e9, "byte", ""}, {"l2_hit_rate", 50, "percent", ""}})});
};

TEST_F(SideBySide, ARowHasOneUnit) {
  EXPECT_EQ(row_of(table, "time"),
            (std::vector<std::string>{"us", "10.0", "11.0", "6024 (600 x)"}));
  EXPECT_EQ(row_of(table, "dram_bytes"),
            (std::vector<std::string>{"MB", "2.00", "0", "4500 (2250 x)"}));
}

TEST_F(SideBySide, LeavesRowsOfZerosOut) { EXPECT_TRUE(row_of(table, "l1_hit_rate").empty()); }

TEST_F(SideBySide, WhatIsWrittenAsZeroHasNoFactor) {
  EXPECT_EQ(row_of(table, "l2_hit_rate"), (std::vector<std::string>{"%", "0.0", "0.0", "50.0"}));
}

TEST_F(SideBySide, FinalistsAreNamedByWhatDiffers) {
  std::vector<std::string> headings;
  for (const Column& column : table.columns()) headings.push_back(column.label.value());
  EXPECT_EQ(headings,
            (std::vector<std::string>{"value", "unit", "best", "finalist 2: STAGES=3", "naive"}));
}

}  // namespace
}  // namespace gtune::test
