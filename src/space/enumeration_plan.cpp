#include "space/enumeration_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gtune {
namespace {

using Dependencies = std::vector<std::vector<bool>>;

/// Orders the parameters. The next condition is always the one with the fewest combinations of
/// unordered parameters, so that most exclusions happen before the other parameters multiply.
ParameterOrder order_by_conditions(const ConstraintGraph& graph, const Dependencies& depends,
                                   const std::vector<Dimension>& dimensions) {
  ParameterOrder order;
  std::vector<bool> bound(dimensions.size(), false);
  const auto bind = [&](std::size_t p) {
    if (!bound[p]) order.push_back(p);
    bound[p] = true;
  };
  for (;;) {
    const std::vector<bool>* next = nullptr;
    double least = 0;
    for (const Condition& condition : graph.conditions()) {
      const std::vector<bool>& needs = depends[condition.root];
      double combinations = 1;
      bool open = false;
      for (std::size_t p = 0; p < dimensions.size(); ++p) {
        if (!needs[p] || bound[p]) continue;
        open = true;
        combinations *= static_cast<double>(dimensions[p].values.size());
      }
      if (open && (next == nullptr || combinations < least)) {
        next = &needs;
        least = combinations;
      }
    }
    if (next == nullptr) break;
    for (std::size_t p = 0; p < dimensions.size(); ++p) {
      if ((*next)[p]) bind(p);
    }
  }
  for (std::size_t p = 0; p < dimensions.size(); ++p) bind(p);
  return order;
}

/// The nodes that `root` depends on, `root` included, in order of evaluation.
std::vector<std::uint32_t> nodes_of(const ConstraintGraph& graph, std::uint32_t root) {
  std::vector<bool> wanted(graph.nodes().size(), false);
  wanted[root] = true;
  std::vector<std::uint32_t> out;
  for (std::uint32_t n = root + 1; n-- > 0;) {
    if (!wanted[n]) continue;
    const Node& node = graph.nodes()[n];
    for (int i = 0; i < operand_count(node.operation); ++i) {
      wanted[node.operands[static_cast<std::size_t>(i)]] = true;
    }
    out.push_back(n);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

class Planner {
 public:
  Planner(const ConstraintGraph& graph, const std::vector<Dimension>& dimensions,
          std::size_t first_slot, ParameterOrder order)
      : m_graph(graph),
        m_dimensions(dimensions),
        m_first_slot(first_slot),
        m_depends(graph.dependencies(first_slot, dimensions.size())),
        m_order(std::move(order)) {}

  std::vector<Level> plan() {
    for (const std::vector<bool>& depends : m_depends) m_depth.push_back(last_depth(depends));
    std::vector<Level> levels;
    for (std::size_t depth = 0; depth < m_order.size(); ++depth) levels.push_back(level(depth));
    for (std::size_t depth = levels.size(); depth-- > 1;) {
      levels[depth - 1].below =
          levels[depth].below * m_dimensions[levels[depth].dimension].values.size();
    }
    return levels;
  }

 private:
  /// The depth at which a node's value becomes known; 0 also if it depends on no parameter.
  [[nodiscard]] std::size_t last_depth(const std::vector<bool>& depends) const {
    std::size_t last = 0;
    for (std::size_t depth = 0; depth < m_order.size(); ++depth) {
      if (depends[m_order[depth]]) last = depth;
    }
    return last;
  }

  [[nodiscard]] Level level(std::size_t depth) const {
    Level out;
    out.dimension = m_order[depth];
    std::vector<bool> done(m_graph.nodes().size(), false);
    for (std::uint32_t n = 0; n < done.size(); ++n) {
      const Node& node = m_graph.nodes()[n];
      if (node.operation != Operation::slot ||
          static_cast<std::size_t>(node.value) != m_first_slot + out.dimension) {
        continue;
      }
      out.leaves.push_back(n);
      done[n] = true;
    }
    for (const Condition* condition : conditions_at(depth)) {
      Check check{condition->root, condition->constraint, {}, {}};
      for (const std::uint32_t n : nodes_of(m_graph, condition->root)) {
        if (done[n] || !m_depends[n][out.dimension]) continue;
        done[n] = true;
        (m_depth[n] == depth ? check.exact : check.bounds).push_back(n);
        out.touched.push_back(n);
      }
      out.checks.push_back(std::move(check));
    }
    out.touched.insert(out.touched.end(), out.leaves.begin(), out.leaves.end());
    out.needed = needed_from(depth);
    return out;
  }

  [[nodiscard]] bool known_before(std::uint32_t node, std::size_t depth) const {
    return m_depth[node] < depth;
  }

  [[nodiscard]] std::vector<std::uint32_t> needed_from(std::size_t depth) const {
    std::vector<bool> needed(m_graph.nodes().size(), false);
    for (std::uint32_t n = 0; n < needed.size(); ++n) {
      if (known_before(n, depth)) continue;
      const Node& node = m_graph.nodes()[n];
      for (int i = 0; i < operand_count(node.operation); ++i) {
        const std::uint32_t operand = node.operands[static_cast<std::size_t>(i)];
        const std::vector<bool>& depends = m_depends[operand];
        const bool varies = std::find(depends.begin(), depends.end(), true) != depends.end();
        if (varies && known_before(operand, depth)) needed[operand] = true;
      }
    }
    std::vector<std::uint32_t> out;
    for (std::uint32_t n = 0; n < needed.size(); ++n) {
      if (needed[n]) out.push_back(n);
    }
    return out;
  }

  /// The conditions that depend on the level's parameter; those that it decides come first.
  [[nodiscard]] std::vector<const Condition*> conditions_at(std::size_t depth) const {
    std::vector<const Condition*> out;
    for (const Condition& condition : m_graph.conditions()) {
      if (m_depends[condition.root][m_order[depth]]) out.push_back(&condition);
    }
    std::stable_partition(out.begin(), out.end(), [&](const Condition* condition) {
      return m_depth[condition->root] == depth;
    });
    return out;
  }

  const ConstraintGraph& m_graph;
  const std::vector<Dimension>& m_dimensions;
  std::size_t m_first_slot;
  Dependencies m_depends;
  ParameterOrder m_order;
  std::vector<std::size_t> m_depth;  // per node
};

}  // namespace

std::array<ParameterOrder, 2> possible_orders(const ConstraintGraph& graph,
                                              const std::vector<Dimension>& dimensions,
                                              std::size_t first_slot) {
  const Dependencies depends = graph.dependencies(first_slot, dimensions.size());
  ParameterOrder listed(dimensions.size());
  std::iota(listed.begin(), listed.end(), std::size_t{0});
  return {order_by_conditions(graph, depends, dimensions), std::move(listed)};
}

std::vector<Level> plan_enumeration(const ConstraintGraph& graph,
                                    const std::vector<Dimension>& dimensions,
                                    std::size_t first_slot, ParameterOrder order) {
  return Planner(graph, dimensions, first_slot, std::move(order)).plan();
}

}  // namespace gtune
