#include "authoring/argument_use.hpp"

#include <string_view>

#include "authoring/pointer_copies.hpp"
#include "authoring/pointer_moves.hpp"

namespace gtune {
namespace {

class Body {
 public:
  explicit Body(const Tokens& tokens) : m_tokens(tokens) {}

  [[nodiscard]] ArgumentUse use_of(const std::string& name) {
    m_copies_left = most_copies;
    const bool is_known = read(name, 0, m_tokens.size());
    if (!is_known || m_is_read == m_is_written) return ArgumentUse::unknown;
    return m_is_read ? ArgumentUse::only_read : ArgumentUse::only_written;
  }

 private:
  enum class Callee { unknown, loads, stores };

  static constexpr int most_copies = 64;  // each takes as long as the body

  /// Reads the uses of a pointer between two positions. False if one is not understood.
  bool read(const std::string& name, std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const std::size_t length = length_of_name(m_tokens, at, name);
      if (length == 0 || is_declared_with_value(m_tokens, at)) continue;
      std::size_t first = at;
      std::size_t past = at + length;
      if (const auto cast = cast_of_pointer(m_tokens, at, length)) {
        first = cast->at;
        past = cast->at + cast->length;
      }
      if (!read_at(first, past)) return false;
    }
    return true;
  }

  /// Reads the pointer at `at`, which ends before `past`.
  bool read_at(std::size_t at, std::size_t past) {
    if (is_dereferenced(m_tokens, at, past - at)) return read_first_element(at, past);
    if (move_at(m_tokens, at, past - at) || is_equality(m_tokens, past)) return true;
    if (const auto copy = copy_of_pointer(m_tokens, at, past - at); copy && m_copies_left > 0) {
      --m_copies_left;
      return read(copy->name, copy->end, next_definition(m_tokens, copy->name, copy->at));
    }
    if (token(past) == "+") {
      const Callee callee = callee_of(at);
      if (callee == Callee::unknown) return false;
      (callee == Callee::stores ? m_is_written : m_is_read) = true;
      return true;
    }
    if (token(past) != "[" || is_taken_as_address(at)) return false;
    return read_element(at, past_indices(past));
  }

  /// `*p`, `*p++`
  bool read_first_element(std::size_t at, std::size_t past) {
    if (token(past) == "+" && token(past + 1) == "+") past += 2;
    const bool is_prefixed = before(at, 1) == "+";
    const std::size_t star = at - (is_prefixed ? 3 : 1);
    return before(star, 1) != "&" && read_element(star, past);
  }

  /// Reads the use of an element whose text begins at `at` and ends before `end`.
  bool read_element(std::size_t at, std::size_t end) {
    if (token(end) == "." || changes_in_place(at, end) || is_bound(at)) return false;
    const bool is_assigned = token(end) == "=" && token(end + 1) != "=";
    (is_assigned ? m_is_written : m_is_read) = true;
    return true;
  }

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
  int m_copies_left = 0;
  bool m_is_read = false;
  bool m_is_written = false;
};

}  // namespace

ArgumentUse argument_use(const Tokens& body, const std::string& name) {
  return name.empty() ? ArgumentUse::unknown : Body(body).use_of(name);
}

}  // namespace gtune
