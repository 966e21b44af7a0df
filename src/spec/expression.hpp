#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/operation.hpp"
#include "spec/interval.hpp"

namespace gtune {

class Scope;

/// The text is not a valid expression.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t offset, const std::string& line)
      : std::runtime_error(line), m_offset(offset) {}
  /// Position of the mistake, in bytes from the beginning of the text.
  [[nodiscard]] std::size_t offset() const { return m_offset; }

 private:
  std::size_t m_offset;
};

/// An expression has no value for these operands. The message names it and the reason.
class EvaluationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// integer: C on 64-bit integers, except that overflow is an error. real: the same grammar in
/// double, with floating literals, sqrt and pow, but no bit operations and no remainder. element:
/// a buffer's element, typed as in C: integer on integers, double if an operand is double.
enum class ExpressionKind { integer, real, element };

/// A parsed expression. Identifiers are numbered slots; values are given by slot.
class Expression {
 public:
  /// The constant 0.
  Expression() : Expression(std::int64_t{0}) {}
  explicit Expression(std::int64_t constant);
  /// A constant of kind `real`.
  explicit Expression(double constant);
  /// Throws ExpressionError.
  [[nodiscard]] static Expression parse(std::string_view text, const Scope& scope,
                                        ExpressionKind kind = ExpressionKind::integer);

  [[nodiscard]] const std::string& text() const { return m_text; }
  [[nodiscard]] ExpressionKind kind() const { return m_kind; }
  /// The names in the text, each once, in order of appearance.
  [[nodiscard]] const std::vector<std::string>& identifiers() const { return m_identifiers; }
  /// The slots that the value depends on, named expressions included; ascending.
  [[nodiscard]] std::vector<std::size_t> slots() const;
  /// The same if some of the first slots are known: omits operands that "?:", "&&" and "||" then
  /// skip, as b in "a ? b : c" with a = 0.
  [[nodiscard]] std::vector<std::size_t> slots_given(
      std::span<const std::optional<std::int64_t>> known) const;

  /// For kind `integer`: an expression of the same value in fewer steps if some slots are known.
  [[nodiscard]] Expression given(std::span<const std::optional<std::int64_t>> known) const;

  /// For kind `integer`. Throws EvaluationError.
  [[nodiscard]] std::int64_t evaluate(std::span<const std::int64_t> slots) const;
  /// For kind `integer`.
  [[nodiscard]] Checked try_evaluate(std::span<const std::int64_t> slots) const;
  /// For kinds `integer` and `real`; always finite. Throws EvaluationError.
  [[nodiscard]] double evaluate_real(std::span<const std::int64_t> slots) const;
  /// For kind `integer`: bounds of the value if each slot is within its bounds.
  [[nodiscard]] Interval bounds(std::span<const Interval> slots) const;

  /// The steps in order of evaluation, without repeats; the last one is the value.
  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }

 private:
  friend class ExpressionParser;

  /// By step: its value if that is known, and the operands that it reads.
  struct Reduction {
    std::vector<std::optional<std::int64_t>> values;
    std::vector<std::vector<std::uint32_t>> operands;
  };
  [[nodiscard]] Reduction reduce(std::span<const std::optional<std::int64_t>> known) const;
  /// By step, whether the result needs it. `by_value`: known values need no operands.
  [[nodiscard]] std::vector<bool> needed(const Reduction& reduction, bool by_value) const;

  std::string m_text;
  ExpressionKind m_kind = ExpressionKind::integer;
  std::vector<std::string> m_identifiers;
  std::vector<Node> m_nodes;
};

/// The value of each step of integers. Valid until the thread evaluates anything else.
[[nodiscard]] const Checked* step_values(const std::vector<Node>& nodes,
                                         std::span<const std::int64_t> slots);

/// "division by zero", "overflow of 64 bits", "argument out of range".
[[nodiscard]] std::string_view to_string(Failure failure);

}  // namespace gtune
