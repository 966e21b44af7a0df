#include "spec/problem_text.hpp"

#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

std::string problem_text(const KernelSpec& spec, const Problem& problem) {
  return sizes_to_give(spec, problem).text();
}

std::string config_text(const KernelSpec& spec, const Config& config) {
  return existing_values(spec, config).text();
}

std::string case_text(const KernelSpec& spec, const Problem& problem, const Config& config) {
  return problem_text(spec, problem) + (config.empty() ? "" : ", " + config_text(spec, config));
}

}  // namespace gtune
