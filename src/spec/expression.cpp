#include "spec/expression.hpp"

#include <algorithm>
#include <cmath>

#include "model/words.hpp"
#include "spec/expression_parser.hpp"
#include "spec/real_operation.hpp"

namespace gtune {
namespace {

/// Memory for the steps of an evaluation, reused by the next one.
template <typename T>
T* workspace(std::size_t size) {
  thread_local std::vector<T> steps;
  if (steps.size() < size) steps.resize(size);
  return steps.data();
}

/// The operands that the evaluation of a node reads if some values are known.
std::vector<std::uint32_t> evaluated_operands(
    const Node& node, const std::vector<std::optional<std::int64_t>>& values) {
  const auto& [a, b, c] = node.operands;
  const bool may_skip = node.operation >= Operation::logical_and && values[a];
  if (may_skip && node.operation == Operation::select) return {a, *values[a] != 0 ? b : c};
  if (may_skip && (*values[a] != 0) == (node.operation == Operation::logical_or)) return {a};
  const auto count = static_cast<std::ptrdiff_t>(operand_count(node.operation));
  return {node.operands.begin(), node.operands.begin() + count};
}

}  // namespace

std::string_view to_string(Failure failure) {
  switch (failure) {
    case Failure::none:
      return "no failure";
    case Failure::division_by_zero:
      return "division by zero";
    case Failure::overflow:
      return "overflow of 64 bits";
    case Failure::domain:
      break;
  }
  return "argument out of range";
}

Expression::Expression(std::int64_t constant)
    : m_text(std::to_string(constant)),
      m_nodes{{Operation::constant, false, {}, constant, static_cast<double>(constant)}} {}

Expression::Expression(double constant)
    : m_text(shortest_text(constant)),
      m_kind(ExpressionKind::real),
      m_nodes{{Operation::constant, true, {}, 0, constant}} {}

Expression Expression::parse(std::string_view text, const Scope& scope, ExpressionKind kind) {
  return ExpressionParser(text, scope, kind).parse();
}

std::vector<std::size_t> Expression::slots() const {
  std::vector<std::size_t> slots;
  for (const Node& node : m_nodes) {
    if (node.operation == Operation::slot) slots.push_back(static_cast<std::size_t>(node.value));
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

Expression::Reduction Expression::reduce(std::span<const std::optional<std::int64_t>> known) const {
  Reduction all{std::vector<std::optional<std::int64_t>>(m_nodes.size()),
                std::vector<std::vector<std::uint32_t>>(m_nodes.size())};
  auto& values = all.values;
  auto& operands = all.operands;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i];
    const auto slot = static_cast<std::size_t>(node.value);
    if (node.operation == Operation::slot && slot < known.size()) values[i] = known[slot];
    if (node.operation == Operation::constant) values[i] = node.value;
    operands[i] = evaluated_operands(node, values);
    const bool is_known = std::all_of(operands[i].begin(), operands[i].end(),
                                      [&](std::uint32_t each) { return values[each]; });
    if (operands[i].empty() || !is_known) continue;
    const auto operand = [&](std::size_t place) {
      return Checked{values[node.operands[place]].value_or(0)};
    };
    const Checked value = apply(node.operation, operand(0), operand(1), operand(2));
    if (value.failure == Failure::none) values[i] = value.value;
  }
  return all;
}

std::vector<bool> Expression::needed(const Reduction& reduction, bool by_value) const {
  std::vector<bool> is_needed(m_nodes.size(), false);
  is_needed.back() = true;
  for (std::size_t i = m_nodes.size(); i-- > 0;) {
    if (!is_needed[i] || (by_value && reduction.values[i])) continue;
    for (const std::uint32_t each : reduction.operands[i]) is_needed[each] = true;
  }
  return is_needed;
}

std::vector<std::size_t> Expression::slots_given(
    std::span<const std::optional<std::int64_t>> known) const {
  if (m_kind != ExpressionKind::integer) return slots();
  const std::vector<bool> is_needed = needed(reduce(known), false);
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    if (!is_needed[i] || m_nodes[i].operation != Operation::slot) continue;
    slots.push_back(static_cast<std::size_t>(m_nodes[i].value));
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

Expression Expression::given(std::span<const std::optional<std::int64_t>> known) const {
  const Reduction reduction = reduce(known);
  const std::vector<bool> is_needed = needed(reduction, true);
  Expression reduced = *this;
  reduced.m_nodes.clear();
  std::vector<std::uint32_t> places(m_nodes.size());  // in the new expression; 0 if left out
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    if (!is_needed[i]) continue;
    Node node = m_nodes[i];
    const auto value = reduction.values[i];
    if (value) {
      node = {Operation::constant, false, {}, *value, static_cast<double>(*value)};
    } else {
      for (std::uint32_t& operand : node.operands) operand = places[operand];
    }
    places[i] = static_cast<std::uint32_t>(reduced.m_nodes.size());
    reduced.m_nodes.push_back(node);
  }
  return reduced;
}

const Checked* step_values(const std::vector<Node>& nodes, std::span<const std::int64_t> slots) {
  Checked* const values = workspace<Checked>(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.operation == Operation::constant) {
      values[i] = {node.value};
    } else if (node.operation == Operation::slot) {
      values[i] = {slots[static_cast<std::size_t>(node.value)]};
    } else {
      values[i] = apply(node.operation, values[node.operands[0]], values[node.operands[1]],
                        values[node.operands[2]]);
    }
  }
  return values;
}

Checked Expression::try_evaluate(std::span<const std::int64_t> slots) const {
  return step_values(m_nodes, slots)[m_nodes.size() - 1];
}

std::int64_t Expression::evaluate(std::span<const std::int64_t> slots) const {
  const Checked result = try_evaluate(slots);
  if (result.failure == Failure::none) return result.value;
  throw EvaluationError("'" + m_text + "': " + std::string(to_string(result.failure)));
}

double Expression::evaluate_real(std::span<const std::int64_t> slots) const {
  RealOrInteger* const values = workspace<RealOrInteger>(m_nodes.size());
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i];
    if (node.operation == Operation::constant) {
      values[i] = {node.real_value, {node.value}};
    } else if (node.operation == Operation::slot) {
      const std::int64_t value = slots[static_cast<std::size_t>(node.value)];
      values[i] = {static_cast<double>(value), {value}};
    } else {
      values[i] =
          apply(node, values[node.operands[0]], values[node.operands[1]], values[node.operands[2]]);
    }
  }
  const RealOrInteger& result = values[m_nodes.size() - 1];
  const Failure failure = result.integer.failure;
  if (failure != Failure::none) {
    throw EvaluationError("'" + m_text + "': " + std::string(to_string(failure)));
  }
  if (!std::isfinite(result.real)) {
    throw EvaluationError("'" + m_text + "': the result is not a finite number");
  }
  return result.real;
}

Interval Expression::bounds(std::span<const Interval> slots) const {
  Interval* const values = workspace<Interval>(m_nodes.size());
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i];
    if (node.operation == Operation::constant) {
      values[i] = Interval::point(node.value);
    } else if (node.operation == Operation::slot) {
      values[i] = slots[static_cast<std::size_t>(node.value)];
    } else {
      values[i] = apply(node.operation, values[node.operands[0]], values[node.operands[1]],
                        values[node.operands[2]]);
    }
  }
  return values[m_nodes.size() - 1];
}

}  // namespace gtune
