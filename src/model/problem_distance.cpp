#include "model/problem_distance.hpp"

#include <cmath>

namespace gtune {
namespace {

#define GTUNE_FN
#include "model/octaves.inc"
#undef GTUNE_FN

}  // namespace

double distance(const Problem& a, const Problem& b) {
  long long squares = 0;
  const auto add = [&](const std::string& name) {
    squares += squared_octaves(a.find(name).value_or(1), b.find(name).value_or(1));
  };
  for (const auto& [name, value] : a.entries()) add(name);
  for (const auto& [name, value] : b.entries()) {
    if (!a.find(name)) add(name);
  }
  return std::ldexp(std::sqrt(static_cast<double>(squares)), -20);
}

}  // namespace gtune
