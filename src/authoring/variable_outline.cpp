#include "authoring/variable_outline.hpp"

#include <algorithm>
#include <map>

namespace gtune {
namespace {

bool is_memory_space(std::string_view token) {
  return token == "__constant__" || token == "__device__" || token == "__managed__";
}

/// Whether a variable's name may stand before this token; a function's stands before `(` or `<`.
bool ends_name(std::string_view token) {
  return token == "[" || token == "=" || token == "{" || token == "," || token == ";";
}

class VariableOutliner {
 public:
  explicit VariableOutliner(const Tokens& tokens) : m_tokens(tokens) {}

  [[nodiscard]] std::vector<OutlinedVariable> run() && {
    while (m_at < m_tokens.size()) {
      const std::string& token = m_tokens[m_at];
      if (token == "{") {
        const bool is_linkage = m_at > 0 && m_tokens[m_at - 1] == "\"";  // extern "C" {
        m_at = is_linkage ? m_at + 1 : past_brackets(m_tokens, m_at);
      } else if (is_memory_space(token)) {
        read_declaration();
      } else {
        ++m_at;
      }
    }
    return std::move(m_variables);
  }

 private:
  [[nodiscard]] std::string_view token() const { return token_at(m_tokens, m_at); }

  /// `__constant__ float weights[N][M], bias;`
  void read_declaration() {
    const bool is_extern = m_at > 0 && m_tokens[m_at - 1] == "extern";
    Tokens type;
    for (;;) {
      Tokens words = take_words();
      if (type.empty() && defines_struct(words)) {
        type = slice(words, 1, 2);
        m_at = past_brackets(m_tokens, m_at);
        words = take_words();
        if (type.empty() && !words.empty()) type = {words.back()};  // so TypeOutline calls it
      }
      if (words.empty() || !ends_name(token())) return;
      OutlinedVariable variable;
      variable.name = std::move(words.back());
      words.pop_back();
      if (type.empty()) type = words;  // of the first name; the others have only asterisks
      variable.type = type;
      const bool is_pointer = std::find(words.begin(), words.end(), "*") != words.end();
      while (token() == "[") {
        const std::size_t end = past_brackets(m_tokens, m_at);
        variable.extents.push_back(slice(m_tokens, m_at + 1, end - 1));
        m_at = end;
      }
      const bool has_value = token() == "=" || token() == "{";
      if (!has_value && !is_pointer && !is_extern) m_variables.push_back(std::move(variable));
      while (m_at < m_tokens.size() && token() != "," && token() != ";") {
        m_at = token() == "{" || token() == "(" ? past_brackets(m_tokens, m_at) : m_at + 1;
      }
      if (token() != ",") return;
      ++m_at;
    }
  }

  /// Whether the body of `struct {` or `struct Params {` follows these words.
  [[nodiscard]] bool defines_struct(const Tokens& words) const {
    const bool is_struct =
        !words.empty() && (words[0] == "struct" || words[0] == "class" || words[0] == "union");
    return is_struct && words.size() <= 2 && token() == "{";
  }

  /// A type's words and asterisks and a name, without memory spaces and alignments.
  Tokens take_words() {
    Tokens words;
    while (is_word(token()) || token() == "*" || token() == ":") {
      const bool is_alignment = token() == "__align__" || token() == "alignas";
      if (is_alignment) {
        m_at = past_brackets(m_tokens, m_at + 1);
        continue;
      }
      if (!is_memory_space(token())) words.emplace_back(token());
      ++m_at;
    }
    return words;
  }

  const Tokens& m_tokens;
  std::size_t m_at = 0;
  std::vector<OutlinedVariable> m_variables;
};

}  // namespace

std::map<std::string, Tokens> functions_in(const Tokens& tokens) {
  static const Tokens statements = {"if", "for", "while", "switch", "catch"};
  std::map<std::string, Tokens> functions;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& name = tokens[at];
    if (!is_word(name) || token_at(tokens, at + 1) != "(") continue;
    if (std::find(statements.begin(), statements.end(), name) != statements.end()) continue;
    const std::size_t end = past_brackets(tokens, at + 1);
    if (token_at(tokens, end) != "{") continue;
    const Tokens body = slice(tokens, end, past_brackets(tokens, end));
    Tokens& all = functions[name];  // of overloads together
    all.insert(all.end(), body.begin(), body.end());
  }
  return functions;
}

std::vector<OutlinedVariable> outline_variables(const Tokens& tokens) {
  return VariableOutliner(tokens).run();
}

std::set<std::string> reachable_words(const Tokens& body, const Tokens& source) {
  const std::map<std::string, Tokens> functions = functions_in(source);
  std::set<std::string> words;
  std::vector<const Tokens*> bodies = {&body};
  while (!bodies.empty()) {
    const Tokens& next = *bodies.back();
    bodies.pop_back();
    for (const std::string& token : next) {
      if (!is_word(token) || !words.insert(token).second) continue;
      const auto called = functions.find(token);
      if (called != functions.end()) bodies.push_back(&called->second);
    }
  }
  return words;
}

}  // namespace gtune
