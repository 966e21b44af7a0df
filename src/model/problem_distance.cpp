#include "model/problem_distance.hpp"

#include <algorithm>
#include <cmath>

namespace gtune {
namespace {

#define GTUNE_FN constexpr
#define GTUNE_CAST(type, value) static_cast<type>(value)
#include "model/octaves.inc"
#undef GTUNE_CAST
#undef GTUNE_FN

}  // namespace

double distance(const Problem& a, const Problem& b) {
  long long squares = 0;
  // Fast path: problems of one kernel have the same names in the same order.
  const auto same_name = [](const auto& x, const auto& y) { return x.first == y.first; };
  if (std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                 same_name)) {
    for (std::size_t i = 0; i < a.entries().size(); ++i) {
      const std::int64_t mine = a.entries()[i].second, other = b.entries()[i].second;
      if (mine != other) squares += gtune_squared_octaves(mine, other);
    }
    return std::ldexp(std::sqrt(static_cast<double>(squares)), -20);
  }
  const auto add = [&](const std::string& name) {
    squares += gtune_squared_octaves(a.find(name).value_or(1), b.find(name).value_or(1));
  };
  for (const auto& [name, value] : a.entries()) add(name);
  for (const auto& [name, value] : b.entries()) {
    if (!a.find(name)) add(name);
  }
  return std::ldexp(std::sqrt(static_cast<double>(squares)), -20);
}

}  // namespace gtune
