// CUPTI's metrics of chips that need not be present: the same on every machine.
#include "profile/metric_catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"

namespace gtune {
namespace {

const CuptiLibrary& cupti() {
  static const CuptiLibrary opened;
  return opened;
}

class MetricsOf : public testing::TestWithParam<std::string> {};

TEST_P(MetricsOf, EveryFamiliarNameIsKnownWithUnitAndPasses) {
  const MetricCatalog catalog(cupti(), GetParam());
  for (const FamiliarMetric& each : familiar_metrics()) {
    const auto facts = catalog.find(catalog.resolve(each.name));
    ASSERT_TRUE(facts) << each.name;
    EXPECT_FALSE(facts->unit.empty()) << each.name;
    EXPECT_FALSE(facts->description.empty()) << each.name;
    EXPECT_GE(facts->passes, 1U) << each.name;
    EXPECT_LE(facts->passes, 20U) << each.name;
  }
}

TEST_P(MetricsOf, CommonMetricsShareAPass) {
  const MetricCatalog catalog(cupti(), GetParam());
  std::vector<std::string> set;
  for (const char* name : {"duration", "dram_throughput", "dram_bytes", "achieved_occupancy"}) {
    set.push_back(catalog.resolve(name));
  }
  EXPECT_EQ(catalog.passes(set), 1U);
}

TEST_P(MetricsOf, CuptiHasManyMore) {
  EXPECT_GT(MetricCatalog(cupti(), GetParam()).metrics().size(), 1500U);
}

INSTANTIATE_TEST_SUITE_P(Chips, MetricsOf,
                         testing::Values("GA100", "AD102", "GH100", "GB100", "GB202"),
                         [](const auto& test) { return test.param; });

TEST(MetricCatalog, NamesAreMappedByChip) {
  EXPECT_EQ(MetricCatalog(cupti(), "GH100").resolve("dram_read_bytes"), "dram__bytes_read.sum");
  EXPECT_EQ(MetricCatalog(cupti(), "GB202").resolve("dram_read_bytes"), "dram__bytes_op_read.sum");
}

TEST(MetricCatalog, WhatIsUnknownIsSaid) {
  EXPECT_THROW(MetricCatalog(cupti(), "H200"), UserError);
  const MetricCatalog catalog(cupti(), "GH100");
  EXPECT_THROW((void)catalog.resolve("gld_eficiency"), UserError);
  EXPECT_FALSE(catalog.find("dram__bytes_op_read.sum"));
  EXPECT_THROW((void)catalog.passes({"no_such.sum"}), UserError);
  EXPECT_EQ(catalog.resolve("dram__bytes.sum"), "dram__bytes.sum");
}

TEST(MetricCatalog, ChipsOfDevicesAreChipsThatCuptiKnows) {
  const auto known = MetricCatalog::chips(cupti());
  for (const int cc : {75, 80, 86, 87, 89, 90, 100, 120, 121}) {
    const auto chip = chip_of(cc);
    ASSERT_TRUE(chip) << cc;
    EXPECT_NE(std::find(known.begin(), known.end(), *chip), known.end()) << *chip;
  }
  EXPECT_FALSE(chip_of(10));
}

}  // namespace
}  // namespace gtune
