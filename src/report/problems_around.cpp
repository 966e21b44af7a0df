#include "report/problems_around.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "spec/problem_sizes.hpp"

namespace gtune {
namespace {

constexpr std::size_t how_many = 4;

using Given = std::map<std::string, std::vector<std::int64_t>>;

/// The sizes that make up a problem, the others following from them.
Given given_of(const KernelSpec& spec, const Problem& problem) {
  Given given;
  bool is_first = true;
  for (const ProblemSize& size : spec.sizes) {
    const std::int64_t value = problem.find(size.name).value_or(1);
    const bool follows = !is_first && expand_problems(spec, given).front().find(size.name) == value;
    if (!follows) given[size.name] = {value};
    if (size.choices.empty()) is_first = false;
  }
  return given;
}

}  // namespace

std::vector<Problem> problems_around(const KernelSpec& spec, const Problem& problem) {
  const Given own = given_of(spec, problem);
  std::mt19937_64 random(1);
  std::vector<Problem> around;
  while (around.size() < how_many) {
    Given given = own;
    for (const ProblemSize& size : spec.sizes) {
      const auto found = given.find(size.name);
      if (found == given.end() || !size.choices.empty()) continue;
      const std::int64_t value = found->second.front();
      const std::int64_t even = std::gcd(value, std::int64_t{8});
      const double octaves = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
      const auto scaled = std::llround(static_cast<double>(value) * std::exp2(octaves));
      found->second = {std::max(size.minimum, std::max<std::int64_t>(1, scaled / even) * even)};
    }
    around.push_back(expand_problems(spec, given).front());
  }
  return around;
}

}  // namespace gtune
