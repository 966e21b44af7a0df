#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "spec/expression.hpp"
#include "spec/functions.hpp"
#include "spec/lexer.hpp"
#include "spec/node_list.hpp"
#include "spec/scope.hpp"

namespace gtune {

/// Recursive descent with C's precedence. Each parser parses one expression.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Scope& scope, ExpressionKind kind);

  /// Throws ExpressionError.
  [[nodiscard]] Expression parse();

 private:
  using Position = std::uint32_t;

  Position parse_conditional();
  Position parse_binary(int precedence);
  Position parse_unary();
  Position parse_primary();
  Position parse_literal();
  Position parse_word();
  Position parse_call();
  std::vector<Position> parse_arguments();
  Position parse_identifier();
  Position node(Operation operation, Position a, Position b = 0, Position c = 0);

  /// Whether the operation on these operands is computed in double.
  [[nodiscard]] bool is_double(Operation operation, std::array<Position, 3> operands) const;
  [[nodiscard]] bool is_double(Position value) const;
  /// Throws if the function does not fit expressions of this kind, or these arguments.
  void require_fit(const Function& function, const Token& name,
                   const std::vector<Position>& arguments) const;

  [[nodiscard]] const Token& current() const { return m_tokens[m_at]; }
  /// The token on the other side of an adjacent == or !=; null if there is none.
  [[nodiscard]] const Token* compared_with(std::size_t at) const;
  [[nodiscard]] bool at_symbol(std::string_view symbol) const;
  void expect(std::string_view symbol, std::string_view where);
  [[noreturn]] void fail_unexpected(const std::string& expected) const;

  const Scope& m_scope;
  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  int m_depth = 0;
  NodeList m_nodes;
  Expression m_out;
};

}  // namespace gtune
