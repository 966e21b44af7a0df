#pragma once

#include "tune/compile_stage.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// How to measure a compiled candidate on the GPU.
struct MeasurePlan {
  Phase phase = Phase::search;
  bool check = true;
  bool time = true;
  bool time_steps = false;  // time each of several steps separately
  SamplingOptions sampling;
  std::optional<double> best_ms;  // for early discarding; absent: no discarding
};

/// The request that measures a candidate on a worker. Absent if the candidate is pruned or did not
/// compile; `measurement` then has the reason.
[[nodiscard]] std::optional<Measure> request_for(const ProblemState& state,
                                                 const Candidate& candidate,
                                                 const MeasurePlan& plan, Measurement& measurement);

/// A request to the worker with the compiled kernels and the steps that launch them.
[[nodiscard]] Measure measure_request(const ProblemState& state, const MeasurePlan& plan,
                                      const Case& measured, const CompileResult* compiled,
                                      const std::vector<StepPlan>& steps);

/// Copies the compiler's results to the measurement. False if there is nothing to run: the compile
/// failed, or a launch is impossible.
[[nodiscard]] bool adopt_compile(Measurement& measurement, const CompileResult& compiled,
                                 const std::vector<StepPlan>& steps, const DeviceFacts& device);

/// Checks constraints on the compiler's facts, if the resources are known. If one is violated,
/// excludes the configuration and returns false.
[[nodiscard]] bool keep_after_compile(const ProblemState& state, Measurement& measurement);

/// Copies the worker's results to the measurement.
void adopt_reply(Measurement& measurement, MeasureReply reply);

}  // namespace gtune
