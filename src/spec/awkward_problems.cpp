#include "spec/awkward_problems.hpp"

#include <algorithm>
#include <utility>

#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

std::variant<Problem, ImpossibleSize> awkward_problem(const KernelSpec& spec,
                                                      const AwkwardProblem& awkward,
                                                      const Case& measured) {
  Problem problem;
  for (const ProblemSize& size : spec.sizes) {
    const auto own = std::find_if(awkward.begin(), awkward.end(),
                                  [&](const auto& item) { return item.name == size.name; });
    if (own == awkward.end() && !size.choices.empty()) {
      problem.set(size.name, measured.problem.find(size.name).value_or(size.choices.front()));
      continue;
    }
    const Expression& value = own == awkward.end() ? size.default_value : own->expression;
    const Checked result =
        value.try_evaluate(slot_values(spec, {problem, measured.config, measured.device}));
    const std::string quoted = "'" + value.text() + "'";
    if (result.failure != Failure::none) {
      return ImpossibleSize{size.name, quoted + ": " + std::string(to_string(result.failure))};
    }
    if (!is_allowed(size, result.value)) {
      return ImpossibleSize{size.name, quoted + " is " + std::to_string(result.value) +
                                           "; expected " + allowed_text(size)};
    }
    problem.set(size.name, result.value);
  }
  return problem;
}

std::vector<Problem> awkward_problems(const KernelSpec& spec, const Case& measured) {
  std::vector<Problem> problems;
  for (const AwkwardProblem& awkward : spec.check.also) {
    auto outcome = awkward_problem(spec, awkward, measured);
    if (auto* problem = std::get_if<Problem>(&outcome)) problems.push_back(std::move(*problem));
  }
  return problems;
}

}  // namespace gtune
