#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/plan.hpp"

namespace gtune {

/// What a step of a run does.
enum class StepWork { kernel, to_device, to_host, to_peer, from_peer, within_memory };

[[nodiscard]] bool is_transfer(StepWork work);

/// A step of a run, with all its repeats.
struct RunStep {
  std::string name;
  StepWork work = StepWork::kernel;
  int repeats = 0;
  double bytes = 0;       // that it copies
  bool pageable = false;  // copies from or to pageable host memory
};

/// The timed steps, one for each name, in the plan's order.
[[nodiscard]] std::vector<RunStep> run_steps(const std::vector<StepPlan>& steps,
                                             const std::vector<ArgumentPlan>& arguments);

}  // namespace gtune
