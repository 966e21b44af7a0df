#include "authoring/argument_use.hpp"

#include <string_view>

namespace gtune {
namespace {

class Body {
 public:
  explicit Body(const Tokens& tokens) : m_tokens(tokens) {}

  [[nodiscard]] ArgumentUse use_of(const std::string& name) const {
    bool is_read = false;
    bool is_written = false;
    for (std::size_t at = 0; at < m_tokens.size(); ++at) {
      const std::size_t length = length_of_name(m_tokens, at, name);
      if (length == 0 || is_declared(at)) continue;
      if (token(at + length) == "+" && token(at + length + 1) == "=") continue;  // moved
      if (is_equality(m_tokens, at + length)) continue;
      if (token(at + length) == "+") {
        const Callee callee = callee_of(at);
        if (callee == Callee::unknown) return ArgumentUse::unknown;
        (callee == Callee::stores ? is_written : is_read) = true;
        continue;
      }
      if (token(at + length) != "[" || is_taken_as_address(at)) return ArgumentUse::unknown;
      const std::size_t end = past_indices(at + length);
      if (token(end) == "." || changes_in_place(at, end) || is_bound(at)) {
        return ArgumentUse::unknown;
      }
      const bool is_assigned = token(end) == "=" && token(end + 1) != "=";
      (is_assigned ? is_written : is_read) = true;
    }
    if (is_read == is_written) return ArgumentUse::unknown;
    return is_read ? ArgumentUse::only_read : ArgumentUse::only_written;
  }

 private:
  enum class Callee { unknown, loads, stores };

  /// What the function that takes `name + i` at `at` does, judging by its name:
  /// `load<16>(data, x + i)`.
  [[nodiscard]] Callee callee_of(std::size_t at) const {
    int depth = 0;
    while (at-- > 1) {
      if (token(at) == ")") ++depth;
      if (token(at) == ";" || token(at) == "{") break;
      if (token(at) != "(" || --depth >= 0) continue;
      if (token(--at) == ">") {
        while (at > 0 && token(at) != "<" && token(at) != ";") --at;
        at = at == 0 ? 0 : at - 1;
      }
      const std::string name(token(at));
      const bool stores = name.find("tore") != name.npos || name.find("rite") != name.npos;
      const bool loads = name.find("oad") != name.npos || name.find("ldg") != name.npos;
      if (stores == loads) break;
      return stores ? Callee::stores : Callee::loads;
    }
    return Callee::unknown;
  }

  [[nodiscard]] std::string_view token(std::size_t at) const { return token_at(m_tokens, at); }
  [[nodiscard]] std::string_view before(std::size_t at, std::size_t steps) const {
    return at >= steps ? token(at - steps) : std::string_view();
  }

  /// `const float* name = rows[i];`
  [[nodiscard]] bool is_declared(std::size_t at) const {
    return (is_word(before(at, 1)) || before(at, 1) == "*") && token(at + 1) == "=";
  }

  /// `&name[i]`. `a & name[i]` and `a && name[i]` read an element, but look the same here.
  [[nodiscard]] bool is_taken_as_address(std::size_t at) const {
    const std::string_view outer = before(at, 3);
    const bool is_in_parentheses = before(at, 1) == "(" && before(at, 2) == "&" &&
                                   (outer == "(" || outer == "," || outer == "=");
    if (is_in_parentheses) return true;  // f(&(name[i]))
    const bool is_loaded = before(at, 2) == "(" && before(at, 3).starts_with("__ld");
    return before(at, 1) == "&" && !is_loaded;
  }

  /// `float& c = name[i];`. The reference may be written through, unless it is to something const.
  [[nodiscard]] bool is_bound(std::size_t at) const {
    if (before(at, 1) != "=" || !is_word(before(at, 2)) || before(at, 3) != "&") return false;
    std::size_t type = 4;
    while (is_word(before(at, type)) && before(at, type) != "const") ++type;
    return before(at, type) != "const";
  }

  /// `name[i] += 1`, `name[i]++`, `++name[i]`
  [[nodiscard]] bool changes_in_place(std::size_t at, std::size_t end) const {
    constexpr std::string_view operators = "+-*/%&|^";
    const bool is_operator =
        token(end).size() == 1 && operators.find(token(end).front()) != operators.npos;
    const bool is_shift = (token(end) == "<" || token(end) == ">") &&
                          token(end + 1) == token(end) && token(end + 2) == "=";
    const bool counts =
        (before(at, 1) == "+" || before(at, 1) == "-") && before(at, 2) == before(at, 1);
    const bool is_counted =
        (token(end) == "+" || token(end) == "-") && token(end + 1) == token(end);
    return (is_operator && token(end + 1) == "=") || is_shift || counts || is_counted;
  }

  /// The position after `[i][j]`.
  [[nodiscard]] std::size_t past_indices(std::size_t at) const {
    while (token(at) == "[") at = past_brackets(m_tokens, at);
    return at;
  }

  const Tokens& m_tokens;
};

}  // namespace

ArgumentUse argument_use(const Tokens& body, const std::string& name) {
  return name.empty() ? ArgumentUse::unknown : Body(body).use_of(name);
}

}  // namespace gtune
