#include "spec/expression_parser.hpp"

#include <algorithm>
#include <array>

#include "model/value_word.hpp"
#include "model/words.hpp"
#include "spec/compiled_slots.hpp"
#include "spec/functions.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

constexpr int deepest = 200;             // nesting; bounds the recursion
constexpr std::size_t longest = 10'000;  // bytes

struct BinaryOperator {
  std::string_view symbol;
  int precedence;  // higher binds tighter
  Operation operation;
  bool swapped;  // a > b is b < a
  bool for_reals;
};

constexpr int comparison_precedence = 6;
constexpr int equality_precedence = 5;

constexpr std::array<BinaryOperator, 18> binary_operators = {{
    {"||", 0, Operation::logical_or, false, true},
    {"&&", 1, Operation::logical_and, false, true},
    {"|", 2, Operation::bit_or, false, false},
    {"^", 3, Operation::bit_xor, false, false},
    {"&", 4, Operation::bit_and, false, false},
    {"==", equality_precedence, Operation::equal, false, true},
    {"!=", equality_precedence, Operation::not_equal, false, true},
    {"<", comparison_precedence, Operation::less, false, true},
    {"<=", comparison_precedence, Operation::less_equal, false, true},
    {">", comparison_precedence, Operation::less, true, true},
    {">=", comparison_precedence, Operation::less_equal, true, true},
    {"<<", 7, Operation::shift_left, false, false},
    {">>", 7, Operation::shift_right, false, false},
    {"+", 8, Operation::add, false, true},
    {"-", 8, Operation::subtract, false, true},
    {"*", 9, Operation::multiply, false, true},
    {"/", 9, Operation::divide, false, true},
    {"%", 9, Operation::remainder, false, false},
}};
constexpr int tightest = 9;

const BinaryOperator* find_operator(const Token& token, int precedence) {
  if (token.kind != TokenKind::symbol) return nullptr;
  for (const BinaryOperator& entry : binary_operators) {
    if (entry.symbol == token.text && entry.precedence == precedence) return &entry;
  }
  return nullptr;
}

