#include "authoring/type_outline.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "authoring/cpp_types.hpp"

namespace gtune {
namespace {

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

/// The text in the parentheses of `alignas(16)` or `__align__(16)` at `at`.
std::optional<Tokens> alignment_at(const Tokens& tokens, std::size_t at) {
  if (!is_one_of(token_at(tokens, at), {"alignas", "__align__"})) return std::nullopt;
  if (token_at(tokens, at + 1) != "(") return std::nullopt;
  return slice(tokens, at + 2, past_brackets(tokens, at + 1) - 1);
}

/// The members between a struct's braces.
class MemberReader {
 public:
  explicit MemberReader(Tokens body) : m_body(std::move(body)) {}

  /// Absent if a member is not understood.
  [[nodiscard]] std::optional<std::vector<OutlinedMember>> read() && {
    while (m_at < m_body.size() && m_understood) {
      const bool is_access = is_one_of(token_at(m_body, m_at), {"public", "private", "protected"});
      if (is_access && token_at(m_body, m_at + 1) == ":") {
        m_at += 2;
      } else {
        read_statement();
      }
    }
    if (!m_understood) return std::nullopt;
    return std::move(m_members);
  }

 private:
  /// Reads up to a semicolon, or past the body of a function.
  void read_statement() {
    Tokens statement;
    Tokens alignment;
    bool is_function = false;
    while (m_at < m_body.size() && m_body[m_at] != ";") {
      if (auto found = alignment_at(m_body, m_at)) {
        alignment = std::move(*found);
        m_at = past_brackets(m_body, m_at + 1);
        continue;
      }
      const bool opens = is_one_of(m_body[m_at], {"(", "{", "["});
      is_function = is_function || (m_body[m_at] == "(" && !contains(statement, "="));
      const bool ends = is_function && m_body[m_at] == "{";
      const std::size_t end = opens ? past_brackets(m_body, m_at) : m_at + 1;
      const Tokens part = slice(m_body, m_at, end);
      statement.insert(statement.end(), part.begin(), part.end());
      m_at = end;
      if (ends) return;
    }
    ++m_at;
    if (!is_function) declare(statement, alignment);
  }

  static bool contains(const Tokens& tokens, std::string_view token) {
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
  }

  /// `const float *x, *y;`, `int size[2] = {1, 1};`
  void declare(Tokens statement, const Tokens& alignment) {
    if (statement.empty()) return;
    const std::string& first = statement.front();
    if (is_one_of(first, {"static", "using", "typedef", "friend"})) return;
    if (is_one_of(first, {"struct", "class", "enum", "union"}) && contains(statement, "{")) {
      m_understood = false;
      return;
    }
    Tokens type;
    for (const Tokens& part : between_commas(statement, 0, statement.size())) {
      add_member(part, type, alignment);
    }
  }

  /// `part`: a declarator; the first one of a statement begins with the type.
  void add_member(const Tokens& part, Tokens& type, const Tokens& alignment) {
    OutlinedMember member;
    member.alignment = alignment;
    std::size_t end = 0;
    while (end < part.size() && !is_one_of(part[end], {"[", "=", "{"})) ++end;
    if (end == 0 || !is_word(part[end - 1])) {
      m_understood = false;
      return;
    }
    member.name = part[end - 1];
    Tokens before = slice(part, 0, end - 1);
    const bool is_colon_alone = has_lone_colon(part);
    if (is_colon_alone || contains(before, "&")) {
      m_understood = false;
      return;
    }
    if (type.empty()) {
      type = before;
      std::erase(type, "*");
      member.type = std::move(before);
    } else {
      member.type = type;
      member.type.insert(member.type.end(), before.begin(), before.end());
    }
    for (std::size_t at = end; token_at(part, at) == "["; at = past_brackets(part, at)) {
      member.extents.push_back(slice(part, at + 1, past_brackets(part, at) - 1));
    }
    m_members.push_back(std::move(member));
  }

  /// Whether it is a bit field.
  static bool has_lone_colon(const Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] != ":") continue;
      if (token_at(tokens, i + 1) != ":") return true;
      ++i;
    }
    return false;
  }

  Tokens m_body;
  std::size_t m_at = 0;
  bool m_understood = true;
  std::vector<OutlinedMember> m_members;
};

