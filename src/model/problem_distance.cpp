#include "model/problem_distance.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

double log_of(const Problem& problem, const std::string& name) {
  const auto value = problem.find(name).value_or(1);
  return std::log2(static_cast<double>(std::max<std::int64_t>(value, 1)));
}

}  // namespace

double distance(const Problem& a, const Problem& b) {
  double squares = 0;
  const auto add = [&](const std::string& name) {
    const double octaves = log_of(a, name) - log_of(b, name);
    squares += octaves * octaves;
  };
  for (const auto& [name, value] : a.entries()) add(name);
  for (const auto& [name, value] : b.entries()) {
    if (!a.find(name)) add(name);
  }
  return std::sqrt(squares);
}

}  // namespace gtune
