#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/problem_state.hpp"

namespace gtune {

/// The check of a configuration on the spec's awkward sizes: primes, one, a tile plus one.
struct AwkwardResult {
  bool performed = false;              // false: a recording does not contain it
  std::optional<std::string> failure;  // one line with the size on which it failed
};

/// Checks a configuration on every awkward size for which it is valid. Afterwards the worker has
/// another problem open than the run's.
[[nodiscard]] AwkwardResult check_awkward(ProblemState& state, const Config& config);
/// The kernels that this check compiles; equal ones for several sizes.
[[nodiscard]] std::vector<KernelRequest> kernels_to_check(const ProblemState& state,
                                                          const Config& config);

}  // namespace gtune