class TypeOutliner {
 public:
  explicit TypeOutliner(const Tokens& tokens) : m_tokens(tokens) {}

  [[nodiscard]] TypeOutline run() && {
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      const std::string& token = m_tokens[m_at];
      if (token == "namespace") {
        read_namespace();
      } else if (token == "{") {
        m_scopes.push_back(std::exchange(m_next_scope, ""));
      } else if (token == "}") {
        if (!m_scopes.empty()) m_scopes.pop_back();
      } else if (is_one_of(token, {"struct", "class"})) {
        read_struct();
      } else if (token == "enum") {
        read_enum();
      } else if (token == "using" && token_at(m_tokens, m_at + 2) == "=") {
        add_alias(m_tokens[m_at + 1], m_at + 3, end_of_statement(m_at));
      } else if (token == "typedef") {
        read_typedef();
      }
    }
    for (const std::string& name : m_specialized) m_outline.structs.erase(name);
    return std::move(m_outline);
  }

 private:
  /// `namespace a::inline b {`
  void read_namespace() {
    std::string name;
    std::size_t at = m_at + 1;
    for (; is_word(token_at(m_tokens, at)) || token_at(m_tokens, at) == ":"; ++at) {
      if (m_tokens[at] != "inline") name += m_tokens[at];
    }
    if (token_at(m_tokens, at) != "{") return;
    m_next_scope = name;
    m_at = at - 1;
  }

  void begin_class(const std::string& name) {
    if (!name.empty()) m_outline.classes.insert(full_name(name));
    m_next_scope = name;
  }

  /// "ns::Name" for a type that is defined here.
  [[nodiscard]] std::string full_name(const std::string& name) const {
    std::string full;
    for (const std::string& scope : m_scopes) {
      if (!scope.empty()) full += scope + "::";
    }
    return full + name;
  }

  [[nodiscard]] std::size_t end_of_statement(std::size_t at) const {
    while (at < m_tokens.size() && m_tokens[at] != ";") {
      at = m_tokens[at] == "{" ? past_brackets(m_tokens, at) : at + 1;
    }
    return at;
  }

  void add_alias(const std::string& name, std::size_t begin, std::size_t end) {
    Tokens type = slice(m_tokens, begin, end);
    for (std::size_t at = begin; at < end; ++at) {
      if (stands_at(m_tokens, at, {"(", "*", ")"})) m_outline.function_types.insert(name);
    }
    m_outline.aliases.emplace(name, std::move(type));
  }

  /// `typedef float* Row;`. read_struct() reads a typedef that defines a struct.
  void read_typedef() {
    const std::size_t end = end_of_statement(m_at);
    for (std::size_t at = m_at; at < end; ++at) {  // typedef float (*Function)(float);
      const bool is_function = stands_at(m_tokens, at, {"(", "*"}) &&
                               is_word(token_at(m_tokens, at + 2)) &&
                               stands_at(m_tokens, at + 3, {")", "("});
      if (is_function) m_outline.function_types.insert(m_tokens[at + 2]);
    }
    if (end < m_at + 3 || !is_word(token_at(m_tokens, end - 1))) return;
    const auto begin = m_tokens.begin() + static_cast<std::ptrdiff_t>(m_at);
    const auto stop = m_tokens.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::find(begin, stop, "{") != stop) return;
    add_alias(m_tokens[end - 1], m_at + 1, end - 1);
  }

  /// `enum class Name : int { a, b = 3 };`
  void read_enum() {
    OutlinedEnum found;
    std::size_t at = m_at + 1;
    found.is_scoped = is_one_of(token_at(m_tokens, at), {"class", "struct"});
    if (found.is_scoped) ++at;
    const std::string name(token_at(m_tokens, at));
    while (at < m_tokens.size() && !is_one_of(m_tokens[at], {"{", ";"})) ++at;
    if (!is_word(name) || token_at(m_tokens, at) != "{") return;
    for (const Tokens& one : between_commas(m_tokens, at + 1, past_brackets(m_tokens, at) - 1)) {
      const bool is_new = !one.empty() && std::find(found.values.begin(), found.values.end(),
                                                    one.front()) == found.values.end();
      if (is_new && is_word(one.front())) found.values.push_back(one.front());
    }
    if (!found.values.empty()) m_outline.enums.emplace(full_name(name), std::move(found));
  }

  /// `struct alignas(16) Name {...};`, `typedef struct tag {...} Name;`
  void read_struct() {
    const std::string_view before = m_at == 0 ? std::string_view() : token_at(m_tokens, m_at - 1);
    if (is_one_of(before, {"enum", "<", ","})) return;  // an enum or a template parameter
    OutlinedStruct found;
    std::string name;
    std::size_t at = m_at + 1;
    while (at < m_tokens.size() && is_word(m_tokens[at])) {
      if (auto alignment = alignment_at(m_tokens, at)) {
        found.alignment = std::move(*alignment);
        at = past_brackets(m_tokens, at + 1);
      } else {
        name = m_tokens[at++];
      }
    }
    if (token_at(m_tokens, at) == ":") {  // base classes
      while (at < m_tokens.size() && !is_one_of(m_tokens[at], {"{", ";", ")"})) ++at;
      if (token_at(m_tokens, at) == "{") begin_class(name);
      return;
    }
    if (before == ">" && token_at(m_tokens, at) == "<") m_specialized.insert(name);
    if (token_at(m_tokens, at) != "{") return;
    begin_class(name);
    const std::size_t end = past_brackets(m_tokens, at);
    auto members = MemberReader(slice(m_tokens, at + 1, end - 1)).read();
    if (!members) return;
    found.members = std::move(*members);
    if (before == ">") found.parameters = template_parameters();
    const bool names_it = before == "typedef" || name.empty();
    if (names_it && is_word(token_at(m_tokens, end))) {
      m_outline.structs.emplace(m_tokens[end], found);
    }
    if (!name.empty()) m_outline.structs.emplace(name, std::move(found));
  }

  /// The parameters of the template whose head ends before the current token.
  [[nodiscard]] std::vector<std::string> template_parameters() const {
    const std::size_t first = m_at - std::min(m_at, longest_template_head);
    for (std::size_t at = m_at; at-- > first && !is_one_of(m_tokens[at], {";", "{", "}"});) {
      const bool is_head =
          m_tokens[at] == "template" &&
          past_brackets(m_tokens, at + 1, longest_template_head) == m_at;  // no parameter of it
      if (is_head) return template_parameter_names(m_tokens, at);
    }
    return {};
  }

  const Tokens& m_tokens;
  std::size_t m_at = 0;
  std::set<std::string> m_specialized;
  std::vector<std::string> m_scopes;  // names of namespaces and structs; "" for other braces
  std::string m_next_scope;           // of the next brace
  TypeOutline m_outline;
};

