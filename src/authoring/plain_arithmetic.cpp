#include "authoring/plain_arithmetic.hpp"

#include <algorithm>
#include <charconv>

#include "authoring/cpp_types.hpp"

namespace gtune {
namespace {

constexpr const char* view_prefix = "view_as_bytes_";

bool is_any_of(std::string_view token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

/// What stands for a cast of a pointer to elements of this type.
std::string viewed_as(const Tokens& type, const TypeBytes& types) {
  const std::string name = spelled_type(type, {}).name;
  const ElementOf element = element_of(name);
  const auto own = types.find(name);
  if (!element.is_known && own == types.end()) return view_prefix + std::string("unknown");
  const std::size_t bytes = element.is_known ? element.value_bytes() : own->second;
  return view_prefix + std::to_string(bytes);
}

/// Copies a body's tokens, and replaces what it recognizes.
class PlainWriter {
 public:
  PlainWriter(const Tokens& body, const std::vector<OutlinedArgument>& arguments,
              const TypeBytes& types)
      : m_body(body), m_arguments(arguments), m_types(types) {}

  [[nodiscard]] Tokens run() && {
    while (m_at < m_body.size()) {
      if (write_pointer_cast() || skip_named_cast() || skip_cast() || write_product() ||
          write_member() || write_index()) {
        continue;
      }
      m_plain.push_back(m_body[m_at++]);
    }
    return std::move(m_plain);
  }

 private:
  [[nodiscard]] std::string_view token(std::size_t ahead) const {
    return token_at(m_body, m_at + ahead);
  }

  /// `reinterpret_cast<const float4*>(x)`, `(const float4*)x`
  bool write_pointer_cast() {
    const bool is_named = token(0) == "reinterpret_cast" && token(1) == "<";
    const std::size_t open = m_at + (is_named ? 1 : 0);
    if (!is_named && (token(0) != "(" || !is_word(token(1)))) return false;
    std::size_t end = open + 1;
    while (is_word(token_at(m_body, end)) || token_at(m_body, end) == ":") ++end;
    const std::size_t star = end;
    while (is_any_of(token_at(m_body, end), {"*", "const", "__restrict__"})) ++end;
    const bool is_pointer =
        token_at(m_body, star) == "*" && token_at(m_body, end) == (is_named ? ">" : ")");
    const std::size_t operand = end + 1;
    const std::size_t past = is_pointer ? past_operand(operand) : operand;
    if (past == operand) return false;
    m_plain.push_back(viewed_as(slice(m_body, open + 1, star), m_types));
    write_in_parentheses(slice(m_body, operand, past));
    m_at = past;
    return true;
  }

  /// The position after `x`, `(x + i)` or `&x[i]`; `at` itself if something else is there.
  [[nodiscard]] std::size_t past_operand(std::size_t at) const {
    if (token_at(m_body, at) == "(") return past_brackets(m_body, at, most_tokens);
    const bool is_address = token_at(m_body, at) == "&";
    std::size_t end = is_address ? at + 1 : at;
    if (!is_word(token_at(m_body, end))) return at;
    while (token_at(m_body, end + 1) == "." && is_word(token_at(m_body, end + 2))) end += 2;
    ++end;
    while (is_address && token_at(m_body, end) == "[") {
      end = past_brackets(m_body, end, most_tokens);
    }
    return end;
  }

  /// `static_cast<T>(x)`: leaves (x).
  bool skip_named_cast() {
    if (!is_any_of(token(0), {"static_cast", "reinterpret_cast", "const_cast"})) return false;
    const std::size_t end = past_brackets(m_body, m_at + 1, most_tokens);
    if (token(1) != "<" || token_at(m_body, end) != "(") return false;
    m_at = end;
    return true;
  }

  /// `(index_t)x`: leaves x. `if (x) y`, `f(x) y` and `(x) (y)` are something else.
  bool skip_cast() {
    if (token(0) != "(" || !is_word(token(1))) return false;
    const std::string_view before = m_plain.empty() ? "" : std::string_view(m_plain.back());
    if (is_word(before) && before != "return") return false;
    std::size_t end = m_at + 1;
    while (is_word(token_at(m_body, end)) || token_at(m_body, end) == ":") ++end;
    if (token_at(m_body, end) != ")") return false;
    const std::string_view after = token_at(m_body, end + 1);
    if (!is_word(after) && !is_number(after)) return false;
    m_at = end + 1;
    return true;
  }

  bool write_product() {
    if (!is_any_of(token(0), {"__mul24", "__umul24"}) || token(1) != "(") return false;
    const std::size_t end = past_brackets(m_body, m_at + 1, most_tokens);
    if (end > m_body.size() || token_at(m_body, end - 1) != ")") return false;
    const auto factors = between_commas(m_body, m_at + 2, end - 1, AngleBrackets::compare);
    if (factors.size() != 2) return false;
    write_in_parentheses(factors[0]);
    m_plain.emplace_back("*");
    write_in_parentheses(factors[1]);
    m_at = end;
    return true;
  }

  void write_in_parentheses(const Tokens& text) {
    const Tokens plain = PlainWriter(text, m_arguments, m_types).run();
    m_plain.emplace_back("(");
    m_plain.insert(m_plain.end(), plain.begin(), plain.end());
    m_plain.emplace_back(")");
  }

  /// Null if it is not an argument.
  [[nodiscard]] const OutlinedArgument* find_argument(std::string_view name) const {
    const auto found = std::find_if(m_arguments.begin(), m_arguments.end(),
                                    [&](const auto& each) { return each.name == name; });
    return name.empty() || found == m_arguments.end() ? nullptr : &*found;
  }

  /// `x[r][c]` has the index ((r) * (64) + (c)).
  bool write_index() {
    const OutlinedArgument* argument = find_argument(token(0));
    if (argument == nullptr || argument->extents.empty()) return false;
    std::vector<Tokens> indices;
    std::size_t end = m_at + 1;
    while (token_at(m_body, end) == "[") {
      const std::size_t begin = end;
      end = past_brackets(m_body, begin, most_tokens);
      if (end > m_body.size() || token_at(m_body, end - 1) != "]") return false;
      indices.push_back(slice(m_body, begin + 1, end - 1));
    }
    if (indices.size() != argument->extents.size() + 1) return false;
    const Tokens name = {m_body[m_at], "["};
    m_plain.insert(m_plain.end(), name.begin(), name.end());
    for (std::size_t i = 1; i < indices.size(); ++i) m_plain.emplace_back("(");
    write_in_parentheses(indices[0]);
    for (std::size_t i = 1; i < indices.size(); ++i) {
      m_plain.emplace_back("*");
      write_in_parentheses(argument->extents[i - 1]);
      m_plain.emplace_back("+");
      write_in_parentheses(indices[i]);
      m_plain.emplace_back(")");
    }
    m_plain.emplace_back("]");
    m_at = end;
    return true;
  }

  bool write_member() {
    const bool is_member = token(1) == "." && is_word(token(2)) && token(3) == "[" &&
                           is_number(token(4)) && token(5) == "]";
    if (!is_member || find_argument(token(0)) == nullptr) return false;
    m_plain.emplace_back(token(0));
    m_plain.emplace_back(".");
    m_plain.push_back(std::string(token(2)) + "_" + std::string(token(4)));
    m_at += 6;
    return true;
  }

  /// Brackets that are not closed would take quadratic time.
  static constexpr std::size_t most_tokens = 200;

  const Tokens& m_body;
  const std::vector<OutlinedArgument>& m_arguments;
  const TypeBytes& m_types;
  Tokens m_plain;
  std::size_t m_at = 0;
};

}  // namespace

std::optional<std::size_t> bytes_of_view(std::string_view token) {
  const std::string_view prefix = view_prefix;
  if (!token.starts_with(prefix)) return std::nullopt;
  std::size_t bytes = 0;
  std::from_chars(token.data() + prefix.size(), token.data() + token.size(), bytes);
  return bytes;
}

Tokens plain_arithmetic(const Tokens& body, const std::vector<OutlinedArgument>& arguments,
                        const TypeBytes& types) {
  return PlainWriter(body, arguments, types).run();
}

}  // namespace gtune
