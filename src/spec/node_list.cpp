#include "spec/node_list.hpp"

#include <functional>

namespace gtune {

std::size_t NodeList::Hash::operator()(const Node& node) const {
  std::size_t hash = static_cast<std::size_t>(node.operation) * 2 + (node.real ? 1 : 0);
  const auto mix = [&](std::size_t part) { hash = (hash ^ part) * 0x9E3779B97F4A7C15U; };
  for (const std::uint32_t operand : node.operands) mix(operand);
  mix(static_cast<std::size_t>(node.value));
  mix(std::hash<double>()(node.real_value));
  return hash;
}

std::uint32_t NodeList::add(const Node& node) {
  const auto next = static_cast<std::uint32_t>(m_nodes.size());
  const auto [found, is_new] = m_positions.try_emplace(node, next);
  if (is_new) m_nodes.push_back(node);
  return found->second;
}

std::uint32_t NodeList::append(const std::vector<Node>& nodes) {
  std::vector<std::uint32_t> positions;
  positions.reserve(nodes.size());
  for (Node node : nodes) {
    for (int i = 0; i < operand_count(node.operation); ++i) {
      const auto operand = static_cast<std::size_t>(i);
      node.operands[operand] = positions[node.operands[operand]];
    }
    positions.push_back(add(node));
  }
  return positions.back();
}

}  // namespace gtune
