#include "authoring/conditional_text.hpp"

#include <algorithm>
#include <utility>

namespace gtune {
namespace {

constexpr std::size_t longest_condition = 80;

/// A condition in one line of ASCII, for a comment.
std::string shown(const Directive& directive) {
  std::string text = "#" + directive.name + " " + trimmed(directive.rest);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = ' ';
  }
  if (text.size() > longest_condition) text = text.substr(0, longest_condition) + "...";
  return text;
}

class ConditionalReader : public SourceListener {
 public:
  explicit ConditionalReader(DefinedMacros& macros) : m_macros(macros) {}

  void on_token(std::string token) override {
    for (Group& group : m_groups) group.has_text = true;
    if (is_read()) {
      m_text.tokens.push_back(std::move(token));
    } else {
      m_text.conditions[outermost_unread()].skipped.push_back(std::move(token));
    }
  }

  void on_directive(std::string_view text, std::size_t line) override {
    const std::vector<Directive> parsed = read_directives(text, {});
    if (parsed.empty()) return;
    const Directive& directive = parsed.front();
    const std::string& name = directive.name;
    const std::string guard = std::exchange(m_guard, "");
    if (name == "define" && !guard.empty() && trimmed(directive.rest) == guard && is_read()) {
      m_text.conditions.back().verdict.is_assumed = false;  // #ifndef FILE_H, #define FILE_H
    }
    if (name == "ifndef") m_guard = trimmed(directive.rest);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      m_groups.push_back({m_text.conditions.size(), m_text.tokens.size(), is_read()});
      decide(directive, line);
    } else if (name == "endif") {
      end_group();
    } else if (name.starts_with("el")) {
      change_branch(directive, line);
    } else if (is_read() && name == "define") {
      define(directive);
    } else if (is_read() && name == "undef") {
      m_macros.undefine(std::string(trimmed(directive.rest)));
    }
  }

  [[nodiscard]] ConditionalText take() && {
    while (!m_groups.empty()) end_group();
    return std::move(m_text);
  }

 private:
  /// #if, its #elif and #else up to #endif.
  struct Group {
    std::size_t first_condition;
    std::size_t begin;
    bool is_outer_read;
    bool is_read = false;   // the current branch
    bool was_read = false;  // the current branch or one before
    bool has_text = false;
  };

  void define(const Directive& directive) {
    m_macros.define(directive.rest);
    std::string_view rest = directive.rest;
    const std::string name = take_identifier(rest);
    ExpandedMacro macro{rest.starts_with('('), source_tokens(rest)};
    const auto has = [&](const char* word) {
      return std::find(macro.tokens.begin(), macro.tokens.end(), word) != macro.tokens.end();
    };
    const bool is_of_indices = macro.has_parameters && (has("blockIdx") || has("threadIdx"));
    const bool is_computed = macro.has_parameters
                                 ? is_arithmetic(macro, "+-*()")
                                 : names_choice(macro) && is_arithmetic(macro, "+-*/()");
    m_text.expanded_macros.erase(name);
    if (!has("__global__") && !is_of_indices && !is_computed) return;
    if (macro.has_parameters && past_brackets(macro.tokens, 0) > most_parameter_tokens) return;
    m_text.expanded_macros.insert_or_assign(name, std::move(macro));
  }

  static constexpr std::size_t most_parameter_tokens = 200;  // they are read at each use

  /// Whether it follows from macros that the build may choose.
  [[nodiscard]] bool names_choice(const ExpandedMacro& macro) const {
    return std::any_of(macro.tokens.begin(), macro.tokens.end(),
                       [&](const std::string& token) { return m_macros.is_choice(token); });
  }

  /// Whether a macro has a text of nothing but names, numbers and these signs.
  [[nodiscard]] static bool is_arithmetic(const ExpandedMacro& macro, std::string_view signs) {
    const std::size_t begin = macro.has_parameters ? past_brackets(macro.tokens, 0) : 0;
    const auto text = macro.tokens.begin() + static_cast<std::ptrdiff_t>(begin);
    return text != macro.tokens.end() &&
           std::adjacent_find(text, macro.tokens.end(),
                              [](const std::string& a, const std::string& b) {
                                return is_word(a) && (is_word(b) || b == "(");  // a call, a type
                              }) == macro.tokens.end() &&
           std::all_of(text, macro.tokens.end(), [&](const std::string& token) {
             return is_word(token) || is_number(token) ||
                    (token.size() == 1 && signs.find(token) != std::string_view::npos);
           });
  }

