#include "report/problem_text.hpp"

#include "spec/problem_sizes.hpp"

namespace gtune {

std::string problem_text(const KernelSpec& spec, const Problem& problem) {
  const std::string text = sizes_to_give(spec, problem).text();
  return text.empty() ? problem.text() : text;
}

}  // namespace gtune