/// Whether a full name, "a::b::Mode", ends with the name `end`, "b::Mode".
bool ends_with_name(const std::string& full, const std::string& end) {
  return full == end || full.ends_with("::" + end);
}

const std::string& name_of(const std::string& one) { return one; }
const std::string& name_of(const std::pair<const std::string, OutlinedEnum>& one) {
  return one.first;
}

template <typename Names>
std::string name_within(const Names& names, const std::string& written, std::string scope) {
  for (;;) {
    if (names.contains(scope + written)) return scope + written;
    if (scope.empty()) break;
    const std::size_t outer = scope.size() > 2 ? scope.rfind("::", scope.size() - 3) : scope.npos;
    scope.erase(outer == scope.npos ? 0 : outer + 2);
  }
  const auto like = [&](const std::string& name) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) {
      return ends_with_name(name_of(one), name);
    });
    return found == names.end() ? "" : name_of(*found);
  };
  const std::string found = like(written);
  return found.empty() ? like(without_namespaces(written)) : found;
}

}  // namespace

std::string TypeOutline::enum_named(const std::string& written, const std::string& scope) const {
  return name_within(enums, written, scope);
}

std::string TypeOutline::class_named(const std::string& written, const std::string& scope) const {
  return name_within(classes, written, scope);
}

TypeOutline outline_types(const Tokens& tokens) { return TypeOutliner(tokens).run(); }

}  // namespace gtune
