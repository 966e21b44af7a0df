#pragma once

#include <functional>
#include <string>

#include "spec/expression.hpp"
#include "spec/node_list.hpp"

namespace gtune {

/// Writes integer expressions in the common subset of C and C++: each step calls a checked function
/// and is kept in a variable. Steps of earlier expressions are reused.
class ExpressionSteps {
 public:
  /// `slot`: C text of the value in a slot, a gtune_value.
  ExpressionSteps(std::string& out, std::function<std::string(std::size_t)> slot)
      : m_out(out), m_slot(std::move(slot)) {}

  /// Writes the expression's missing steps and returns the C text of its value.
  [[nodiscard]] std::string write(const Expression& expression);

 private:
  [[nodiscard]] std::string text_of(std::uint32_t position) const;

  std::string& m_out;
  std::function<std::string(std::size_t)> m_slot;
  NodeList m_nodes;
};

}  // namespace gtune
