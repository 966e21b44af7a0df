#include "answer/problems_around.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "model/error.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {
namespace {

constexpr std::size_t how_many = 4;
constexpr std::size_t tries = 32;
constexpr std::size_t any_size_count = 96;
constexpr std::size_t any_size_tries = 8 * any_size_count;

/// Scales a size by up to half an octave either way.
std::int64_t scaled(std::int64_t value, const ProblemSize& size, std::mt19937_64& random) {
  const double octaves = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
  if (value <= 0) return value;
  const std::int64_t even = std::gcd(value, std::int64_t{8});
  const auto other = std::llround(static_cast<double>(value) * std::exp2(octaves));
  return std::max(size.minimum, std::max<std::int64_t>(1, other / even) * even);
}

}  // namespace

std::vector<Problem> problems_around(const KernelSpec& spec, const Problem& problem) {
  const NamedValues own = sizes_to_give(spec, problem);
  std::mt19937_64 random(1);
  std::vector<Problem> around;
  for (std::size_t i = 0; i < tries && around.size() < how_many; ++i) {
    std::map<std::string, std::vector<std::int64_t>> given;
    for (const ProblemSize& size : spec.sizes) {
      const auto value = own.find(size.name);
      if (!value) continue;
      given[size.name] = {size.choices.empty() ? scaled(*value, size, random) : *value};
    }
    try {
      around.push_back(expand_problems(spec, given).front());
    } catch (const UserError&) {
      continue;  // a derived size is not allowed
    }
  }
  return around;
}

std::vector<Problem> problems_of_any_size(const KernelSpec& spec, const Problem& of_kind) {
  std::mt19937_64 random(1);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < any_size_tries && problems.size() < any_size_count; ++i) {
    std::map<std::string, std::vector<std::int64_t>> given;
    for (const ProblemSize& size : spec.sizes) {
      if (!size.choices.empty()) {
        given[size.name] = {of_kind.find(size.name).value_or(size.choices.front())};
      } else if (given.empty() || random() % 2 == 0) {
        const std::uint64_t octave = std::uint64_t{1} << random() % 16;
        given[size.name] = {
            std::max(size.minimum, static_cast<std::int64_t>(octave + random() % octave))};
      }
    }
    try {
      problems.push_back(expand_problems(spec, given).front());
    } catch (const UserError&) {
      continue;  // a derived size is not allowed
    }
  }
  return problems;
}

}  // namespace gtune
