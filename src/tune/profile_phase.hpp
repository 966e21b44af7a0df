#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/compile_stage.hpp"
#include "tune/metric_takers.hpp"
#include "tune/problem_state.hpp"
#include "tune/relaunch.hpp"

namespace gtune {

/// Takes and stores hardware metrics of a finished run's measurements according to the settings. A
/// failure only costs metrics, which are then stored with the reason. Existing metrics are not
/// taken again.
class ProfilePhase {
 public:
  ProfilePhase(ProblemState& state, MetricTakers& takers);

  /// Metrics that the hardware counts. Throws Interrupted.
  void take_counted();
  /// Metrics that CUPTI counts by patching kernels. It takes a third of a second to switch to that
  /// and back. Throws Interrupted.
  void take_patched();

 private:
  /// Metrics of one kernel to take together, or to skip for a reason.
  struct Job {
    StoredMeasurement stored;
    std::vector<std::string> metrics;
    std::string skipped;
  };

  [[nodiscard]] bool is_off() const;
  [[nodiscard]] std::vector<StoredMeasurement> of_the_search() const;
  void add(const StoredMeasurement& stored, const std::vector<std::string>& names,
           const std::string& skipped = "");
  void add_patched(const StoredMeasurement& stored);
  [[nodiscard]] std::string why_not_patched(const StoredMeasurement& stored) const;
  [[nodiscard]] bool is_settled(const std::vector<Metric>& known, const std::string& name) const;
  void take_jobs();
  void profile(const Job& job);
  ProfileReply ask(const Job& job);
  const std::optional<CompileResult>& compile(const StoredMeasurement& stored);
  std::optional<CompileResult> compiled_ahead(MeasurementId id);

  ProblemState& m_state;
  const Environment& m_env;
  MetricTakers& m_takers;
  Relaunch m_relaunch;
  std::vector<Job> m_jobs;
  std::size_t m_submitted = 0;  // the first job that is not yet compiled ahead
  std::size_t m_ahead_end = 0;  // one past the last job that is compiled ahead
  std::optional<CompileStage> m_ahead;
  std::optional<MeasurementId> m_compiled_of;  // the measurement that m_compiled belongs to
  std::optional<CompileResult> m_compiled;
};

}  // namespace gtune
