#include "authoring/source_outline.hpp"

#include <algorithm>
#include <utility>

#include "authoring/cpp_types.hpp"

namespace gtune {
namespace {

class KernelOutliner {
 public:
  explicit KernelOutliner(const Tokens& tokens) : m_tokens(tokens) {}

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
        skip_template_parameters();
      } else if (token == ";") {
        m_template.reset();
        m_bounds.clear();
      } else if (token == "__launch_bounds__") {
        m_bounds = bounds_at(m_at);
      } else if (token == "__global__") {
        read_kernel();
      }
    }
    return std::move(m_kernels);
  }

 private:
  [[nodiscard]] std::string_view token(std::size_t at) const { return token_at(m_tokens, at); }

  /// A template template parameter begins with the word `template`, too.
  void skip_template_parameters() {
    if (token(m_at + 1) != "<" || m_at < m_unclosed_until) return;
    const std::size_t end = past_brackets(m_tokens, m_at + 1, longest_template_head);
    if (end < m_tokens.size()) {
      m_at = end - 1;
    } else {
      m_unclosed_until = m_at + longest_template_head;
    }
  }

  /// What may follow a kernel's arguments: `noexcept {`, `requires (N > 0) {`.
  [[nodiscard]] static bool is_specifier(std::string_view word) {
    return word == "noexcept" || word == "requires";
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

  /// `__global__ void __launch_bounds__(256) name(...)`. A word with arguments before another word
  /// is an attribute, perhaps one that a macro stands for.
  void read_kernel() {
    std::size_t at = m_at + 1;
    OutlinedKernel kernel;
    kernel.launch_bounds = std::exchange(m_bounds, {});
    kernel.begin = m_template.value_or(m_at);
    std::string name;
    while (is_word(token(at))) {
      const std::size_t end = token(at + 1) == "(" ? past_brackets(m_tokens, at + 1) : at + 1;
      const bool ends_head = is_specifier(token(end));
      const bool is_attribute =
          end > at + 1 && !ends_head && (token(at).starts_with("__") || is_word(token(end)));
      if (is_attribute) {
        if (token(at) == "__launch_bounds__") kernel.launch_bounds = bounds_at(at);
        at = end;
      } else {
        name = token(at++);
      }
    }
    if (name.empty() || name == "void" || token(at) != "(") return;
    for (const std::string& scope : m_scopes) {
      if (!scope.empty()) kernel.name += scope + "::";
    }
    kernel.name += name;
    std::size_t end = past_brackets(m_tokens, at);
    kernel.arguments = arguments(at + 1, end - 1);
    if (is_specifier(token(end))) {
      while (end < m_tokens.size() && token(end) != "{" && token(end) != ";") ++end;
    }
    if (token(end) == "{") kernel.body = slice(m_tokens, end, past_brackets(m_tokens, end));
    kernel.end = end + std::max<std::size_t>(kernel.body.size(), 1);
    if (m_template) read_template_parameters(*m_template, kernel);
    m_template.reset();
    add(std::move(kernel));
    m_at = end - 1;
  }

  /// The maximum in `__launch_bounds__(256, 2)` at `at`.
  [[nodiscard]] Tokens bounds_at(std::size_t at) const {
    if (token(at + 1) != "(") return {};
    const std::size_t end = past_brackets(m_tokens, at + 1, longest_template_head);
    if (end == m_tokens.size()) return {};  // it is not closed
    std::vector<Tokens> bounds = between_commas(m_tokens, at + 2, end - 1);
    return bounds.empty() ? Tokens() : std::move(bounds[0]);
  }

  /// A definition replaces an earlier declaration, but only the declaration has default arguments.
  void add(OutlinedKernel kernel) {
    const auto known =
        std::find_if(m_kernels.begin(), m_kernels.end(),
                     [&](const OutlinedKernel& other) { return other.name == kernel.name; });
    if (known == m_kernels.end()) {
      m_kernels.push_back(std::move(kernel));
    } else if (known->body.empty() && !kernel.body.empty()) {
      if (kernel.launch_bounds.empty()) kernel.launch_bounds = std::move(known->launch_bounds);
      auto& parameters = kernel.template_parameters;
      for (std::size_t i = 0; i < parameters.size() && i < known->template_parameters.size(); ++i) {
        const TemplateParameter& earlier = known->template_parameters[i];
        if (!parameters[i].default_text.empty()) continue;
        parameters[i].default_value = earlier.default_value;
        parameters[i].default_text = earlier.default_text;
      }
      *known = std::move(kernel);
    }
  }

  [[nodiscard]] std::vector<OutlinedArgument> arguments(std::size_t begin, std::size_t end) const {
    std::vector<OutlinedArgument> all;
    for (const Tokens& text : between_commas(m_tokens, begin, end)) {
      OutlinedArgument argument;
      std::size_t name_at = 0;
      std::size_t at = 0;
      for (; at < text.size() && text[at] != "=" && text[at] != "["; ++at) {
        if (at > 0 && may_be_name(text, at)) name_at = at;
      }
      if (name_at > 0) argument.name = text[name_at];
      argument.type = slice(text, 0, name_at == 0 ? at : name_at);
      if (token_at(text, at) == "[") argument.type.emplace_back("*");
      argument.extents = extents_in(text, at);
      all.push_back(std::move(argument));
    }
    return all;
  }

  /// Whether the word at `at` of a parameter may be its name rather than a part of its type.
  static bool may_be_name(const Tokens& text, std::size_t at) {
    static const Tokens others = {"const", "volatile", "restrict", "__restrict", "__restrict__",
                                  "int",   "unsigned", "long",     "short",      "char",
                                  "float", "double",   "bool",     "signed"};
    const std::string_view after = token_at(text, at + 1);
    return is_word(text[at]) && after != "*" && after != "&" && after != ":" &&
           std::find(others.begin(), others.end(), text[at]) == others.end();
  }

  /// The extents in the brackets from `at`, without that of an array, which is a pointer.
  static std::vector<Tokens> extents_in(const Tokens& text, std::size_t at) {
    std::vector<Tokens> extents;
    const bool is_array = at == 0 || text[at - 1] != ")";
    while (token_at(text, at) == "[") {
      const std::size_t end = past_brackets(text, at);
      extents.push_back(slice(text, at + 1, end - 1));
      at = end;
    }
    if (is_array && !extents.empty()) extents.erase(extents.begin());
    return extents;
  }

  /// "ns::Mode" of `ns::Mode M`; empty for a built-in type, for an earlier parameter of the
  /// template, and for anything that is not a name.
  [[nodiscard]] static std::string named_type(const Tokens& text,
                                              const std::vector<TemplateParameter>& earlier) {
    if (text.size() < 2) return "";
    const Tokens type = slice(text, 0, text.size() - 1);
    const bool is_built_in = element_of(spelled_type(type, {}).name).is_known;
    const bool is_name = type.size() == 1 || type[1] == ":";
    const bool is_parameter =
        std::any_of(earlier.begin(), earlier.end(),
                    [&](const TemplateParameter& one) { return one.name == type.front(); });
    if (is_built_in || !is_name || is_parameter || type.front() == "auto") return "";
    std::string name;
    for (const std::string& token : type) {
      if (!is_word(token) && token != ":") return "";
      name += token;
    }
    return name;
  }

  /// `template <int BM, typename T = float, bool FAST = true>`. A pack may be left out of an entry.
  void read_template_parameters(std::size_t at, OutlinedKernel& kernel) const {
    std::vector<TemplateParameter>& parameters = kernel.template_parameters;
    if (token(at + 1) != "<") return;
    const std::size_t end = past_brackets(m_tokens, at + 1, longest_template_head);
    if (end == m_tokens.size()) return;  // it is not closed
    for (const Tokens& text : between_commas(m_tokens, at + 2, end - 1)) {
      const std::size_t equals = position_of_default(text);
      const Tokens declaration = slice(text, 0, equals);
      if (is_pack(declaration)) {
        kernel.has_pack = true;
        continue;
      }
      TemplateParameter parameter = template_parameter(declaration);
      const bool is_number = !parameter.is_type && !parameter.is_entity;
      if (is_number) parameter.named_type = named_type(declaration, parameters);
      parameter.default_text = slice(text, equals + 1, text.size());
      parameter.default_value = constant_value(parameter.default_text);
      parameters.push_back(std::move(parameter));
    }
  }

  /// `int... SIZES`, but not `template <class...> class Op`
  [[nodiscard]] static bool is_pack(const Tokens& text) {
    for (std::size_t at = 0; at < text.size();) {
      if (stands_at(text, at, {".", ".", "."})) return true;
      at = text[at] == "<" ? past_brackets(text, at) : at + 1;
    }
    return false;
  }

  /// The `=` outside brackets; the end if there is none.
  [[nodiscard]] static std::size_t position_of_default(const Tokens& text) {
    std::size_t at = 0;
    while (at < text.size() && text[at] != "=") {
      const bool opens = text[at] == "<" || text[at] == "(";
      at = opens ? past_brackets(text, at) : at + 1;
    }
    return std::min(at, text.size());
  }

  /// `int BM`, `class T`, `template <class> class Op`, `float (*F)(float)`
  [[nodiscard]] static TemplateParameter template_parameter(const Tokens& text) {
    TemplateParameter parameter;
    parameter.is_type = token_at(text, 0) == "typename" || token_at(text, 0) == "class";
    for (std::size_t at = 0; at < text.size(); ++at) {
      parameter.is_bool = parameter.is_bool || text[at] == "bool";
      if (is_word(text[at])) parameter.name = text[at];
      const bool is_function = stands_at(text, at, {"(", "*"}) || stands_at(text, at, {"(", "&"});
      if (!is_function) continue;
      parameter.name = token_at(text, at + 2);
      parameter.is_entity = true;
      break;
    }
    parameter.is_entity = parameter.is_entity || token_at(text, 0) == "template";
    return parameter;
  }

  const Tokens& m_tokens;
  std::size_t m_at = 0;
  std::vector<std::string> m_scopes;  // names of namespaces; "" for other braces
  std::optional<std::size_t> m_template;
  Tokens m_bounds;                   // in __launch_bounds__ before __global__
  std::size_t m_unclosed_until = 0;  // no bracket before it is tried: that takes quadratic time
  std::vector<OutlinedKernel> m_kernels;
};

