#include "authoring/source_outline.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "jit/source_directives.hpp"

namespace gtune {
namespace {

/// Words, numbers and single characters; comments, literals and directives are left out.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const auto skip_literal = [&](char quote) {
    std::size_t at = 1;
    while (at < text.size() && text[at] != quote && text[at] != '\n')
      at += text[at] == '\\' ? 2 : 1;
    text.remove_prefix(std::min(at + 1, text.size()));
    tokens.emplace_back(1, quote);  // its place
  };
  bool line_begins = true;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '#' && line_begins) {
      std::size_t end = text.find('\n');
      while (end != text.npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
      text.remove_prefix(std::min(end, text.size()));
    } else if (text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      text.remove_prefix(end == text.npos ? text.size() : end + 2);
    } else if (c == '"') {
      skip_literal(c);
      line_begins = false;
    } else if (is_blank(c) || c == '\n' || c == '\r') {
      line_begins = line_begins || c == '\n';
      text.remove_prefix(1);
    } else {
      line_begins = false;
      std::size_t end = 0;
      while (end < text.size() && is_identifier_part(text[end])) ++end;
      tokens.emplace_back(text.substr(0, std::max<std::size_t>(end, 1)));
      text.remove_prefix(tokens.back().size());
    }
  }
  return tokens;
}

bool is_word(const std::string& token) {
  const char c = token.empty() ? ' ' : token.front();
  return is_identifier_part(c) && (c < '0' || c > '9');
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const bool suffixed = rest.find_first_not_of("uUlL") == rest.npos;
  return error == std::errc() && suffixed ? std::optional(value) : std::nullopt;
}

class Outliner {
 public:
  explicit Outliner(const std::vector<std::string>& tokens) : m_tokens(tokens) {}

  [[nodiscard]] std::vector<OutlinedKernel> kernels() {
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      const std::string& token = m_tokens[m_at];
      if (token == "namespace") {
        read_namespace();
      } else if (token == "{") {
        m_scopes.emplace_back();
      } else if (token == "}") {
        if (!m_scopes.empty()) m_scopes.pop_back();
      } else if (token == "template") {
        m_template = m_at;
      } else if (token == ";") {
        m_template.reset();
      } else if (token == "__global__") {
        read_kernel();
      }
    }
    return std::move(m_kernels);
  }

 private:
  [[nodiscard]] const std::string& token(std::size_t at) const {
    static const std::string none;
    return at < m_tokens.size() ? m_tokens[at] : none;
  }

  /// `namespace a::b {`
  void read_namespace() {
    std::string name;
    std::size_t at = m_at + 1;
    for (; is_word(token(at)) || token(at) == ":"; ++at) name += token(at);
    if (token(at) != "{") return;
    m_scopes.push_back(name);
    m_at = at;
  }

  /// Past the bracket that closes the one at `at`.
  [[nodiscard]] std::size_t behind(std::size_t at, const char* open, const char* close) const {
    int depth = 0;
    for (; at < m_tokens.size(); ++at) {
      if (m_tokens[at] == open) ++depth;
      if (m_tokens[at] == close && --depth == 0) return at + 1;
    }
    return at;
  }

  /// `__global__ void __launch_bounds__(256) name(...)`
  void read_kernel() {
    std::size_t at = m_at + 1;
    std::string name;
    while (is_word(token(at))) {
      const bool takes_arguments = token(at).starts_with("__") && token(at + 1) == "(";
      if (takes_arguments) {
        at = behind(at + 1, "(", ")");
      } else {
        name = token(at++);
      }
    }
    if (name.empty() || name == "void" || token(at) != "(") return;
    OutlinedKernel kernel;
    for (const std::string& scope : m_scopes) {
      if (!scope.empty()) kernel.name += scope + "::";
    }
    kernel.name += name;
    const std::size_t end = behind(at, "(", ")");
    kernel.argument_names = argument_names(at + 1, end - 1);
    kernel.argument_uses = argument_uses(kernel.argument_names, end);
    if (m_template) kernel.template_parameters = template_parameters(*m_template);
    m_template.reset();
    const bool is_new =
        std::none_of(m_kernels.begin(), m_kernels.end(),
                     [&](const OutlinedKernel& other) { return other.name == kernel.name; });
    if (is_new) m_kernels.push_back(std::move(kernel));
    m_at = end - 1;
  }

  /// Ranges of tokens between commas outside of brackets.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> parts(std::size_t begin,
                                                                       std::size_t end) const {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    int depth = 0;
    std::size_t start = begin;
    for (std::size_t at = begin; at < end; ++at) {
      const std::string& one = m_tokens[at];
      if (one == "(" || one == "<" || one == "[" || one == "{") ++depth;
      if (one == ")" || one == ">" || one == "]" || one == "}") --depth;
      if (one != "," || depth != 0) continue;
      ranges.emplace_back(start, at);
      start = at + 1;
    }
    if (start < end) ranges.emplace_back(start, end);
    return ranges;
  }

  [[nodiscard]] std::vector<std::string> argument_names(std::size_t begin, std::size_t end) const {
    std::vector<std::string> names;
    for (const auto& [from, to] : parts(begin, end)) {
      std::string name;
      for (std::size_t at = from; at < to && token(at) != "=" && token(at) != "["; ++at) {
        if (is_word(token(at)) && at > from) name = token(at);
      }
      names.push_back(name);
    }
    return names;
  }

  /// In the body that begins at `at`.
  [[nodiscard]] std::vector<ArgumentUse> argument_uses(const std::vector<std::string>& names,
                                                       std::size_t at) const {
    std::vector<std::string> body;
    if (token(at) == "{") {
      const auto begin = m_tokens.begin() + static_cast<std::ptrdiff_t>(at);
      body.assign(begin, m_tokens.begin() + static_cast<std::ptrdiff_t>(behind(at, "{", "}")));
    }
    std::vector<ArgumentUse> uses;
    for (const std::string& name : names) uses.push_back(argument_use(body, name));
    return uses;
  }

  /// `template <int BM, typename T = float, bool FAST = true>`
  [[nodiscard]] std::vector<TemplateParameter> template_parameters(std::size_t at) const {
    std::vector<TemplateParameter> parameters;
    if (token(at + 1) != "<") return parameters;
    for (const auto& [from, to] : parts(at + 2, behind(at + 1, "<", ">") - 1)) {
      TemplateParameter parameter;
      parameter.is_type = token(from) == "typename" || token(from) == "class";
      std::size_t i = from;
      for (; i < to && token(i) != "="; ++i) {
        parameter.is_bool = parameter.is_bool || token(i) == "bool";
        if (is_word(token(i))) parameter.name = token(i);
      }
      if (i + 2 == to) parameter.default_value = whole_number(token(i + 1));
      parameters.push_back(std::move(parameter));
    }
    return parameters;
  }

  const std::vector<std::string>& m_tokens;
  std::size_t m_at = 0;
  std::vector<std::string> m_scopes;  // names of namespaces; "" for other braces
  std::optional<std::size_t> m_template;
  std::vector<OutlinedKernel> m_kernels;
};

