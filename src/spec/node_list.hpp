#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/operation.hpp"

namespace gtune {

/// Builds the steps of expressions. A step that is already there is not added again, so that
/// text which repeats itself is computed once.
class NodeList {
 public:
  /// Position of the step. Its operands must be positions of earlier ones.
  std::uint32_t add(const Node& node);
  /// Adds all steps of another list; position of its last.
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