/// A constant's value with numbers in place of constants and of sizeof(type).
Tokens with_numbers(const Tokens& value, const std::map<std::string, std::string>& types,
                    const std::map<std::string, std::int64_t>& constants) {
  Tokens numbers;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (stands_at(value, at, {"sizeof", "("})) {
      const std::size_t end = past_brackets(value, at + 1);
      const SpelledType type = spelled_type(slice(value, at + 2, end - 1), {});
      const auto known = types.find(type.name);
      const ElementOf element = element_of(known == types.end() ? type.name : known->second);
      if (type.pointers > 0 || !element.is_known) return {};
      numbers.push_back(std::to_string(element.value_bytes()));
      at = end - 1;
    } else if (const auto known = constants.find(value[at]); known != constants.end()) {
      numbers.push_back(std::to_string(known->second));
    } else {
      numbers.push_back(value[at]);
    }
  }
  return numbers;
}

bool declares_shared_memory(const Tokens& tokens) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (stands_at(tokens, at, {"extern", "__shared__"})) return true;
  }
  return false;
}

/// A first spec's first configuration has the first value of each macro that the build chooses.
void assume_choices(const std::vector<SettableMacro>& settable, DefinedMacros& macros) {
  for (const SettableMacro& macro : settable) {
    if (macro.value) {
      macros.note_choice(macro.name);
    } else if (!macro.values.empty() && !macros.is_defined(macro.name)) {
      macros.assume(macro.name, macro.values.front());
    }
  }
}

