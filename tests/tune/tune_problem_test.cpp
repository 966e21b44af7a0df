#include "tune/tune_problem.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <thread>

#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"
#include "tune/identity.hpp"
#include "tune/kernel_session.hpp"
#include "tune/shared_measurements.hpp"
#include "tune_fixture.hpp"

namespace gtune {
namespace {

using test::FakeDevice;
using test::is_of_search;
using test::made_up_spec;
using test::Meeting;
using test::p_ms;
using test::p_of;
using test::TuneProblem;
using test::wait_until;

TEST_F(TuneProblem, StepsAreMeasuredAsAWholeAndEachOfTheFinalistsSteps) {
  have_steps();
  FakeDevice& device = add_device([](const Measure& request) { return 9.0 - p_ms(request); });
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 3);
  for (const Measure& request : device.asked) {
    const std::size_t steps = !request.label.empty() ? 1 : p_of(request.config) == 1 ? 2 : 3;
    EXPECT_EQ(request.steps.size(), steps);
    // Only in the first round of the final.
    const bool first_round = test::is_of_final(request) && request.check;
    EXPECT_EQ(request.time_steps, first_round && steps > 1);
  }
  const auto metrics = database().load_metrics(result(outcome).winner.id);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].name, "step_time:add");
  EXPECT_EQ(metrics[0].value, 0.75);
  EXPECT_EQ(metrics[1].name, "step_time:finish");
  EXPECT_EQ(metrics[1].unit, "ms");
}

TEST_F(TuneProblem, TheStepsOfABaselineAreTimedToo) {
  have_steps();
  std::ifstream written(m_folder.path() / "made_up.toml");
  std::string text{std::istreambuf_iterator<char>(written), {}};
  const std::string launch = "entry = \"naive\"\ngrid = [1]\nblock = [32]\n";
  text.replace(text.find(launch), launch.size(), "params = { P = 2 }\n");
  m_spec = read_spec(m_folder.write("made_up.toml", text), {});
  add_device();
  const ProblemOutcome outcome = tune();
  const auto baseline = database().find_comparable_baseline(result(outcome).winner.id, "naive");
  ASSERT_TRUE(baseline);
  const auto metrics = database().load_metrics(baseline->id);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0].name, "step_time:add");
  EXPECT_EQ(metrics[1].name, "step_time:finish");
}

TEST_F(TuneProblem, OfSeveralStepsNothingIsCounted) {
  have_steps("2, 3");
  add_device();
  m_settings.profile.scope = ProfileScope::top;
  const ProblemOutcome outcome = tune();
  const auto metrics = database().load_metrics(result(outcome).winner.id);
  const auto ipc = std::find_if(metrics.begin(), metrics.end(),
                                [](const Metric& metric) { return metric.name == "ipc"; });
  ASSERT_NE(ipc, metrics.end());
  EXPECT_FALSE(ipc->value);
  EXPECT_EQ(ipc->reason, "counters are of one launch, and this is 2 steps");
}

/// P = 12 is the fastest.
double largest_p_wins(const Measure& request) {
  return request.label.empty() ? 20.0 - p_ms(request) : 50;
}

TEST_F(TuneProblem, AWinnerIsNeverSlowerThanADefault) {
  for (const char* strategy : {"exhaustive", "random", "guided", "genetic", "local-search"}) {
    for (const bool fresh : {false, true}) {
      SCOPED_TRACE(strategy);
      std::filesystem::remove(database_path());
      m_commands.clear();
      have_defaults({7, 11});
      // P = 11 is the faster default. Nothing else is tried.
      FakeDevice& device = add_device(largest_p_wins);
      m_settings.strategy = strategy;
      m_settings.fresh = fresh;
      m_settings.budget.configurations = 2;
      const ProblemOutcome outcome = tune();
      EXPECT_EQ(winner(outcome), 11);
      const auto searched = std::find_if(device.asked.begin(), device.asked.end(), is_of_search);
      ASSERT_NE(searched, device.asked.end());
      EXPECT_EQ(p_of(searched->config), 7);
      EXPECT_EQ(count(device, is_of_search), 2U);
    }
  }
}

