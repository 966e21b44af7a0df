// Runs whose winner is the configuration with the least energy, or with metrics of energy.
#include <SQLiteCpp/SQLiteCpp.h>

#include "model/error.hpp"
#include "tune_fixture.hpp"

namespace gtune {
namespace {

using test::FakeDevice;
using test::p_ms;
using test::p_of;

MeasureEnergyReply joules(double energy_mj) {
  MeasureEnergyReply reply;
  reply.energy = EnergyUse{energy_mj, 300, 1000, 0.5, 5};
  return reply;
}

/// P takes P ms, so 1 is the fastest; its energy falls with P.
MeasureEnergyReply falling(const Measure& run) {
  return joules(run.label.empty() ? 1000.0 - 100 * static_cast<double>(p_of(run.config)) : 5000);
}

class EnergyRuns : public test::TuneProblem {
 protected:
  EnergyRuns() {
    m_settings.finalists = 5;
    m_settings.finalist_margin = 5;
    m_settings.objective = Objective::energy;
  }

  [[nodiscard]] std::optional<EnergyUse> energy_of(MeasurementId id) const {
    return energy_use(database().load_metrics(id));
  }
  /// The finalists' P in the order in which their energy was measured.
  static std::vector<std::int64_t> asked(const FakeDevice& device) {
    std::vector<std::int64_t> all;
    for (const Measure& run : device.asked_energy) {
      if (run.label.empty()) all.push_back(p_of(run.config));
    }
    return all;
  }
};

TEST_F(EnergyRuns, TheFinalistWithTheLeastEnergyWins) {
  add_device().energies = falling;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 5);
  EXPECT_EQ(energy_of(result(outcome).winner.id).value().energy_mj, 500);
  EXPECT_TRUE(ties(outcome).empty());
  // The whole search goes by time: the final has the five fastest.
  std::vector<std::int64_t> finalists;
  for (const StoredMeasurement& each : stored(outcome, Phase::final)) {
    finalists.push_back(p_of(each.measurement.config));
    EXPECT_TRUE(energy_of(each.id));
  }
  EXPECT_EQ(finalists, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
}

TEST_F(EnergyRuns, TheProductOfEnergyAndTimeMayChooseAnother) {
  m_settings.objective = Objective::edp;
  // The products are 600, 500, 720, 920 and 1100; P = 5 takes the least energy.
  add_device().energies = [](const Measure& run) {
    const std::map<std::int64_t, double> energies = {{1, 600}, {2, 250}, {3, 240}, {4, 230}};
    const auto found = energies.find(p_of(run.config));
    return joules(found == energies.end() ? 220 : found->second);
  };
  EXPECT_EQ(winner(tune()), 2);
}

TEST_F(EnergyRuns, ThoseNearTheBestAreMeasuredInTurnAndADifferenceWithinTheSpreadIsATie) {
  // P = 4 takes 1 % less than P = 3, but their rounds overlap.
  std::map<std::int64_t, int> rounds;
  FakeDevice& device = add_device();
  device.energies = [&](const Measure& run) {
    const std::int64_t p = p_of(run.config);
    if (!run.label.empty() || (p != 3 && p != 4)) return joules(2000);
    const int round = ++rounds[p];
    if (p == 3) return joules(round == 2 ? 985 : 1000);
    return joules(round == 2 ? 1000 : 990);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 3) << "the faster of the tied";
  EXPECT_EQ(ties(outcome), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(asked(device), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 4, 3, 4, 3}));
}

TEST_F(EnergyRuns, ADifferenceThatEveryRoundShowsIsNoTie) {
  add_device().energies = [](const Measure& run) {
    const std::int64_t p = p_of(run.config);
    return joules(p == 4 ? 970 : p == 3 ? 1000 : 2000);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 4);
  EXPECT_TRUE(ties(outcome).empty());
}

TEST_F(EnergyRuns, AFinalistWithoutEnergyComesLastWithTheReason) {
  add_device().energies = [](const Measure& run) -> MeasureEnergyReply {
    if (p_of(run.config) != 5) return falling(run);
    MeasureEnergyReply reply;
    reply.reason = "made up";
    return reply;
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 4);
  for (const StoredMeasurement& each : stored(outcome, Phase::final)) {
    if (p_of(each.measurement.config) != 5) continue;
    const auto metrics = database().load_metrics(each.id);
    ASSERT_EQ(metrics.size(), 2U);
    EXPECT_EQ(metrics[0].name, "energy_mj");
    EXPECT_EQ(metrics[0].reason, "made up");
  }
}

TEST_F(EnergyRuns, BaselinesHaveAnEnergyTooAndNothingIsMeasuredTwice) {
  FakeDevice& device = add_device();
  device.energies = falling;
  const ProblemOutcome outcome = tune();
  const auto baselines = stored(outcome, Phase::baseline);
  ASSERT_EQ(baselines.size(), 1U);
  EXPECT_EQ(energy_of(baselines.front().id).value().energy_mj, 5000);
  const std::size_t measured = device.asked_energy.size();
  EXPECT_TRUE(tune().from_store());
  EXPECT_EQ(device.asked_energy.size(), measured);
}

TEST_F(EnergyRuns, WithoutACounterTheRunEndsBeforeItsSearch) {
  FakeDevice& device = add_device();
  try {
    (void)tune();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::nothing_stored);  // the fake device is a recording
    EXPECT_NE(std::string(error.what()).find("--objective energy"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--metrics energy_mj"), std::string::npos);
  }
  EXPECT_TRUE(device.asked.empty());
}

TEST_F(EnergyRuns, IfNoFinalistHasAnEnergyThereIsNoWinner) {
  add_device().energies = [](const Measure&) {
    MeasureEnergyReply reply;
    reply.unavailable = true;
    reply.reason = "the counter of energy did not change for 1 s";
    return reply;
  };
  try {
    (void)tune();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("did not change"), std::string::npos);
  }
  EXPECT_TRUE(m_notes.has("no energy"));
}

TEST_F(EnergyRuns, AWinnerByEnergyIsCheckedAtAwkwardSizesLikeAnyOther) {
  FakeDevice& device = add_device();
  device.energies = falling;
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!test::is_awkward_check(request) || p_of(request.config) != 5) return std::nullopt;
    MeasureReply wrong;
    wrong.status = Status::wrong_result;
    wrong.reason = "made up";
    return wrong;
  };
  EXPECT_EQ(winner(tune()), 4);
}