/// Suggests the nearest name, or else all names that a spec declares if these are few.
std::string suggestion(std::string_view word, std::vector<std::string> names) {
  constexpr std::size_t few = 16;
  if (std::string nearest = did_you_mean(word, names); !nearest.empty()) return nearest;
  std::erase_if(names, [](const std::string& name) {
    const auto& compiled = compiled_slot_names;
    return name.starts_with("dev_") ||
           std::find(compiled.begin(), compiled.end(), name) != compiled.end();
  });
  if (names.empty() || names.size() > few) return "";
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  return (names.size() == 1 ? "; expected " : "; expected one of ") + listed;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

ExpressionParser::ExpressionParser(std::string_view text, const Scope& scope, ExpressionKind kind)
    : m_scope(scope) {
  if (text.size() > longest) throw ExpressionError(0, "the expression is too long");
  m_tokens = tokenize(text);
  m_out.m_text = text;
  m_out.m_kind = kind;
}

Expression ExpressionParser::parse() {
  if (current().kind == TokenKind::end) throw ExpressionError(0, "the expression is empty");
  parse_conditional();  // adds its value last, after all operands
  if (at_symbol("=")) throw ExpressionError(current().offset, "'=' assigns in C; write '=='");
  if (current().kind != TokenKind::end) fail_unexpected("an operator or the end");
  m_out.m_nodes = m_nodes.nodes();
  return std::move(m_out);
}

bool ExpressionParser::at_symbol(std::string_view symbol) const {
  return current().kind == TokenKind::symbol && current().text == symbol;
}

void ExpressionParser::expect(std::string_view symbol, std::string_view where) {
  if (!at_symbol(symbol)) fail_unexpected(in_quotes(symbol) + " " + std::string(where));
  ++m_at;
}

void ExpressionParser::fail_unexpected(const std::string& expected) const {
  const std::string found =
      current().kind == TokenKind::end ? "the expression ends here" : in_quotes(current().text);
  throw ExpressionError(current().offset, found + "; expected " + expected);
}

ExpressionParser::Position ExpressionParser::node(Operation operation, Position a, Position b,
                                                  Position c) {
  return m_nodes.add({operation, is_double(operation, {a, b, c}), {a, b, c}});
}

bool ExpressionParser::is_double(Operation operation, std::array<Position, 3> operands) const {
  if (m_out.m_kind != ExpressionKind::element) return m_out.m_kind == ExpressionKind::real;
  if (operation == Operation::sqrt || operation == Operation::pow ||
      operation == Operation::random) {
    return true;
  }
  const auto end = operands.begin() + operand_count(operation);
  return std::any_of(operands.begin(), end,
                     [&](Position operand) { return m_nodes.nodes()[operand].real; });
}

bool ExpressionParser::is_double(Position value) const {
  return m_out.m_kind == ExpressionKind::real || m_nodes.nodes()[value].real;
}

ExpressionParser::Position ExpressionParser::parse_conditional() {
  if (++m_depth > deepest) throw ExpressionError(current().offset, "nested too deeply");
  Position value = parse_binary(0);
  if (at_symbol("?")) {
    ++m_at;
    const Position yes = parse_conditional();
    expect(":", "of the '?'");
    const Position no = parse_conditional();
    value = node(Operation::select, value, yes, no);
  }
  --m_depth;
  return value;
}

ExpressionParser::Position ExpressionParser::parse_binary(int precedence) {
  if (precedence > tightest) return parse_unary();
  Position left = parse_binary(precedence + 1);
  for (bool first = true;; first = false) {
    const BinaryOperator* entry = find_operator(current(), precedence);
    if (entry == nullptr) return left;
    const std::size_t offset = current().offset;
    if (!first && (precedence == comparison_precedence || precedence == equality_precedence)) {
      throw ExpressionError(offset, "comparisons do not chain; write 'a < b && b < c'");
    }
    ++m_at;
    const Position right = parse_binary(precedence + 1);
    if (!entry->for_reals && (is_double(left) || is_double(right))) {
      throw ExpressionError(offset, in_quotes(entry->symbol) + " is for integers only");
    }
    left =
        entry->swapped ? node(entry->operation, right, left) : node(entry->operation, left, right);
  }
}

ExpressionParser::Position ExpressionParser::parse_unary() {
  if (++m_depth > deepest) throw ExpressionError(current().offset, "nested too deeply");
  Position value = 0;
  const std::size_t offset = current().offset;
  if (at_symbol("-")) {
    ++m_at;
    value = node(Operation::negate, parse_unary());
  } else if (at_symbol("+")) {
    ++m_at;
    value = parse_unary();
  } else if (at_symbol("!")) {
    ++m_at;
    value = node(Operation::logical_not, parse_unary());
  } else if (at_symbol("~")) {
    ++m_at;
    value = parse_unary();
    if (is_double(value)) throw ExpressionError(offset, "'~' is for integers only");
    value = node(Operation::bit_not, value);
  } else {
    value = parse_primary();
  }
  --m_depth;
  return value;
}

ExpressionParser::Position ExpressionParser::parse_primary() {
  const Token& token = current();
  if (token.kind == TokenKind::integer || token.kind == TokenKind::real) return parse_literal();
  if (token.kind == TokenKind::word) return parse_word();
  if (token.kind == TokenKind::identifier) {
    const Token& after = m_tokens[m_at + 1];
    const bool call = after.kind == TokenKind::symbol && after.text == "(";
    return call ? parse_call() : parse_identifier();
  }
  if (!at_symbol("(")) fail_unexpected("a number, a name or '('");
  ++m_at;
  const Position value = parse_conditional();
  expect(")", "or an operator");
  return value;
}

ExpressionParser::Position ExpressionParser::parse_literal() {
  const Token& token = m_tokens[m_at++];
  if (token.kind == TokenKind::integer) {
    return m_nodes.add({Operation::constant, false, {}, token.integer, token.real});
  }
  if (m_out.m_kind == ExpressionKind::integer) {
    throw ExpressionError(token.offset, in_quotes(token.text) + " is not an integer");
  }
  return m_nodes.add({Operation::constant, true, {}, 0, token.real});
}

const Token* ExpressionParser::compared_with(std::size_t at) const {
  const auto compares = [&](std::size_t place) {
    const std::string_view text = m_tokens[place].text;
    return m_tokens[place].kind == TokenKind::symbol && (text == "==" || text == "!=");
  };
  if (at >= 2 && compares(at - 1)) return &m_tokens[at - 2];
  return at + 2 < m_tokens.size() && compares(at + 1) ? &m_tokens[at + 2] : nullptr;
}

ExpressionParser::Position ExpressionParser::parse_word() {
  const Token* other = compared_with(m_at);
  const Token& token = m_tokens[m_at++];
  const std::string word(token.text.substr(1, token.text.size() - 2));
  const auto& words = m_scope.words_of(other == nullptr ? std::string_view() : other->text);
  if (words.empty()) {
    throw ExpressionError(token.offset, std::string(token.text) +
                                            " must be compared with a parameter whose values are "
                                            "words, as in T == 'half'");
  }
  if (std::find(words.begin(), words.end(), word) == words.end()) {
    throw ExpressionError(token.offset, std::string(token.text) + " is not a value of " +
                                            in_quotes(other->text) + did_you_mean(word, words));
  }
  const std::int64_t value = value_of_word(word);
  return m_nodes.add({Operation::constant, false, {}, value, static_cast<double>(value)});
}

std::vector<ExpressionParser::Position> ExpressionParser::parse_arguments() {
  std::vector<Position> arguments;
  if (!at_symbol(")")) {
    arguments.push_back(parse_conditional());
    while (at_symbol(",")) {
      ++m_at;
      arguments.push_back(parse_conditional());
    }
  }
  expect(")", "or ','");
  return arguments;
}

void ExpressionParser::require_fit(const Function& function, const Token& name,
                                   const std::vector<Position>& arguments) const {
  const auto fail = [&](const char* where) {
    throw ExpressionError(name.offset, in_quotes(name.text) + " is for " + where + " only");
  };
  const bool doubles = std::any_of(arguments.begin(), arguments.end(),
                                   [&](Position argument) { return is_double(argument); });
  const bool of_elements = m_out.m_kind == ExpressionKind::element;
  if (!function.for_integers && !function.for_reals) {
    if (!of_elements) fail("the elements of a buffer");
    if (doubles) fail("integers");
  } else if (doubles && !function.for_reals) {
    fail("integers");
  } else if (m_out.m_kind == ExpressionKind::integer && !function.for_integers) {
    fail("[work] and [check]");
  }
}

ExpressionParser::Position ExpressionParser::parse_call() {
  const Token& name = m_tokens[m_at];
  const Function* function = find_function(name.text);
  if (function == nullptr) {
    throw ExpressionError(name.offset, "unknown function " + in_quotes(name.text) +
                                           suggestion(name.text, function_names()));
  }
  m_at += 2;
  const std::vector<Position> arguments = parse_arguments();
  const int count = static_cast<int>(arguments.size());
  if (count < function->least_arguments || count > function->most_arguments) {
    const bool variadic = function->most_arguments > function->least_arguments;
    const auto least = static_cast<std::size_t>(function->least_arguments);
    throw ExpressionError(name.offset, in_quotes(name.text) + " takes " +
                                           (variadic ? std::to_string(least) + " or more arguments"
                                                     : counted(least, "argument")) +
                                           ", not " + std::to_string(count));
  }
  require_fit(*function, name, arguments);
  if (count == 1) return node(function->operation, arguments[0]);
  Position value = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    value = node(function->operation, value, arguments[i]);
  }
  return value;
}