TEST_F(TuneProblem, AllDefaultsAreMeasuredHoweverShortTheTime) {
  have_defaults({7, 11});
  FakeDevice& device = add_device();
  m_settings.strategy = "random";
  m_settings.budget.seconds = 0.001;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(count(device, is_of_search), 2U);
  EXPECT_EQ(winner(outcome), 7);
  EXPECT_TRUE(outcome.search_use.ended_by_time);
}

TEST_F(TuneProblem, ADefaultThatIsNoValidConfigurationIsABaselineAlone) {
  have_defaults({7}, "[constraints]\nfew = \"P < 7\"\n");
  FakeDevice& device = add_device();
  EXPECT_EQ(winner(tune()), 1);
  EXPECT_EQ(count(device, is_of_search), 6U);
  EXPECT_EQ(count(device, [](const Measure& request) { return request.label == "default 7"; }), 1U);
}

TEST_F(TuneProblem, AConstraintOnRegistersHoldsForARecordingAsWell) {
  std::string text = made_up_spec;
  text.replace(text.find("COUNT"), 5, "1, 2, 3");
  text.replace(text.find("[launch]\ngrid = [1]"), 19,
               "[constraints]\nfew = \"registers <= 40\"\n[launch]\ngrid = [\"resident_blocks\"]");
  m_spec = read_spec(m_folder.write("made_up.toml", text), {});
  FakeDevice& device = add_device();
  device.registers = {{1, 64}, {2, 40}};
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 2);
  for (const StoredMeasurement& each : stored(outcome, Phase::search)) {
    const Measurement& m = each.measurement;
    const bool excluded = p_of(m.config) == 1;
    EXPECT_EQ(m.status, excluded ? Status::pruned : Status::ok);
    EXPECT_EQ(m.timing.has_value(), !excluded);
    EXPECT_EQ(m.reason, excluded ? "excluded after compile by few: 'registers <= 40'" : "");
  }
}

TEST_F(TuneProblem, LimitsAreMeasuredOncePerDevice) {
  const FakeDevice& device = add_device();
  const ProblemOutcome outcome = tune();
  tune();
  EXPECT_EQ(device.limits_measured, 1);
  EXPECT_EQ(database().device_limits(outcome.keys.front().device).l1_gbps, 30000);
}

TEST_F(TuneProblem, LimitsOfAnOlderProgramAreMeasuredAgain) {
  FakeDevice& device = add_device();
  device.limits = {60, std::nullopt, 4000, std::nullopt, std::nullopt};
  const ProblemOutcome outcome = tune();
  device.limits = {61, 400, 4100, 5500, 30000};
  tune();
  EXPECT_EQ(device.limits_measured, 1);  // the answer was stored
  m_settings.fresh = true;
  tune();
  EXPECT_EQ(device.limits_measured, 2);
  const DeviceLimits stored = database().device_limits(outcome.keys.front().device);
  EXPECT_EQ(stored.fma_tflops, 61);
  EXPECT_EQ(stored.l2_gbps, 5500);
}

TEST_F(TuneProblem, ALimitThatTheDeviceCannotHaveIsNotMeasuredAgain) {
  FakeDevice& device = add_device();
  device.facts.cc_major = 7;
  device.limits.tensor_tflops.reset();
  tune();
  tune();
  EXPECT_EQ(device.limits_measured, 1);
}

TEST_F(TuneProblem, TheFastestWinsAndIsCheckedOnTheAwkwardSize) {
  FakeDevice& device = add_device();
  const ProblemOutcome outcome = tune();
  ASSERT_TRUE(outcome.found);
  EXPECT_FALSE(outcome.from_store());
  EXPECT_EQ(winner(outcome), 1);
  EXPECT_TRUE(ties(outcome).empty());
  EXPECT_TRUE(result(outcome).verified);
  EXPECT_EQ(outcome.configurations, 12U);
  EXPECT_EQ(outcome.search_use.tried, 12U);
  EXPECT_EQ(outcome.workers_lost, 0);
  EXPECT_EQ(count(device, test::is_awkward_check), 1U);
  ASSERT_EQ(stored(outcome, Phase::baseline).size(), 1U);
  EXPECT_EQ(stored(outcome, Phase::baseline)[0].measurement.label, "naive");
}

