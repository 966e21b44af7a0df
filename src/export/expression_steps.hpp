#pragma once

#include <functional>
#include <string>

#include "spec/expression.hpp"
#include "spec/node_list.hpp"

namespace gtune {

/// Writes expressions of kind integer in what C and C++ share: each step calls a checked function
/// and is kept in a variable. Steps that an earlier expression has are not written again.
class ExpressionSteps {
 public:
  /// `slot`: C text of the value in a slot, a gtune_value.
  ExpressionSteps(std::string& out, std::function<std::string(std::size_t)> slot)
      : m_out(out), m_slot(std::move(slot)) {}

  /// Writes what is missing of the expression's steps; C text of its value.
  [[nodiscard]] std::string write(const Expression& expression);

 private:
  [[nodiscard]] std::string text_of(std::uint32_t position) const;

  std::string& m_out;
  std::function<std::string(std::size_t)> m_slot;
  NodeList m_nodes;
};

}  // namespace gtune