  [[nodiscard]] bool is_read() const { return m_groups.empty() || m_groups.back().is_read; }

  /// The first condition of the outermost group whose current branch is not read.
  [[nodiscard]] std::size_t outermost_unread() const {
    for (const Group& group : m_groups) {
      if (!group.is_read) return group.first_condition;
    }
    return 0;
  }

  /// Evaluates a condition that decides about a branch of the last group.
  void decide(const Directive& directive, std::size_t line) {
    Group& group = m_groups.back();
    if (!group.is_outer_read) return;
    const ConditionVerdict verdict = m_macros.evaluate(directive);
    group.is_read = group.was_read = verdict.holds;
    m_text.conditions.push_back({line, shown(directive), verdict});
  }

  void change_branch(const Directive& directive, std::size_t line) {
    if (m_groups.empty()) return;
    Group& group = m_groups.back();
    if (group.was_read) {
      group.is_read = false;
    } else if (directive.name == "else") {
      group.is_read = group.was_read = group.is_outer_read;
    } else {
      decide(directive, line);
    }
  }

  void end_group() {
    if (m_groups.empty()) return;
    const Group group = m_groups.back();
    m_groups.pop_back();
    if (!group.is_outer_read) return;
    // Conditions of inner groups have their ranges already.
    for (std::size_t i = group.first_condition; i < m_text.conditions.size(); ++i) {
      SourceCondition& condition = m_text.conditions[i];
      if (condition.is_ended) continue;
      condition.is_ended = true;
      condition.begin = group.begin;
      condition.end = m_text.tokens.size();
      condition.has_text = group.has_text;
    }
  }

  DefinedMacros& m_macros;
  ConditionalText m_text;
  std::string m_guard;  // the name in the #ifndef directly before
  std::vector<Group> m_groups;
};

constexpr std::size_t most_after_macros = 1000000;  // tokens

/// Replaces the uses of macros by their text, in which others are not replaced.
class MacroExpansion {
 public:
  explicit MacroExpansion(ConditionalText& text) : m_text(text) {}

  void run() {
    const Tokens source = std::move(m_text.tokens);
    std::vector<std::size_t> places;  // of the source's tokens in the expanded text
    for (std::size_t at = 0; at < source.size(); ++at) {
      places.resize(at + 1, m_all.size());
      const auto macro = m_text.expanded_macros.find(source[at]);
      const bool is_use = macro != m_text.expanded_macros.end() &&
                          m_all.size() < most_after_macros &&
                          (!macro->second.has_parameters || token_at(source, at + 1) == "(");
      if (!is_use) {
        m_all.push_back(source[at]);
      } else if (macro->second.has_parameters) {
        const std::size_t end = past_brackets(source, at + 1);
        expand(macro->second, between_commas(source, at + 2, end - 1, AngleBrackets::compare));
        at = end - 1;
      } else {
        expand(macro->second, {});
      }
    }
    places.resize(source.size() + 1, m_all.size());
    for (SourceCondition& each : m_text.conditions) {
      each.begin = places[each.begin];
      each.end = places[each.end];
    }
    m_text.tokens = std::move(m_all);
  }

 private:
  /// `a##b` joins words.
  void expand(const ExpandedMacro& called, const std::vector<Tokens>& arguments) {
    const Tokens& macro = called.tokens;
    const std::size_t begin = called.has_parameters ? past_brackets(macro, 0) : 0;
    const std::vector<Tokens> parameters =
        begin > 1 ? between_commas(macro, 1, begin - 1) : std::vector<Tokens>();
    bool joins = false;
    for (std::size_t at = begin; at < macro.size() && m_all.size() < most_after_macros; ++at) {
      if (stands_at(macro, at, {"#", "#"})) {
        joins = true;
        ++at;
        continue;
      }
      Tokens piece = {macro[at]};
      for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
        if (parameters[i] == Tokens{macro[at]}) piece = arguments[i];
      }
      for (std::string& token : piece) {
        if (std::exchange(joins, false) && !m_all.empty()) {
          m_all.back() += token;
        } else {
          m_all.push_back(std::move(token));
        }
      }
    }
  }

  ConditionalText& m_text;
  Tokens m_all;
};

void expand_macros(ConditionalText& text) {
  if (!text.expanded_macros.empty()) MacroExpansion(text).run();
}

}  // namespace

ConditionalText read_conditional_text(std::string_view text, DefinedMacros& macros) {
  ConditionalReader reader(macros);
  read_source(text, reader);
  ConditionalText read = std::move(reader).take();
  expand_macros(read);
  return read;
}

}  // namespace gtune