TEST_F(TuneProblem, TheFinalDecidesAndNotTheSearch) {
  // P=1 was lucky in the search; P=2 is faster in every round.
  add_device([](const Measure& request) {
    if (p_of(request.config) == 1) return test::is_of_final(request) ? 2.5 : 1.0;
    return p_ms(request);
  });
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 2);
  EXPECT_EQ(result(outcome).winner.measurement.timing.value().median_ms, 2.0);
}

TEST_F(TuneProblem, OnlyTheHandfulEntersAFinalOfLongKernels) {
  FakeDevice& device = add_device();
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(stored(outcome, Phase::final).size(), 3U);
  for (const std::int64_t p : {1, 2, 3}) EXPECT_EQ(rounds(device, p), 8U) << p;
  EXPECT_EQ(rounds(device, 4), 0U);
}

/// Short kernels that look alike in the search, so all may be the fastest and enter the final.
double alike_in_search(const Measure& request, double in_final) {
  if (!request.label.empty()) return 1;
  return test::is_of_final(request) ? in_final : 0.010;
}

TEST_F(TuneProblem, ClearlySlowerEntrantsAreEliminatedAfterFourRounds) {
  FakeDevice& device = add_device([](const Measure& request) {
    return alike_in_search(request, 0.010 + 0.001 * static_cast<double>(p_of(request.config)));
  });
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 1);
  for (const std::int64_t p : {1, 2, 3}) EXPECT_EQ(rounds(device, p), 8U) << p;
  for (std::int64_t p = 4; p <= 12; ++p) EXPECT_EQ(rounds(device, p), 4U) << p;
  // All are stored, in the order of their ranks.
  const std::vector<StoredMeasurement> finals = stored(outcome, Phase::final);
  ASSERT_EQ(finals.size(), 12U);
  for (std::size_t i = 0; i < finals.size(); ++i) {
    EXPECT_EQ(p_of(finals[i].measurement.config), static_cast<std::int64_t>(i + 1));
  }
}

TEST_F(TuneProblem, AnEliminatedEntrantTiesWithNobody) {
  // P=12 is slow for the first four rounds; later it would be the fastest, and the simplest.
  std::map<std::int64_t, int> rounds_of;
  FakeDevice& device = add_device([&](const Measure& request) {
    const std::int64_t p = p_of(request.config);
    if (!test::is_of_final(request)) return alike_in_search(request, 0);
    if (p == 12) return ++rounds_of[p] <= 4 ? 0.020 : 0.001;
    return p <= 4 ? 0.010 : 0.015;
  });
  device.registers[12] = 8;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(rounds(device, 12), 4U);
  EXPECT_NE(winner(outcome), 12);
  const std::vector<std::int64_t> tied = ties(outcome);
  EXPECT_EQ(tied.size(), 3U);
  EXPECT_EQ(std::count(tied.begin(), tied.end(), 12), 0);
}

TEST_F(TuneProblem, OfThoseThatTieTheSimplerWins) {
  FakeDevice& device = add_device([](const Measure& request) {
    const std::int64_t p = p_of(request.config);
    return p == 2 || p == 3 ? 1.0 : p_ms(request);
  });
  device.registers = {{1, 64}, {2, 64}, {3, 24}};
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 3);
  std::vector<std::int64_t> tied = ties(outcome);
  std::sort(tied.begin(), tied.end());
  EXPECT_EQ(tied, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(TuneProblem, WhatFailsInTheFinalCannotWin) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!test::is_of_final(request) || p_of(request.config) != 1) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::wrong_result;
    reply.reason = "x[3] is 1, not 2";
    return reply;
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 2);
  EXPECT_EQ(rounds(device, 1), 1U);
  const auto wrong = database().load_wrong(outcome.keys.front());
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(p_of(wrong[0]), 1);
}

TEST_F(TuneProblem, AWinnerThatIsWrongOnTheAwkwardSizeGivesWayToTheNext) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!test::is_awkward_check(request) || p_of(request.config) > 2) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::wrong_result;
    reply.reason = "x[32] is 1, not 2";
    return reply;
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 3);
  EXPECT_EQ(count(device, test::is_awkward_check), 3U);
  EXPECT_TRUE(m_notes.has("P=1 is wrong at n=33"));
  EXPECT_TRUE(m_notes.has("P=2 is wrong at n=33"));
  EXPECT_EQ(result(outcome).summary.by_status.at(Status::wrong_result), 2);
}

