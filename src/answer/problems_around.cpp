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
constexpr std::size_t in_cell_count = 64;

using GivenSizes = std::map<std::string, std::vector<std::int64_t>>;

/// Scales a size by up to half an octave either way.
std::int64_t scaled(std::int64_t value, const ProblemSize& size, std::mt19937_64& random) {
  const double octaves = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
  if (value <= 0) return value;
  const std::int64_t even = std::gcd(value, std::int64_t{8});
  const auto other = std::llround(static_cast<double>(value) * std::exp2(octaves));
  return std::max(size.minimum, std::max<std::int64_t>(1, other / even) * even);
}

/// Adds the problem of these sizes, unless a size that follows from them is not allowed.
void add_if_allowed(std::vector<Problem>& problems, const KernelSpec& spec,
                    const GivenSizes& given) {
  try {
    problems.push_back(expand_problems(spec, given).front());
  } catch (const UserError&) {
    return;
  }
}

/// A number's digits behind the point, the last one first: the points of consecutive numbers are
/// spread evenly from 0 to 1 (Halton 1960).
double spread(std::size_t number, std::size_t base) {
  double point = 0;
  double scale = 1;
  for (; number > 0; number /= base) {
    scale /= static_cast<double>(base);
    point += scale * static_cast<double>(number % base);
  }
  return point;
}

}  // namespace

std::vector<Problem> problems_around(const KernelSpec& spec, const Problem& problem) {
  const NamedValues own = sizes_to_give(spec, problem);
  std::mt19937_64 random(1);
  std::vector<Problem> around;
  for (std::size_t i = 0; i < tries && around.size() < how_many; ++i) {
    GivenSizes given;
    for (const ProblemSize& size : spec.sizes) {
      const auto value = own.find(size.name);
      if (!value) continue;
      given[size.name] = {size.choices.empty() ? scaled(*value, size, random) : *value};
    }
    add_if_allowed(around, spec, given);
  }
  return around;
}

std::vector<Problem> problems_of_any_size(const KernelSpec& spec, const Problem& of_kind) {
  std::mt19937_64 random(1);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < any_size_tries && problems.size() < any_size_count; ++i) {
    GivenSizes given;
    for (const ProblemSize& size : spec.sizes) {
      if (!size.choices.empty()) {
        given[size.name] = {of_kind.find(size.name).value_or(size.choices.front())};
      } else if (given.empty() || random() % 2 == 0) {
        const std::uint64_t octave = std::uint64_t{1} << random() % 16;
        given[size.name] = {
            std::max(size.minimum, static_cast<std::int64_t>(octave + random() % octave))};
      }
    }
    add_if_allowed(problems, spec, given);
  }
  return problems;
}

std::vector<Problem> problems_in_cell(const KernelSpec& spec, const Problem& of_kind,
                                      const SizeGrid& grid, std::size_t node) {
  std::vector<Problem> problems;
  for (std::size_t i = 1; i <= in_cell_count; ++i) {
    const auto sizes = grid.sizes_in_cell(node, {spread(i, 2), spread(i, 3), spread(i, 5)});
    if (!sizes) return {};
    GivenSizes given;
    for (const ProblemSize& size : spec.sizes) {
      if (size.choices.empty()) continue;
      given[size.name] = {of_kind.find(size.name).value_or(size.choices.front())};
    }
    for (const auto& [name, value] : sizes->entries()) given[name] = {value};
    add_if_allowed(problems, spec, given);
  }
  return problems;
}

}  // namespace gtune
