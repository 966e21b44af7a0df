// Metrics that share passes, and the meaning of CUPTI's errors: the same on every machine.
#include "profile/metric_set.hpp"

#include <gtest/gtest.h>

#include "profile/cupti_error.hpp"
#include "profile/familiar_metrics.hpp"

namespace gtune {
namespace {

class MetricSets : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] MetricSet schedule(const std::vector<std::string>& names) const {
    return schedule_metrics(m_cupti, m_catalog, names, {});
  }
  [[nodiscard]] std::size_t passes(const std::vector<std::string>& names) const {
    std::size_t all = 0;
    for (const MetricGroup& group : schedule(names).groups) all += m_catalog.passes(group.metrics);
    return all;
  }

  CuptiLibrary m_cupti;
  MetricCatalog m_catalog{m_cupti, GetParam()};
};

TEST_P(MetricSets, TheDefaultOnesGoTogether) {
  const MetricSet set = schedule(default_metrics());
  ASSERT_EQ(set.groups.size(), 1U);
  EXPECT_EQ(set.groups[0].names, default_metrics());
  EXPECT_TRUE(set.refused.empty());
  EXPECT_FALSE(set.groups[0].config.empty());
  EXPECT_LE(passes(default_metrics()), 20U);
}

TEST_P(MetricSets, TheQuickOnesTakeOnePass) { EXPECT_EQ(passes(quick_metrics()), 1U); }

INSTANTIATE_TEST_SUITE_P(Chips, MetricSets,
                         testing::Values("GA100", "AD102", "GH100", "GB100", "GB202"),
                         [](const auto& test) { return test.param; });

TEST(MetricSet, WhatDoesNotGoTogetherIsMeasuredApart) {
  const CuptiLibrary cupti;
  const MetricCatalog catalog(cupti, "GH100");
  const MetricSet set = schedule_metrics(
      cupti, catalog, {"dram_bytes", "pcie__read_bytes.sum", "duration", "no_such__thing.sum"}, {});
  ASSERT_EQ(set.groups.size(), 2U);
  EXPECT_EQ(set.groups[0].names, (std::vector<std::string>{"dram_bytes", "duration"}));
  EXPECT_EQ(set.groups[1].names, (std::vector<std::string>{"pcie__read_bytes.sum"}));
  ASSERT_EQ(set.refused.size(), 1U);
  EXPECT_EQ(set.refused[0].name, "no_such__thing.sum");
  EXPECT_FALSE(set.refused[0].reason.empty());
}

TEST(CuptiErrors, ThoseOfTheDeviceSayWhatToDo) {
  for (const CUptiResult result :
       {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_HARDWARE_BUSY,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
        CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED}) {
    const auto reason = why_unavailable(result);
    ASSERT_TRUE(reason) << result;
    EXPECT_EQ(reason->find('\n'), std::string::npos);
    const CuptiLibrary cupti;
    EXPECT_THROW(check_cupti(cupti, result, "call"), CountersUnavailable);
  }
}

TEST(CuptiErrors, ThoseOfOneCallNameIt) {
  const CuptiLibrary cupti;
  EXPECT_FALSE(why_unavailable(CUPTI_ERROR_INVALID_PARAMETER));
  EXPECT_NO_THROW(check_cupti(cupti, CUPTI_SUCCESS, "call"));
  try {
    check_cupti(cupti, CUPTI_ERROR_INVALID_PARAMETER, "cuptiCall");
    FAIL();
  } catch (const CuptiError& error) {
    EXPECT_STREQ(error.what(), "cuptiCall: CUPTI_ERROR_INVALID_PARAMETER (1)");
  }
}

}  // namespace
}  // namespace gtune