TEST_F(TuneProblem, WhereEveryFinalistIsWrongAnotherFinalIsHeld) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!test::is_awkward_check(request) || p_of(request.config) > 5) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::wrong_result;
    return reply;
  };
  EXPECT_EQ(winner(tune()), 6);
}

TEST_F(TuneProblem, WhereNothingIsRightNothingIsFound) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!request.label.empty()) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::launch_error;
    reply.reason = "made up";
    return reply;
  };
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(outcome.found);
  EXPECT_EQ(outcome.search_use.tried, 12U);
  EXPECT_FALSE(database().load_result(outcome.run));
}

TEST_F(TuneProblem, ABudgetOfConfigurationsIsKeptToTheConfiguration) {
  FakeDevice& device = add_device();
  m_settings.budget.configurations = 5;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(outcome.search_use.tried, 5U);
  EXPECT_FALSE(outcome.search_use.ended_by_time);
  EXPECT_EQ(stored(outcome, Phase::search).size(), 5U);
  EXPECT_EQ(outcome.search_use.measured, (std::vector<std::int64_t>{5}));
  EXPECT_GT(device.asked.size(), 5U);  // the final is not counted
}

TEST_F(TuneProblem, ABudgetOfTimeIsSpentByWhatTheWorkerReports) {
  FakeDevice& device = add_device();
  device.gpu_ms = 100;
  m_settings.budget.seconds = 0.35;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(outcome.search_use.tried, 4U);
  EXPECT_TRUE(outcome.search_use.ended_by_time);
  EXPECT_DOUBLE_EQ(outcome.search_use.spent_s, 0.4);
  EXPECT_TRUE(outcome.found);
}

TEST_F(TuneProblem, MeasurementsOfOthersAreNotRepeated) {
  FakeDevice& device = add_device();
  m_settings.budget.configurations = 5;
  m_settings.budget.seconds = std::nullopt;
  (void)tune();
  const std::filesystem::path team = m_folder.path() / "team.db";
  std::filesystem::rename(database_path(), team);
  m_also = {team};
  device.asked.clear();
  const ProblemOutcome equal = tune();
  EXPECT_TRUE(equal.from_store());
  EXPECT_TRUE(device.asked.empty());
  m_settings.budget.configurations = 12;
  const ProblemOutcome more = tune();
  EXPECT_FALSE(more.from_store());
  EXPECT_TRUE(more.found);
  EXPECT_EQ(stored(more, Phase::search).size(), 7U);
  EXPECT_EQ(winner(more), 1);
}

TEST_F(TuneProblem, AnEqualRunIsAnsweredFromTheDatabase) {
  FakeDevice& device = add_device();
  const ProblemOutcome first = tune();
  const std::size_t asked = device.asked.size();
  const ProblemOutcome second = tune();
  EXPECT_TRUE(second.from_store());
  EXPECT_EQ(second.run, first.run);
  expect_each_once(12);
  EXPECT_EQ(device.asked.size(), asked);
  m_settings.fresh = true;
  const ProblemOutcome third = tune();
  EXPECT_FALSE(third.from_store());
  EXPECT_EQ(device.asked.size(), 2 * asked);
  Database stored_in = database();
  const std::string sql = "SELECT COUNT(*) FROM measurement WHERE phase = 'search'";
  EXPECT_EQ(stored_in.connection().execAndGet(sql).getInt(), 24);
}

TEST_F(TuneProblem, EachTimingModeHasItsOwnMeasurementsAndWinner) {
  // In a graph on three streams, the slowest by itself is the fastest.
  FakeDevice& device = add_device([](const Measure& request) {
    const bool reversed = request.label.empty() && request.mode.order == LaunchOrder::graph;
    return reversed ? 13 - p_ms(request) : p_ms(request);
  });
  EXPECT_EQ(winner(tune()), 1);
  const std::size_t cold = device.asked.size();
  m_settings.mode = {LaunchOrder::graph, 3};
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(outcome.from_store());
  EXPECT_EQ(winner(outcome), 12);
  ASSERT_GT(device.asked.size(), cold);
  for (std::size_t i = 0; i < device.asked.size(); ++i) {
    EXPECT_EQ(device.asked[i].mode, i < cold ? TimingMode{} : m_settings.mode);
  }
  for (const OpenProblem& opened : device.opened) {
    const bool is_graph = &opened - device.opened.data() >= std::ssize(device.opened) / 2;
    EXPECT_EQ(opened.streams, is_graph && !opened.awkward ? 3 : 1);
  }
  // Either winner is still the answer to its own question.
  EXPECT_TRUE(tune().from_store());
  m_settings.mode = {};
  const ProblemOutcome again = tune();
  EXPECT_TRUE(again.from_store());
  EXPECT_EQ(winner(again), 1);
}

