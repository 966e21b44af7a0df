#pragma once

#include "tune/compile_stage.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// What to do with a compiled candidate on the GPU.
struct MeasurePlan {
  Phase phase = Phase::search;
  bool check = true;
  bool time = true;
  bool time_steps = false;  // each of several by itself
  SamplingOptions sampling;
  std::optional<double> best_ms;  // discard early against this
};

/// What the candidate's measurement has to ask of a worker. Absent where it ends here, pruned or
/// not compiled, with `measurement` telling why.
[[nodiscard]] std::optional<Measure> request_for(const ProblemState& state,
                                                 const Candidate& candidate,
                                                 const MeasurePlan& plan, Measurement& measurement);

/// The compiled kernels and the steps that launch them, as a request to the worker.
[[nodiscard]] Measure measure_request(const ProblemState& state, const MeasurePlan& plan,
                                      const Case& measured, const CompileResult* compiled,
                                      const std::vector<StepPlan>& steps);

/// Copies what the compiler found out into the measurement. False where there is nothing to run:
/// it did not compile, or could not be launched.
[[nodiscard]] bool adopt_compile(Measurement& measurement, const CompileResult& compiled,
                                 const std::vector<StepPlan>& steps, const DeviceFacts& device);

/// Excludes the configuration where its resources, if they are known, violate a constraint on what
/// the compiler reports. False where they do.
[[nodiscard]] bool keep_after_compile(const ProblemState& state, Measurement& measurement);

/// Copies what the worker found out into the measurement.
void adopt_reply(Measurement& measurement, MeasureReply reply);

}  // namespace gtune
