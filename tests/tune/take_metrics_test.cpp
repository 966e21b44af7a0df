#include "tune/take_metrics.hpp"

#include "profile/familiar_metrics.hpp"
#include "tune/tune_fixture.hpp"

namespace gtune::test {
namespace {

/// Two problems whose winner and baseline are profiled, and a log of what is asked of the device.
class MetricsOfTwo : public TuneProblem {
 protected:
  MetricsOfTwo() {
    have_configurations(2);
    m_settings.finalists = 1;
    m_settings.finalist_margin = 1;
    m_settings.profile.scope = ProfileScope::top;
    m_device = &add_device([this](const Measure& request) {
      log("time");
      return p_ms(request);
    });
    m_device->counters = [this](const Profile& request) {
      const bool patched = is_patched_in(request.metrics.front());
      log(patched ? "patch" : "count");
      ProfileReply reply;
      for (const std::string& name : request.metrics) reply.metrics.push_back({name, 1, "", ""});
      return reply;
    };
    m_device->energies = [this](const Measure&) {
      log("energy");
      MeasureEnergyReply reply;
      reply.energy = EnergyUse{};
      return reply;
    };
    m_device->lines = [this](const Measure&) {
      log("lines");
      SampleLinesReply reply;
      reply.profile.emplace();
      return reply;
    };
  }

  /// Logs what differs from the last request.
  void log(const std::string& kind) {
    if (m_kinds.empty() || m_kinds.back() != kind) m_kinds.push_back(kind);
  }
  /// The sizes in the order in which problems were opened to be measured.
  [[nodiscard]] std::vector<std::int64_t> opened() const {
    std::vector<std::int64_t> sizes;
    for (const OpenProblem& each : m_device->opened) {
      if (!each.awkward) sizes.push_back(each.problem.find("n").value());
    }
    return sizes;
  }

  FakeDevice* m_device = nullptr;
  std::vector<std::string> m_kinds;
};

TEST_F(MetricsOfTwo, FollowAllTimesAndThoseThatPatchFollowThoseThatDoNot) {
  m_settings.profile.energy = true;
  m_settings.profile.lines = true;
  tune_all({1024, 2048});
  EXPECT_EQ(m_kinds, (std::vector<std::string>{"time", "energy", "count", "patch", "lines"}));
}

TEST_F(MetricsOfTwo, AreOfEachProblem) {
  const ProblemRuns runs = tune_all({1024, 2048});
  EXPECT_TRUE(m_all_metrics);
  for (const auto& [number, run] : runs) {
    const auto metrics = database().load_metrics(result(run.outcome).winner.id);
    EXPECT_EQ(metrics.size(), default_metrics().size());
  }
  EXPECT_EQ(opened(), (std::vector<std::int64_t>{1024, 2048, 1024, 2048, 1024, 2048}));
}

TEST_F(MetricsOfTwo, OpenTheirOnlyProblemOnce) {
  tune_all({1024});
  EXPECT_EQ(opened(), (std::vector<std::int64_t>{1024, 1024}))
      << "for the search, and after awkward sizes";
}

TEST_F(MetricsOfTwo, WhatIsUnavailableIsAskedForOnce) {
  int asked = 0;
  m_device->counters = [&](const Profile&) {
    ++asked;
    ProfileReply reply;
    reply.unavailable = true;
    reply.reason = "for administrators only";
    return reply;
  };
  const ProblemRuns runs = tune_all({1024, 2048});
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(std::count(m_notes.lines.begin(), m_notes.lines.end(),
                       "no hardware metrics: for administrators only"),
            1);
  for (const auto& [number, run] : runs) {
    const auto metrics = database().load_metrics(result(run.outcome).winner.id);
    ASSERT_FALSE(metrics.empty());
    EXPECT_EQ(metrics.front().reason, "for administrators only");
  }
}

TEST_F(MetricsOfTwo, AfterPatchingHasCrashedNothingIsPatched) {
  int crashes = 0;
  const auto count = m_device->counters;
  m_device->counters = [&, count](const Profile& request) {
    if (!is_patched_in(request.metrics.front())) return count(request);
    ++crashes;
    throw WorkerLost(Status::crashed, "patched to death");
  };
  const ProblemRuns runs = tune_all({1024, 2048});
  EXPECT_EQ(crashes, 1);
  EXPECT_EQ(runs.at(0).outcome.workers_lost, 1);
  EXPECT_EQ(runs.at(1).outcome.workers_lost, 0);
}

TEST_F(MetricsOfTwo, AProblemThatCannotBeOpenedIsNotTakenForOpen) {
  // The second problem's opening fails once, for its counted metrics.
  int opened_second = 0;
  m_device->opening = [&](const OpenProblem& request) {
    const bool is_second = !request.awkward && request.problem.find("n").value() == 2048;
    if (is_second && ++opened_second == 2) throw UserError(ExitCode::failed, "no memory");
  };
  m_settings.profile.lines = true;
  const ProblemRuns runs = tune_all({1024, 2048});
  EXPECT_TRUE(m_notes.has("no metrics of n=2048: no memory"));
  EXPECT_EQ(opened(), (std::vector<std::int64_t>{1024, 2048, 1024, 2048, 1024}))
      << "the first again for patching";
  const auto metrics = database().load_metrics(result(runs.at(1).outcome).winner.id);
  EXPECT_EQ(metrics.front().reason, "no memory");
}

TEST_F(MetricsOfTwo, AnInterruptionKeepsWhatWasTaken) {
  const auto count = m_device->counters;
  m_device->counters = [&, count](const Profile& request) {
    m_interrupted = true;
    return count(request);
  };
  const ProblemRuns runs = tune_all({1024, 2048});
  EXPECT_FALSE(m_all_metrics);
  EXPECT_FALSE(database().load_metrics(result(runs.at(0).outcome).winner.id).empty());
  EXPECT_TRUE(database().load_metrics(result(runs.at(1).outcome).winner.id).empty());
}

}  // namespace
}  // namespace gtune::test
