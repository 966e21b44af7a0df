#include "report/few_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/problem_text.hpp"

namespace gtune {
namespace {

template <typename TextOf>
std::string few(const std::vector<Problem>& problems, TextOf text_of) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) {
    text += (i == 0 ? "" : "; ") + text_of(problems[i]);
  }
  return problems.size() <= most ? text
                                 : fmt::format("{} and {} more", text, problems.size() - most);
}

}  // namespace

std::string few_sizes(const KernelSpec& spec, const std::vector<Problem>& problems) {
  return few(problems, [&](const Problem& problem) { return problem_text(spec, problem); });
}

std::string few_sizes(const std::vector<Problem>& problems) {
  return few(problems, [](const Problem& problem) { return problem.text(); });
}

}  // namespace gtune
