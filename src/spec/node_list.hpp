#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/operation.hpp"

namespace gtune {

/// Builds the steps of expressions. Equal steps are added once, so repeated text is computed once.
class NodeList {
 public:
  /// Returns the step's position. Its operands must be positions of earlier steps.
  std::uint32_t add(const Node& node);
  /// Adds all steps of another list. Returns the position of its last step.
  std::uint32_t append(const std::vector<Node>& nodes);

  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  std::vector<Node> m_nodes;
  std::unordered_map<Node, std::uint32_t, Hash> m_positions;
};

}  // namespace gtune