TEST_F(EnergyRuns, AnInterruptionDuringTheEnergyKeepsWhatWasMeasured) {
  add_device().energies = [this](const Measure& run) {
    if (p_of(run.config) == 2) m_interrupted = true;
    return falling(run);
  };
  EXPECT_THROW((void)tune(), Interrupted);
  int measured = 0;
  Database stored_in = database();
  measured = stored_in.connection()
                 .execAndGet("SELECT COUNT(*) FROM metric WHERE name = 'energy_mj'")
                 .getInt();
  EXPECT_EQ(measured, 2);
  EXPECT_EQ(stored_in.connection().execAndGet("SELECT COUNT(*) FROM result").getInt(), 0);
}

TEST_F(EnergyRuns, AnInterruptionAfterTheRunHasEndedKeepsItsResult) {
  m_settings.objective = Objective::time;
  m_settings.profile.energy = true;
  add_device().energies = [this](const Measure& run) {
    m_interrupted = true;
    return falling(run);
  };
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(m_all_metrics);
  EXPECT_TRUE(outcome.found);
  EXPECT_EQ(database().connection().execAndGet("SELECT COUNT(*) FROM result").getInt(), 1);
}

TEST_F(EnergyRuns, ALostLeadHandsTheFinalToTheNextDevice) {
  FakeDevice& first = add_device();
  FakeDevice& second = add_device();
  first.energies = [&](const Measure& run) -> MeasureEnergyReply {
    if (p_of(run.config) != 2) return falling(run);
    first.starts_left = 0;
    throw WorkerLost(Status::crashed, "gone");
  };
  second.energies = falling;
  EXPECT_EQ(winner(tune()), 5);
  EXPECT_FALSE(second.asked_energy.empty());
}

TEST_F(EnergyRuns, AMetricOfEnergyChangesNoWinner) {
  m_settings.objective = Objective::time;
  FakeDevice& device = add_device();
  device.energies = falling;
  EXPECT_EQ(winner(tune()), 1);
  EXPECT_TRUE(device.asked_energy.empty()) << "not by default";

  m_settings.profile.energy = true;
  const ProblemOutcome again = tune();
  EXPECT_TRUE(again.from_store());
  EXPECT_EQ(winner(again), 1);
  EXPECT_EQ(energy_of(result(again).winner.id).value().energy_mj, 900);
  EXPECT_EQ(device.asked_energy.size(), 6U);  // five finalists, once each, and the baseline
}

}  // namespace
}  // namespace gtune