/// Corrects the values of macros that several branches define, and removes those of no branch that
/// is read.
void keep_defined(const DefinedMacros& macros, std::map<std::string, std::int64_t>& fixed) {
  std::erase_if(fixed, [&](const auto& one) { return !macros.is_defined(one.first); });
  for (auto& [name, value] : fixed) value = macros.value_of(name).value_or(value);
}

std::vector<SourceCondition> assumed_conditions(const OutlinedKernel& kernel,
                                                const std::vector<SourceCondition>& conditions) {
  std::vector<SourceCondition> assumed;
  for (const SourceCondition& each : conditions) {
    const bool is_empty = each.begin == each.end;
    const bool is_within = each.begin > kernel.begin && each.begin < kernel.end;
    const bool overlaps = each.begin < kernel.end && each.end > kernel.begin;
    if (!each.verdict.is_assumed || !each.has_text) continue;
    if (is_empty ? is_within : overlaps) assumed.push_back(each);
  }
  for (SourceCondition& each : assumed) each.skipped.clear();
  return assumed;
}

std::vector<SkippedKernel> skipped_kernels(const std::vector<SourceCondition>& conditions,
                                           const std::vector<OutlinedKernel>& read) {
  std::vector<SkippedKernel> skipped;
  for (const SourceCondition& condition : conditions) {
    for (const OutlinedKernel& kernel : KernelOutliner(condition.skipped).kernels()) {
      const bool is_read = std::any_of(read.begin(), read.end(), [&](const OutlinedKernel& one) {
        return is_named(one, kernel.name);
      });
      if (is_read) continue;
      skipped.push_back({kernel.name, condition});
      skipped.back().condition.skipped.clear();
    }
  }
  return skipped;
}

}  // namespace