TEST_F(TuneProblem, SeveralWorkersShareTheSearchAndTheLeadAloneHoldsTheFinal) {
  FakeDevice& lead = add_device();
  FakeDevice& other = add_device();
  Meeting meeting(2);
  for (FakeDevice* device : {&lead, &other}) {
    device->instead = [&meeting, device](const Measure&) -> std::optional<MeasureReply> {
      meeting.attend(*device);
      return std::nullopt;
    };
  }
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 1);
  EXPECT_GT(count(lead, is_of_search), 0U);
  EXPECT_GT(count(other, is_of_search), 0U);
  EXPECT_EQ(count(other, is_of_search), other.asked.size());  // nothing else
  EXPECT_EQ(rounds(lead, 1), 8U);
  // Each measurement is stored under its device; the run has all of them.
  ASSERT_EQ(outcome.keys.size(), 2U);
  EXPECT_EQ(stored(outcome, Phase::search).size(), count(lead, is_of_search));
  EXPECT_EQ(load_shared(database(), outcome.keys, Phase::search).size(), 12U);
  EXPECT_EQ(outcome.search_use.measured,
            (std::vector<std::int64_t>{static_cast<std::int64_t>(count(lead, is_of_search)),
                                       static_cast<std::int64_t>(count(other, is_of_search))}));
}

TEST_F(TuneProblem, AWorkerThatIsLostCostsOneConfiguration) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!request.label.empty() || p_of(request.config) != 1) return std::nullopt;
    throw WorkerLost(Status::timeout, "the worker gave no answer");
  };
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(winner(outcome), 2);
  EXPECT_EQ(outcome.workers_lost, 1);
  EXPECT_EQ(device.starts, 2);
  EXPECT_EQ(result(outcome).summary.by_status.at(Status::timeout), 1);
  EXPECT_EQ(result(outcome).summary.by_status.at(Status::ok), 11);
  // The new worker received the problem before it measured.
  EXPECT_GE(device.opened.size(), 2U);
  EXPECT_EQ(device.opened[1].problem, device.opened[0].problem);
}

TEST_F(TuneProblem, AWorkerThatDoesNotComeBackDropsOutAndTheOthersGoOn) {
  FakeDevice& lead = add_device();
  FakeDevice& other = add_device();
  other.starts_left = 1;
  Meeting meeting(2);
  lead.instead = [&](const Measure&) -> std::optional<MeasureReply> {
    meeting.attend(lead);
    // The other's restart must be refused before the lead has measured everything.
    if (lead.asked.size() == 2) wait_until([&] { return other.starts_refused > 0; });
    return std::nullopt;
  };
  other.instead = [&](const Measure&) -> std::optional<MeasureReply> {
    meeting.attend(other);
    throw WorkerLost(Status::crashed, "the worker died");
  };
  const ProblemOutcome outcome = tune();
  EXPECT_TRUE(m_notes.has("fake 1 drops out, 1 worker continues"));
  EXPECT_EQ(load_shared(database(), outcome.keys, Phase::search).size(), 12U);
  ASSERT_EQ(other.asked.size(), 1U);
  // The configuration it loses depends on which worker is ready first.
  const std::int64_t best_left = p_of(other.asked[0].config) == 1 ? 2 : 1;
  EXPECT_EQ(winner(outcome), best_left);
  EXPECT_EQ(rounds(lead, best_left), 8U);
}

