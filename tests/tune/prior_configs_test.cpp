#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tune_fixture.hpp"

// What a search measures first.
namespace gtune::test {
namespace {

/// The slowest of twelve configurations wins, which no strategy tries first.
double p_12_wins(const Measure& request) {
  return request.label.empty() ? 13 - static_cast<double>(p_of(request.config)) : 50;
}

class PriorConfigs : public TuneProblem {
 protected:
  PriorConfigs() {
    add_device(p_12_wins);
    (void)tune();
    m_settings.budget.configurations = 1;
  }

  /// Tunes with a single configuration, and expects the earlier winner.
  void expect_from(PriorOrigin origin) {
    const ProblemOutcome outcome = tune();
    EXPECT_EQ(outcome.search_use.priors, (std::map<PriorOrigin, int>{{origin, 1}}));
    EXPECT_EQ(outcome.search_use.tried, 1U);
    EXPECT_EQ(winner(outcome), 12);
  }

  void move_results(const std::filesystem::path& to) const {
    std::filesystem::rename(database_path(), to);
  }
};

TEST_F(PriorConfigs, OfAnEarlierSource) {
  m_folder.write("made_up.cu", "// changed\n");
  expect_from(PriorOrigin::other_sources);
}

TEST_F(PriorConfigs, OfAnotherDevice) {
  m_commands.clear();
  add_device(p_12_wins);
  expect_from(PriorOrigin::other_devices);
}

TEST_F(PriorConfigs, OfTheBundledResults) {
  m_bundled = m_folder.path() / "bundled.db";
  move_results(*m_bundled);
  expect_from(PriorOrigin::bundled_results);
}

TEST_F(PriorConfigs, OfAnotherTimingMode) {
  m_settings.mode.order = LaunchOrder::warm;
  expect_from(PriorOrigin::earlier_runs);
}

/// As after an interrupt: what the first run asked for, the second asks for again.
TEST_F(PriorConfigs, AreNoReasonToMeasureAnythingTwiceWhenARunGoesOn) {
  m_folder.write("made_up.cu", "// changed\n");
  m_settings.strategy = "random";
  m_settings.budget.configurations = 4;
  EXPECT_EQ(winner(tune()), 12);
  FakeDevice& device = *m_devices.front();
  device.asked.clear();
  m_settings.budget.configurations = 6;
  const ProblemOutcome more = tune();
  EXPECT_EQ(count(device, is_of_search), 2U);
  EXPECT_EQ(winner(more), 12);
}

TEST_F(PriorConfigs, OnlyThoseThatTheBudgetAllowsAreCounted) {
  m_folder.write("made_up.cu", "// changed once\n");
  m_devices.front()->times = p_ms;
  m_settings.budget.configurations = 12;
  (void)tune();  // P = 1 is the fastest of this source
  m_folder.write("made_up.cu", "// changed twice\n");
  m_settings.budget.configurations = 1;
  EXPECT_EQ(tune().search_use.priors,
            (std::map<PriorOrigin, int>{{PriorOrigin::other_sources, 1}}));
  m_settings.budget.configurations = 3;
  EXPECT_EQ(tune().search_use.priors,
            (std::map<PriorOrigin, int>{{PriorOrigin::other_sources, 2}}));
}

TEST_F(PriorConfigs, AreMeasuredLikeAllOthers) {
  m_folder.write("made_up.cu", "// changed\n");
  m_devices.front()->times = p_ms;  // what won is now the slowest
  m_settings.budget.configurations = 12;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 1);
}

TEST_F(PriorConfigs, AFreshRunHasNone) {
  m_folder.write("made_up.cu", "// changed\n");
  m_settings.fresh = true;
  const ProblemOutcome outcome = tune();
  EXPECT_TRUE(outcome.search_use.priors.empty());
  EXPECT_NE(winner(outcome), 12);
}

TEST_F(PriorConfigs, WhatIsNoLongerInTheSpaceIsLeftOut) {
  have_configurations(11);
  EXPECT_TRUE(tune().search_use.priors.empty());
}

TEST_F(PriorConfigs, BundledResultsThatCannotBeReadCostNothing) {
  m_bundled = m_folder.write("bundled.db", "no database\n");
  EXPECT_TRUE(tune().found);
  EXPECT_TRUE(m_notes.has("without the bundled results: "));
}

}  // namespace
}  // namespace gtune::test
