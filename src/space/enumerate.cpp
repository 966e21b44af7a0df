#include "space/enumerate.hpp"

#include <algorithm>
#include <utility>

#include "model/error.hpp"
#include "space/enumeration_walk.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

constexpr std::uint64_t few_tries = 20'000;  // take less time than a second plan
constexpr double least_gain = 2;             // estimates are noisy

std::vector<Dimension> narrowed_dimensions(const KernelSpec& spec, const Narrowing& narrowing) {
  std::vector<Dimension> dimensions;
  for (const Parameter& param : spec.params) {
    Dimension dimension{param.name, param.values};
    if (const auto left = narrowing.find(param.name); left != narrowing.end()) {
      std::erase_if(dimension.values, [&](std::int64_t value) {
        return std::find(left->second.begin(), left->second.end(), value) == left->second.end();
      });
    }
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

std::uint64_t count_combinations(const KernelSpec& spec, const std::vector<Dimension>& dimensions) {
  std::uint64_t product = 1;
  for (const Dimension& dimension : dimensions) {
    if (__builtin_mul_overflow(product, dimension.values.size(), &product)) {
      throw UserError(ExitCode::usage, "kernel '" + spec.name +
                                           "' has more than 2^64 combinations of parameters; "
                                           "narrow them with --param");
    }
  }
  return product;
}

/// Bounds per slot: the range of the values for parameters, points for all others.
std::vector<Interval> slot_bounds(const KernelSpec& spec, const Problem& problem,
                                  const DeviceFacts& device,
                                  const std::vector<Dimension>& dimensions) {
  std::vector<Interval> bounds;
  for (const std::int64_t value : slot_values(spec, {problem, {}, device})) {
    bounds.push_back(Interval::point(value));
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto [low, high] = std::ranges::minmax(dimensions[d].values);
    bounds[spec.sizes.size() + d] = {low, high};
  }
  return bounds;
}

/// Walks the space in the order that takes less time.
WalkResult walk(const ConstraintGraph& graph, const std::vector<Dimension>& dimensions,
                const std::vector<Interval>& slots, std::size_t constraints, std::size_t first_slot,
                std::uint64_t combinations) {
  auto [by_conditions, listed] = possible_orders(graph, dimensions, first_slot);
  const bool is_one_order = by_conditions == listed;
  const auto levels = plan_enumeration(graph, dimensions, first_slot, std::move(by_conditions));
  EnumerationWalk walk(graph, levels, dimensions, slots, constraints);
  if (is_one_order || combinations < few_tries) return walk.run();
  const double tries = walk.estimated_tries();
  if (tries < static_cast<double>(few_tries)) return walk.run();
  const auto others = plan_enumeration(graph, dimensions, first_slot, std::move(listed));
  EnumerationWalk other(graph, others, dimensions, slots, constraints);
  return least_gain * other.estimated_tries() < tries ? other.run() : walk.run();
}

std::vector<std::uint16_t> coordinates_of(const std::vector<std::uint64_t>& ranks,
                                          const std::vector<Dimension>& dimensions) {
  std::vector<std::uint16_t> coordinates(ranks.size() * dimensions.size());
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    std::uint64_t rest = ranks[row];
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      const std::uint64_t count = dimensions[d].values.size();
      coordinates[row * dimensions.size() + d] = static_cast<std::uint16_t>(rest % count);
      rest /= count;
    }
  }
  return coordinates;
}

}  // namespace

Enumeration enumerate(const KernelSpec& spec, const Problem& problem, const DeviceFacts& device,
                      const Narrowing& narrowing) {
  check_narrowing(spec, narrowing);
  Enumeration out;
  std::vector<Dimension> dimensions = narrowed_dimensions(spec, narrowing);
  out.combinations = count_combinations(spec, dimensions);
  ConstraintGraph graph;
  for (const NamedExpression& constraint : spec.constraints) {
    graph.add(constraint.expression, out.excluded.size());
    out.excluded.push_back({constraint.name, 0});
  }
  for (const Expression& condition : spec.launch_conditions) {
    graph.add(condition, out.excluded.size());
  }
  out.excluded.push_back({launch_constraint, 0});
  const WalkResult found = walk(graph, dimensions, slot_bounds(spec, problem, device, dimensions),
                                out.excluded.size(), spec.sizes.size(), out.combinations);
  for (std::size_t c = 0; c < out.excluded.size(); ++c) {
    out.excluded[c].combinations = found.excluded[c];
  }
  std::vector<std::uint16_t> coordinates = coordinates_of(found.valid, dimensions);
  out.space = SearchSpace(std::move(dimensions), std::move(coordinates));
  return out;
}

}  // namespace gtune