std::vector<std::string> OutlinedKernel::argument_names() const {
  std::vector<std::string> names;
  for (const OutlinedArgument& argument : arguments) names.push_back(argument.name);
  return names;
}

bool is_named(const OutlinedKernel& kernel, const std::string& name) {
  return kernel.name == name || kernel.name.ends_with("::" + name);
}

std::map<std::string, std::int64_t> constants_in(const Tokens& tokens,
                                                 const std::map<std::string, std::string>& types,
                                                 const std::map<std::string, std::int64_t>& outer) {
  std::map<std::string, std::int64_t> constants;
  auto known = outer;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] != "const" && tokens[at] != "constexpr") continue;
    std::size_t name = at + 1;
    while (is_word(token_at(tokens, name + 1))) ++name;
    const std::string_view begin = token_at(tokens, name + 1);
    if (name == at + 1 || (begin != "=" && begin != "{")) continue;
    std::size_t end = name + 2;
    while (end < tokens.size() && tokens[end] != ";" && tokens[end] != "," && tokens[end] != "}") {
      ++end;
    }
    const auto value = constant_value(with_numbers(slice(tokens, name + 2, end), types, known));
    if (!value) continue;
    constants.emplace(tokens[name], *value);
    known.emplace(tokens[name], *value);
  }
  return constants;
}

SourceOutline outline_source(std::string_view text) {
  DefinedMacros macros;
  return outline_source(text, macros);
}

SourceOutline outline_source(std::string_view text, DefinedMacros& macros) {
  SourceOutline outline;
  outline.macros = outline_macros(text);
  assume_choices(outline.macros.settable, macros);
  ConditionalText read = read_conditional_text(text, macros);
  keep_defined(macros, outline.macros.fixed);
  outline.tokens = std::move(read.tokens);
  outline.kernels = KernelOutliner(outline.tokens).kernels();
  for (OutlinedKernel& kernel : outline.kernels) {
    kernel.assumed = assumed_conditions(kernel, read.conditions);
  }
  outline.skipped_kernels = skipped_kernels(read.conditions, outline.kernels);
  outline.types = outline_types(outline.tokens);
  outline.constants = constants_in(outline.tokens, {}, {});
  outline.variables = outline_variables(outline.tokens);
  outline.takes_shared_memory = declares_shared_memory(outline.tokens);
  return outline;
}

}  // namespace gtune
