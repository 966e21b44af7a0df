#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A size of an entry of `also` in [check] that is out of range or has no value.
struct ImpossibleSize {
  std::string name;
  std::string why;  // "'BLOCK + 1' is 33; expected 1024 to 4096"
};

/// The problem of an entry of `also` for the case's configuration, with the measured problem's
/// choices.
[[nodiscard]] std::variant<Problem, ImpossibleSize> awkward_problem(const KernelSpec& spec,
                                                                    const AwkwardProblem& awkward,
                                                                    const Case& measured);

/// All problems of `also` that are possible for the case's configuration.
[[nodiscard]] std::vector<Problem> awkward_problems(const KernelSpec& spec, const Case& measured);

}  // namespace gtune
