#include "space/enumeration_walk.hpp"

#include <algorithm>

#include "model/error.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_configurations = 20'000'000;
/// Walking a smaller subtree is faster than looking it up.
constexpr std::uint64_t least_cached = 50;
constexpr int descents = 50;

}  // namespace

EnumerationWalk::EnumerationWalk(const ConstraintGraph& graph, const std::vector<Level>& levels,
                                 const std::vector<Dimension>& dimensions,
                                 const std::vector<Interval>& slots, std::size_t constraints)
    : m_graph(graph),
      m_levels(levels),
      m_dimensions(dimensions),
      m_caches(levels.size()),
      m_strides(dimensions.size(), 1) {
  for (const Node& node : graph.nodes()) {
    if (node.operation == Operation::constant) {
      m_cells.push_back(Interval::point(node.value));
    } else if (node.operation == Operation::slot) {
      m_cells.push_back(slots[static_cast<std::size_t>(node.value)]);
    } else {
      m_cells.push_back(bounds_of(node));
    }
  }
  for (const Level& level : levels) m_saved.emplace_back(level.touched.size());
  for (std::size_t d = dimensions.size(); d-- > 1;) {
    m_strides[d - 1] = m_strides[d] * dimensions[d].values.size();
  }
  m_out.excluded.assign(constraints, 0);
}

WalkResult EnumerationWalk::run() {
  for (const Condition& condition : m_graph.conditions()) {
    if (!m_cells[condition.root].excluded()) continue;
    const Level& top = m_levels.front();
    m_out.excluded[condition.constraint] = top.below * m_dimensions[top.dimension].values.size();
    return std::move(m_out);
  }
  walk_level(0, 0);
  std::sort(m_out.valid.begin(), m_out.valid.end());
  return std::move(m_out);
}

Interval EnumerationWalk::bounds_of(const Node& node) const {
  return apply(node.operation, m_cells[node.operands[0]], m_cells[node.operands[1]],
               m_cells[node.operands[2]]);
}

Interval EnumerationWalk::value_of(const Node& node) const {
  const auto operand = [&](std::size_t i) {
    const Interval& cell = m_cells[node.operands[i]];
    return Checked{cell.low, cell.fails == Fails::never ? Failure::none : Failure::domain};
  };
  const Checked value = apply(node.operation, operand(0), operand(1), operand(2));
  return {value.value, value.value, value.failure == Failure::none ? Fails::never : Fails::always};
}

/// Computes the check's nodes; false if the condition can no longer hold.
bool EnumerationWalk::passes(const Check& check) {
  for (const std::uint32_t n : check.exact) m_cells[n] = value_of(m_graph.nodes()[n]);
  for (const std::uint32_t n : check.bounds) m_cells[n] = bounds_of(m_graph.nodes()[n]);
  return !m_cells[check.root].excluded();
}

/// Null if all checks of the level pass with this value.
const Check* EnumerationWalk::first_failed(const Level& level, std::int64_t value) {
  for (const std::uint32_t leaf : level.leaves) m_cells[leaf] = Interval::point(value);
  const auto failed =
      std::ranges::find_if(level.checks, [&](const Check& check) { return !passes(check); });
  return failed == level.checks.end() ? nullptr : &*failed;
}

double EnumerationWalk::estimated_tries() {
  std::mt19937 random(1);
  double sum = 0;
  for (int i = 0; i < descents; ++i) sum += tries_by_descent(random);
  return sum / descents;
}

/// Descends into a random passing value and assumes that the others have equally many below them.
double EnumerationWalk::tries_by_descent(std::mt19937& random) {
  const std::vector<Interval> before = m_cells;
  double nodes = 1;  // at this depth
  double tries = 0;
  for (const Level& level : m_levels) {
    const std::vector<std::int64_t>& values = m_dimensions[level.dimension].values;
    tries += nodes * static_cast<double>(values.size());
    std::vector<std::int64_t> passing;
    for (const std::int64_t value : values) {
      if (first_failed(level, value) == nullptr) passing.push_back(value);
    }
    if (passing.empty()) break;
    nodes *= static_cast<double>(passing.size());
    first_failed(level, passing[random() % passing.size()]);  // for its cells
  }
  m_cells = before;
  return tries;
}

void EnumerationWalk::add_valid(std::uint64_t rank) {
  if (m_out.valid.size() == most_configurations) {
    throw UserError(ExitCode::usage, "the space has more than " +
                                         std::to_string(most_configurations) +
                                         " valid configurations; narrow it with --param, or add "
                                         "constraints to its spec");
  }
  m_out.valid.push_back(rank);
}

/// Walks the subtree at this depth, or copies the result of an identical subtree.
void EnumerationWalk::enter(std::size_t depth, std::uint64_t rank) {
  if (depth == m_levels.size()) {
    add_valid(rank);
    return;
  }
  const Level& level = m_levels[depth];
  SubtreeCache& cache = m_caches[depth];
  const std::uint64_t size = level.below * m_dimensions[level.dimension].values.size();
  if (size < least_cached || !cache.enabled()) {
    walk_level(depth, rank);
    return;
  }
  SubtreeCache::Key key;
  for (const std::uint32_t n : level.needed) {
    key.push_back(m_cells[n].low);
    key.push_back(static_cast<std::int64_t>(m_cells[n].fails));
  }
  if (const Subtree* known = cache.find(key)) {
    for (const std::uint64_t offset : known->valid) add_valid(rank + offset);
    for (std::size_t c = 0; c < known->excluded.size(); ++c) {
      m_out.excluded[c] += known->excluded[c];
    }
    return;
  }
  const std::size_t first = m_out.valid.size();
  Subtree found{{}, m_out.excluded};
  walk_level(depth, rank);
  for (std::size_t i = first; i < m_out.valid.size(); ++i) {
    found.valid.push_back(m_out.valid[i] - rank);
  }
  for (std::size_t c = 0; c < found.excluded.size(); ++c) {
    found.excluded[c] = m_out.excluded[c] - found.excluded[c];
  }
  cache.store(key, std::move(found));
}

void EnumerationWalk::walk_level(std::size_t depth, std::uint64_t rank) {
  const Level& level = m_levels[depth];
  std::vector<Interval>& saved = m_saved[depth];
  for (std::size_t i = 0; i < saved.size(); ++i) saved[i] = m_cells[level.touched[i]];
  const std::vector<std::int64_t>& values = m_dimensions[level.dimension].values;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (const Check* failed = first_failed(level, values[v])) {
      m_out.excluded[failed->constraint] += level.below;
    } else {
      enter(depth + 1, rank + v * m_strides[level.dimension]);
    }
  }
  for (std::size_t i = 0; i < saved.size(); ++i) m_cells[level.touched[i]] = saved[i];
}

}  // namespace gtune
