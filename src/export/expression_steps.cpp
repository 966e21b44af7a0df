#include "export/expression_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace gtune {
namespace {

struct StepFunction {
  Operation operation;
  std::string_view name;  // in header_support.inc, after gtune_
};

constexpr std::array<StepFunction, 29> step_functions = {{
    {Operation::negate, "negate"},
    {Operation::bit_not, "bit_not"},
    {Operation::logical_not, "logical_not"},
    {Operation::absolute, "absolute"},
    {Operation::log2, "log2"},
    {Operation::is_pow2, "is_pow2"},
    {Operation::pow2, "pow2"},
    {Operation::add, "add"},
    {Operation::subtract, "subtract"},
    {Operation::multiply, "multiply"},
    {Operation::divide, "divide"},
    {Operation::remainder, "remainder"},
    {Operation::less, "less"},
    {Operation::less_equal, "less_equal"},
    {Operation::equal, "equal"},
    {Operation::not_equal, "not_equal"},
    {Operation::bit_and, "bit_and"},
    {Operation::bit_or, "bit_or"},
    {Operation::bit_xor, "bit_xor"},
    {Operation::shift_left, "shift_left"},
    {Operation::shift_right, "shift_right"},
    {Operation::minimum, "minimum"},
    {Operation::maximum, "maximum"},
    {Operation::ceil_div, "ceil_div"},
    {Operation::gcd, "gcd"},
    {Operation::round_up, "round_up"},
    {Operation::logical_and, "logical_and"},
    {Operation::logical_or, "logical_or"},
    {Operation::select, "choose"},
}};

/// Empty for an operation that is not a call.
std::string_view step_function(Operation operation) {
  const auto found =
      std::find_if(step_functions.begin(), step_functions.end(),
                   [&](const StepFunction& each) { return each.operation == operation; });
  return found == step_functions.end() ? std::string_view() : found->name;
}

}  // namespace

std::string ExpressionSteps::write(const Expression& expression) {
  const std::size_t known = m_nodes.nodes().size();
  const std::uint32_t value = m_nodes.append(expression.nodes());
  for (std::size_t i = known; i < m_nodes.nodes().size(); ++i) {
    const Node& node = m_nodes.nodes()[i];
    const std::string_view function = step_function(node.operation);
    if (function.empty()) continue;
    m_out += fmt::format("  const gtune_value v{} = gtune_{}(", i, function);
    for (int j = 0; j < operand_count(node.operation); ++j) {
      m_out += (j == 0 ? "" : ", ") + text_of(node.operands[static_cast<std::size_t>(j)]);
    }
    m_out += ");\n";
  }
  return text_of(value);
}

std::string ExpressionSteps::text_of(std::uint32_t position) const {
  const Node& node = m_nodes.nodes()[position];
  if (node.operation == Operation::slot) return m_slot(static_cast<std::size_t>(node.value));
  if (node.operation != Operation::constant) return fmt::format("v{}", position);
  // C has no literal for the smallest integer.
  if (node.value == std::numeric_limits<std::int64_t>::min()) return "gtune_of(gtune_least())";
  return fmt::format("gtune_of({})", node.value);
}

}  // namespace gtune
