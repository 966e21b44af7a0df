#include "authoring/conditional_text.hpp"

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
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      m_groups.push_back({m_text.conditions.size(), m_text.tokens.size(), is_read()});
      decide(directive, line);
    } else if (name == "endif") {
      end_group();
    } else if (name.starts_with("el")) {
      change_branch(directive, line);
    } else if (is_read() && name == "define") {
      m_macros.define(directive.rest);
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
  std::vector<Group> m_groups;
};

}  // namespace

ConditionalText read_conditional_text(std::string_view text, DefinedMacros& macros) {
  ConditionalReader reader(macros);
  read_source(text, reader);
  return std::move(reader).take();
}

}  // namespace gtune