TEST_F(TuneProblem, WhereTheLeadIsLostInTheFinalItBeginsAgainOnTheNext) {
  FakeDevice& lead = add_device();
  FakeDevice& next = add_device();
  lead.starts_left = 1;
  lead.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (test::is_of_final(request)) throw WorkerLost(Status::crashed, "the worker died");
    return std::nullopt;
  };
  const ProblemOutcome outcome = tune();
  EXPECT_TRUE(m_notes.has("fake 0 drops out, 1 worker continues"));
  ASSERT_TRUE(outcome.found);
  EXPECT_EQ(rounds(lead, 1), 1U);
  EXPECT_EQ(rounds(next, 2), 8U);
  // The run is stored under that device, with baselines and final of its own.
  Database stored_in = database();
  EXPECT_EQ(outcome.keys.size(), 2U);
  EXPECT_EQ(stored(outcome, Phase::baseline).size(), 1U);
  EXPECT_GE(stored(outcome, Phase::final).size(), 2U);
  const KernelIdentity identity = identity_of(m_spec);
  const std::vector<BestRow> best = stored_in.query_best(identity);
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0].device.uuid, "GPU-fake 1");
}

TEST_F(TuneProblem, TheLossOfTheLastWorkerIsTheRunsFailure) {
  FakeDevice& device = add_device();
  device.starts_left = 1;
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (p_of(request.config) == 3) throw WorkerLost(Status::crashed, "the worker died");
    return std::nullopt;
  };
  try {
    static_cast<void>(tune());
    FAIL() << "it went on";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_NE(std::string(error.what()).find("no worker stays up"), std::string::npos)
        << error.what();
  }
}

TEST_F(TuneProblem, WhatWasMeasuredBeforeAnInterruptIsStoredAndTakenUpAgain) {
  FakeDevice& device = add_device();
  int measured = 0;
  m_notes.listener = [&](const Measurement&) { m_interrupted = ++measured == 4; };
  EXPECT_THROW(static_cast<void>(tune()), Interrupted);
  EXPECT_EQ(measured, 4);
  EXPECT_EQ(device.asked.size(), 4U);
  m_notes.listener = nullptr;
  m_interrupted = false;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(result(outcome).summary.reused, 4);
  EXPECT_EQ(outcome.search_use.tried, 12U);
  EXPECT_EQ(winner(outcome), 1);
}

TEST_F(TuneProblem, AnInterruptInTheFinalLeavesARunThatDidNotEnd) {
  FakeDevice& device = add_device();
  device.instead = [this](const Measure& request) -> std::optional<MeasureReply> {
    if (test::is_of_final(request)) m_interrupted = true;
    return std::nullopt;
  };
  EXPECT_THROW(static_cast<void>(tune()), Interrupted);
  device.instead = nullptr;
  m_interrupted = false;
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(outcome.from_store());
  EXPECT_EQ(result(outcome).summary.reused, 12);
}

TEST_F(TuneProblem, WhileATieIsNotSettledRoundsAreAdded) {
  // Noise up to 2 %: 40 samples leave an uncertainty of 0.5 %, and the floor of a tie is 0.2 %.
  std::uint32_t noise = 1;
  const auto noisy = [&noise] {
    noise = noise * 1664525U + 1013904223U;
    return 0.98 + 0.04 * static_cast<double>(noise >> 8) / (1U << 24);
  };
  FakeDevice& device = add_device([&](const Measure& request) {
    const double slower = p_of(request.config) > 10 ? 1.05 : 1;
    return alike_in_search(request, 0.010 * slower * noisy());
  });
  device.each_sample = true;
  const ProblemOutcome outcome = tune();
  const std::vector<StoredMeasurement> finals = stored(outcome, Phase::final);
  ASSERT_EQ(finals.size(), 12U);
  EXPECT_GT(finals.front().measurement.timing.value().samples_ms.size(), 40U);
  for (const std::size_t last : {10, 11}) {
    EXPECT_GT(p_of(finals[last].measurement.config), 10);
    EXPECT_EQ(finals[last].measurement.timing.value().samples_ms.size(), 20U);
  }
}