std::string first_word(const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && is_identifier_part(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::vector<SettableMacro> settable_macros(const std::vector<Directive>& directives) {
  std::vector<SettableMacro> macros;
  std::string asked;  // by the directive before
  for (const Directive& directive : directives) {
    const std::string word = first_word(directive.rest);
    if (directive.name == "define" && !word.empty() && word == asked) {
      const auto at = directive.rest.find(word) + word.size();
      const auto value = whole_number(std::string_view(directive.rest).substr(at));
      if (value) macros.push_back({word, *value});
    }
    asked = directive.name == "ifndef" ? word : "";
  }
  return macros;
}

/// Macros that conditions ask for and the source does not define.
class ComparedMacros {
 public:
  explicit ComparedMacros(const std::vector<Directive>& directives) {
    for (const Directive& each : directives) {
      if (each.name == "define") m_defined.insert(first_word(each.rest));
    }
    for (const Directive& each : directives) {
      if (each.name == "if" || each.name == "elif") read(tokens_of(each.rest));
    }
  }

  [[nodiscard]] std::vector<SettableMacro> take() && {
    for (SettableMacro& macro : m_macros) {
      // A single one stands for a choice with whatever is not it.
      const bool is_zero = macro.values == std::vector<std::int64_t>{0};
      if (macro.values.size() == 1) macro.values.push_back(is_zero ? 1 : 0);
      std::sort(macro.values.begin(), macro.values.end());
    }
    return std::move(m_macros);
  }

 private:
  void read(const std::vector<std::string>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string& name = tokens[i];
      const bool is_macro = is_word(name) && !name.starts_with("__") && name != "defined" &&
                            !m_defined.contains(name) &&
                            (i == 0 || (tokens[i - 1] != "defined" && !asks_whether(tokens, i)));
      if (!is_macro) continue;
      auto macro = std::find_if(m_macros.begin(), m_macros.end(),
                                [&](const SettableMacro& one) { return one.name == name; });
      if (macro == m_macros.end()) macro = m_macros.insert(macro, {name, std::nullopt, {}});
      const auto value = compared_with(tokens, i + 1);
      const bool is_new = value && std::find(macro->values.begin(), macro->values.end(), *value) ==
                                       macro->values.end();
      if (is_new) macro->values.push_back(*value);
    }
  }

  /// `== 2`; 1 of what is asked as a truth, alone or `> 0`; absent for other comparisons.
  static std::optional<std::int64_t> compared_with(const std::vector<std::string>& tokens,
                                                   std::size_t at) {
    const auto token = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : ""; };
    if (token(at) == "=" && token(at + 1) == "=") return whole_number(token(at + 2));
    if (token(at) == ">" && token(at + 1) == "0") return 1;
    const bool is_alone =
        token(at).empty() || token(at) == "&" || token(at) == "|" || token(at) == ")";
    return is_alone ? std::optional<std::int64_t>(1) : std::nullopt;
  }

  /// `defined(NAME)`, `__has_include(NAME)`.
  static bool asks_whether(const std::vector<std::string>& tokens, std::size_t at) {
    return at >= 2 && tokens[at - 1] == "(" &&
           (tokens[at - 2] == "defined" || tokens[at - 2].starts_with("__"));
  }

  std::set<std::string> m_defined;
  std::vector<SettableMacro> m_macros;
};

std::vector<SettableMacro> macros_of(std::string_view text) {
  const std::vector<Directive> directives = read_directives(text, {});
  std::vector<SettableMacro> macros = settable_macros(directives);
  for (SettableMacro& macro : ComparedMacros(directives).take()) macros.push_back(std::move(macro));
  return macros;
}

}  // namespace

SourceOutline outline_source(std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(text);
  bool takes_shared_memory = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    takes_shared_memory =
        takes_shared_memory || (tokens[i] == "extern" && tokens[i + 1] == "__shared__");
  }
  return {Outliner(tokens).kernels(), macros_of(text), takes_shared_memory};
}

}  // namespace gtune
