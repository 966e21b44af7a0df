#include "authoring/argument_use.hpp"

#include <string_view>

namespace gtune {
namespace {

class Body {
 public:
  explicit Body(const std::vector<std::string>& tokens) : m_tokens(tokens) {}

  [[nodiscard]] ArgumentUse use_of(const std::string& name) const {
    bool is_read = false;
    bool is_written = false;
    for (std::size_t at = 0; at < m_tokens.size(); ++at) {
      if (m_tokens[at] != name || is_member(at)) continue;
      if (token(at + 1) != "[" || is_taken_as_address(at)) return ArgumentUse::unknown;
      const std::size_t behind = past_brackets(at + 1);
      if (token(behind) == "." || changes_in_place(at, behind)) return ArgumentUse::unknown;
      const bool is_assigned = token(behind) == "=" && token(behind + 1) != "=";
      (is_assigned ? is_written : is_read) = true;
    }
    if (is_read == is_written) return ArgumentUse::unknown;
    return is_read ? ArgumentUse::only_read : ArgumentUse::only_written;
  }

 private:
  [[nodiscard]] std::string_view token(std::size_t at) const {
    return at < m_tokens.size() ? std::string_view(m_tokens[at]) : std::string_view();
  }
  [[nodiscard]] std::string_view before(std::size_t at, std::size_t steps) const {
    return at >= steps ? token(at - steps) : std::string_view();
  }

  /// `other.name`, `other->name`
  [[nodiscard]] bool is_member(std::size_t at) const {
    return before(at, 1) == "." || (before(at, 1) == ">" && before(at, 2) == "-");
  }

  /// `&name[i]`; `a & name[i]` and `a && name[i]` read an element, and are not told apart from it.
  [[nodiscard]] bool is_taken_as_address(std::size_t at) const { return before(at, 1) == "&"; }

  /// `name[i] += 1`, `name[i]++`, `++name[i]`
  [[nodiscard]] bool changes_in_place(std::size_t at, std::size_t behind) const {
    constexpr std::string_view operators = "+-*/%&|^";
    const bool is_operator =
        token(behind).size() == 1 && operators.find(token(behind).front()) != operators.npos;
    const bool is_shift = (token(behind) == "<" || token(behind) == ">") &&
                          token(behind + 1) == token(behind) && token(behind + 2) == "=";
    const bool counts =
        (before(at, 1) == "+" || before(at, 1) == "-") && before(at, 2) == before(at, 1);
    const bool is_counted =
        (token(behind) == "+" || token(behind) == "-") && token(behind + 1) == token(behind);
    return (is_operator && token(behind + 1) == "=") || is_shift || counts || is_counted;
  }

  /// Past `[i][j]`.
  [[nodiscard]] std::size_t past_brackets(std::size_t at) const {
    int depth = 0;
    for (; at < m_tokens.size(); ++at) {
      if (m_tokens[at] == "[") ++depth;
      if (m_tokens[at] == "]" && --depth == 0 && token(at + 1) != "[") return at + 1;
    }
    return at;
  }

  const std::vector<std::string>& m_tokens;
};

}  // namespace

ArgumentUse argument_use(const std::vector<std::string>& body, const std::string& name) {
  return name.empty() ? ArgumentUse::unknown : Body(body).use_of(name);
}

}  // namespace gtune