TEST_F(TuneProblem, WhereARecordingEndsTheOthersOfTheFinalGoOn) {
  // Two of the twelve have samples for only three rounds; one of them is in the handful.
  std::map<std::int64_t, int> rounds_of;
  FakeDevice& device =
      add_device([](const Measure& request) { return alike_in_search(request, 0.010); });
  device.instead = [&](const Measure& request) -> std::optional<MeasureReply> {
    const std::int64_t p = p_of(request.config);
    if (!test::is_of_final(request) || (p != 1 && p != 8) || ++rounds_of[p] <= 3) return {};
    MeasureReply reply;
    reply.status = Status::pruned;
    reply.reason = "the recording has no more samples of it";
    reply.performed = false;
    return reply;
  };
  const ProblemOutcome outcome = tune();
  std::map<std::int64_t, std::size_t> samples;
  for (const StoredMeasurement& each : stored(outcome, Phase::final)) {
    samples[p_of(each.measurement.config)] = each.measurement.timing.value().samples_ms.size();
  }
  EXPECT_EQ(samples.size(), 12U);
  EXPECT_EQ(samples[1], 15U);
  EXPECT_EQ(samples[8], 15U);
  EXPECT_EQ(samples[2], 40U);
  EXPECT_EQ(result(outcome).summary.by_status.at(Status::ok), 12);
}

TEST_F(TuneProblem, WhatWasOnceSeenWrongDoesNotWinALaterRun) {
  FakeDevice& device = add_device();
  device.instead = [](const Measure& request) -> std::optional<MeasureReply> {
    if (!request.label.empty() || p_of(request.config) != 1) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::wrong_result;
    return reply;
  };
  EXPECT_EQ(winner(tune()), 2);
  device.instead = nullptr;
  m_settings.fresh = true;
  EXPECT_EQ(winner(tune()), 2);
  m_settings.fresh = false;
  EXPECT_TRUE(tune().from_store());
}

TEST_F(TuneProblem, SeveralWorkersKeepABudgetOfConfigurationsTogether) {
  add_device();
  add_device();
  m_settings.budget.configurations = 7;
  const ProblemOutcome outcome = tune();
  EXPECT_EQ(outcome.search_use.tried, 7U);
  expect_each_once(7);
}

TEST_F(TuneProblem, SeveralWorkersTakeOverWhatOneOfThemMeasured) {
  add_device();
  add_device();
  const std::vector<WorkerCommand> both = m_commands;
  m_commands = {both[1]};
  m_settings.budget.configurations = 5;
  static_cast<void>(tune());
  m_commands = both;
  m_settings.budget = {};
  const ProblemOutcome outcome = tune();
  EXPECT_FALSE(outcome.from_store());
  EXPECT_EQ(result(outcome).summary.reused, 5);
  expect_each_once(12);
  EXPECT_TRUE(tune().from_store());
}

TEST_F(TuneProblem, LostWorkersCostTheirConfigurationsAlone) {
  // Each process dies at its fourth measurement.
  for (int i = 0; i < 2; ++i) {
    FakeDevice& device = add_device();
    device.instead = [&device](const Measure& request) -> std::optional<MeasureReply> {
      if (!is_of_search(request) || device.measured_since_start < 4) return std::nullopt;
      throw WorkerLost(Status::crashed, "the worker died");
    };
  }
  const ProblemOutcome outcome = tune();
  EXPECT_TRUE(outcome.found);
  EXPECT_EQ(outcome.search_use.tried, 12U);
  EXPECT_GE(outcome.workers_lost, 2);
  EXPECT_LE(outcome.workers_lost, 3);
  EXPECT_EQ(result(outcome).summary.by_status.at(Status::crashed), outcome.workers_lost);
  expect_each_once(12);
}

TEST_F(TuneProblem, WhereEveryMeasurementKillsItsWorkerTheRunEnds) {
  have_configurations(60);
  for (int i = 0; i < 2; ++i) {
    add_device().instead = [](const Measure&) -> std::optional<MeasureReply> {
      throw WorkerLost(Status::crashed, "the worker died");
    };
  }
  try {
    static_cast<void>(tune());
    FAIL() << "it went on";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_NE(std::string(error.what()).find("25 workers lost in a row"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(m_notes.has("drops out, 1 worker continues"));
  for (const auto& device : m_devices) EXPECT_EQ(device->asked.size(), 25U);
}

TEST_F(TuneProblem, DevicesOfTwoModelsShareNoRun) {
  add_device();
  add_device().facts.sm_count = 7;
  try {
    static_cast<void>(tune());
    FAIL() << "it went on";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_NE(std::string(error.what()).find("cannot share a run"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(database_path()));
}

}  // namespace
}  // namespace gtune