ExpressionParser::Position ExpressionParser::parse_identifier() {
  const Token& token = m_tokens[m_at++];
  const std::string name(token.text);
  const Scope::Meaning* meaning = m_scope.find(name);
  if (meaning == nullptr) {
    if (find_function(name) != nullptr) {
      throw ExpressionError(token.offset,
                            in_quotes(name) + " is a function; expected '(' after it");
    }
    throw ExpressionError(token.offset,
                          "unknown name " + in_quotes(name) + suggestion(name, m_scope.names()));
  }
  if (!m_scope.words_of(name).empty()) {
    const Token* other = compared_with(m_at - 1);
    if (other == nullptr ||
        (other->kind != TokenKind::word && m_scope.words_of(other->text).empty())) {
      throw ExpressionError(token.offset, in_quotes(name) +
                                              " has words for values; expected a comparison with "
                                              "one, as in " +
                                              name + " == '" + m_scope.words_of(name).front() +
                                              "'");
    }
  }
  auto& identifiers = m_out.m_identifiers;
  if (std::find(identifiers.begin(), identifiers.end(), name) == identifiers.end()) {
    identifiers.push_back(name);
  }
  if (const auto* expression = std::get_if<Expression>(meaning)) {
    return m_nodes.append(expression->nodes());
  }
  const auto slot = static_cast<std::int64_t>(std::get<std::size_t>(*meaning));
  return m_nodes.add({Operation::slot, false, {}, slot, 0});
}

}  // namespace gtune
