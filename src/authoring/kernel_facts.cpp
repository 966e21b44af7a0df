#include "authoring/kernel_facts.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "authoring/argument_kind.hpp"
#include "authoring/asked_entry.hpp"
#include "authoring/compiler_hints.hpp"
#include "authoring/cpp_types.hpp"
#include "authoring/header_outline.hpp"
#include "authoring/inlined_functions.hpp"
#include "authoring/instantiations.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/name_in_source.hpp"
#include "authoring/source_advice.hpp"
#include "jit/include_scanner.hpp"
#include "model/error.hpp"
#include "model/words.hpp"
#include "spec/suggestion.hpp"
#include "system/regular_file.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_source_bytes = std::size_t{16} << 20;
/// Each compile defines the macros that the previous one lacked.
constexpr int most_compiles = 8;
constexpr int most_looks = 16;

std::string names_of(const std::vector<OutlinedKernel>& kernels) {
  std::string names;
  for (const OutlinedKernel& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  return names;
}

/// Refuses a question about a kernel in a branch that is not read. `entry`: empty for any kernel.
void refuse_skipped(const SourceOutline& outline, const std::string& entry,
                    const std::string& source) {
  for (const SkippedKernel& kernel : outline.skipped_kernels) {
    const bool is_asked =
        entry.empty() || kernel.name == entry || entry.ends_with("::" + kernel.name);
    if (!is_asked) continue;
    throw UserError(ExitCode::failed,
                    source + ": the kernel '" + kernel.name + "' is left out by '" +
                        kernel.condition.text + "' (line " + std::to_string(kernel.condition.line) +
                        "); define the macro so that it is compiled, as in -D NAME=VALUE");
  }
}

const OutlinedKernel& choose_kernel(const SourceOutline& outline, const std::string& entry,
                                    const std::string& source) {
  const std::vector<OutlinedKernel>& kernels = outline.kernels;
  if (kernels.empty()) {
    refuse_skipped(outline, entry, source);
    throw UserError(ExitCode::failed, source + " has no kernel; expected a __global__ function");
  }
  std::vector<const OutlinedKernel*> candidates;
  std::vector<std::string> names;
  for (const OutlinedKernel& kernel : kernels) {
    names.push_back(kernel.name);
    const bool is_asked =
        entry.empty() ? !looks_like_reference(kernel.name) : is_named(kernel, entry);
    if (is_asked) candidates.push_back(&kernel);
  }
  if (kernels.size() == 1 && entry.empty()) return kernels.front();
  if (candidates.size() == 1) return *candidates.front();
  for (const OutlinedKernel* candidate : candidates) {
    if (candidate->name == entry) return *candidate;
  }
  if (!entry.empty() && candidates.empty()) {
    refuse_skipped(outline, entry, source);
    throw UserError(ExitCode::failed, source + " has no kernel '" + entry + "'" +
                                          did_you_mean(entry, names) + " (it has " +
                                          names_of(kernels) + ")");
  }
  const std::string& one = entry.empty() ? kernels.front().name : candidates.front()->name;
  throw UserError(ExitCode::usage, source + " has several kernels" +
                                       (entry.empty() ? "" : " '" + entry + "'") +
                                       "; choose one, such as --entry " + one + " (it has " +
                                       names_of(kernels) + ")");
}

bool is_called(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_part(text[at - 1])) continue;
    const auto next = text.find_first_not_of(" \t", at + name.size());
    if (next != std::string::npos && text[next] == '(') return true;
  }
  return false;
}

/// Whether a name has no lower-case letter, as most macros do.
bool is_upper(const std::string& name) {
  return std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return std::islower(c) != 0; });
}

/// The macros that a build must define, from errors such as "identifier \"BLOCK\" is undefined".
/// Names that the text calls are functions.
std::vector<std::string> unknown_macros(const std::string& log, const std::string& text) {
  constexpr std::string_view begin = "identifier \"";
  constexpr std::string_view end = "\" is undefined";
  std::vector<std::string> names;
  for (std::size_t at = log.find(begin); at != std::string::npos; at = log.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    const std::size_t to = log.find('"', from);
    if (to == std::string::npos || log.compare(to, end.size(), end) != 0) continue;
    const std::string name = log.substr(from, to - from);
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && !is_called(text, name)) names.push_back(name);
  }
  // Other names may depend on macros: #if VECTOR == 2, typedef float2 vector, #endif.
  if (std::any_of(names.begin(), names.end(), is_upper)) {
    names.erase(std::remove_if(names.begin(), names.end(), std::not_fn(is_upper)), names.end());
  }
  return names;
}

/// The most similar name in the text that is not a macro to be defined either: the author may have
/// meant it. Empty if there is none, or if `name` has no lower-case letter, as most macros do.
std::string similar_name(const std::string& name, const std::vector<std::string>& unknown,
                         const std::string& text) {
  if (is_upper(name)) return {};
  std::set<std::string> words;
  for (const std::string& token : source_tokens(text)) {
    if (is_word(token)) words.insert(token);
  }
  for (const std::string& each : unknown) words.erase(each);
  return nearest_word(name, std::vector<std::string>(words.begin(), words.end()));
}

/// Asks the compiler for the parameters' types; adds the macros that the source needs.
class TypeQuestion {
 public:
  TypeQuestion(const KernelQuestion& kernel, const std::string& text, Compiler compiler,
               const CompileAll& compile_all)
      : m_kernel(kernel),
        m_source(kernel.source, compiler),
        m_text(text),
        m_compile_all(compile_all) {}

  /// Absent if the types were found; otherwise why the source does not compile.
  std::optional<std::string> ask(KernelFacts& facts) const {
    std::optional<std::string> reason;
    std::vector<std::string> tried;
    for (const std::int64_t number : {0, 1, 4, 32}) {
      const std::vector<std::string> options = options_for(facts, number);
      if (reason && options == tried) break;  // no macro depends on the number
      const CompileResult result = compile_with(facts, number);
      tried = options_for(facts, number);
      if (result.ok) {
        facts.types = types_in(result, facts.kernel.name);
        measure_structs(facts, number);
        try_macro_values(facts, number);
        return std::nullopt;
      }
      const std::string hint = compiler_hint(log_of(result));
      if (!reason) reason = hint.empty() ? result.reason : hint;
      if (!hint.empty() || result.timed_out) break;
    }
    return reason;
  }

 private:
  static std::string definition(const std::string& name, std::int64_t value) {
    return "-D" + name + "=" + std::to_string(value);
  }

  static std::string log_of(const CompileResult& result) {
    return result.detail ? result.detail->log : "";
  }

  /// Definitions of the macros. `number` = 0 chooses the first values that a spec will have. Any
  /// other number chooses the last ones, or is itself the value of a macro without any.
  [[nodiscard]] std::vector<std::string> options_for(const KernelFacts& facts,
                                                     std::int64_t number) const {
    std::vector<std::string> options = m_kernel.options;
    options.insert(options.end(), facts.options.begin(), facts.options.end());
    for (const SettableMacro& macro : facts.macros) {
      if (macro.value) continue;  // the source defines it
      std::int64_t value = number;
      if (!macro.values.empty()) {
        value = number == 0 ? macro.values.front() : macro.values.back();
      } else if (number == 0) {
        value = first_value(macro.name, std::nullopt, false);
      }
      options.push_back(definition(macro.name, value));
    }
    return options;
  }

  [[nodiscard]] CompileResult compile(const KernelFacts& facts,
                                      const std::vector<std::string>& options) const {
    return m_compile_all(
               {signature_request(m_source, example_entry(facts), options, m_kernel.arch)})
        .front();
  }

  /// Repeats the compile with the macros and options that it lacked.
  CompileResult compile_with(KernelFacts& facts, std::int64_t number) const {
    for (int round = 1;; ++round) {
      CompileResult result = compile(facts, options_for(facts, number));
      if (result.ok || round == most_compiles || !add_missing(facts, log_of(result))) return result;
    }
  }

  /// Reads the compiler's parameter sizes, with which struct layouts from the text must agree.
  void measure_structs(KernelFacts& facts, std::int64_t number) const {
    bool has_struct = false;
    for (std::size_t i = 0; i < facts.types.size(); ++i) {
      has_struct = has_struct || argument_kind(facts, i) == ArgumentKind::structure;
    }
    if (!has_struct) return;
    KernelRequest request =
        m_source.request({example_entry(facts)}, options_for(facts, number), m_kernel.arch);
    request.compile.in_detail = true;
    const CompileResult result = m_compile_all({std::move(request)}).front();
    if (!result.ok || !result.kernel().parameters) return;
    for (const KernelParameter& each : *result.kernel().parameters) {
      facts.bytes.push_back(each.bytes);
    }
  }

  /// Adds the options and macros that a compile lacked.
  bool add_missing(KernelFacts& facts, const std::string& log) const {
    bool found = false;
    for (std::string& option : missing_options(log)) {
      if (std::find(facts.options.begin(), facts.options.end(), option) != facts.options.end()) {
        continue;
      }
      facts.options.push_back(std::move(option));
      found = true;
    }
    const std::vector<std::string> unknown = unknown_macros(log, m_text);
    for (const std::string& name : unknown) {
      const bool is_known = std::any_of(facts.macros.begin(), facts.macros.end(),
                                        [&](const SettableMacro& one) { return one.name == name; });
      const bool has_meaning = std::ranges::any_of(facts.options, [&](const std::string& option) {
        return option.starts_with("-D" + name + "=");
      });
      if (is_known || has_meaning) continue;
      SettableMacro macro{name, std::nullopt};
      macro.similar = similar_name(name, unknown, m_text);
      facts.macros.push_back(std::move(macro));
      found = true;
    }
    return found;
  }

  /// Compiles with other values of the macros: conditional code may need more macros.
  void try_macro_values(KernelFacts& facts, std::int64_t number) const {
    int compiles = 0;
    for (std::size_t i = 0; i < facts.macros.size(); ++i) {
      const SettableMacro macro = facts.macros[i];
      for (std::size_t j = 0; j < macro.values.size() && compiles < most_looks; ++j, ++compiles) {
        std::vector<std::string> options = options_for(facts, number);
        for (const std::int64_t value : macro.values) {
          std::erase(options, definition(macro.name, value));
        }
        options.push_back(definition(macro.name, macro.values[j]));
        add_missing(facts, log_of(compile(facts, options)));
      }
    }
  }

  static std::vector<ParameterType> types_in(const CompileResult& result,
                                             const std::string& kernel) {
    if (auto types = signature_in(result.kernel().name)) return std::move(*types);
    throw UserError(ExitCode::failed, "cannot read the compiler's name for the type of '" + kernel +
                                          "': " + result.kernel().name);
  }

  const KernelQuestion& m_kernel;
  KernelSource m_source;
  const std::string& m_text;
  const CompileAll& m_compile_all;
};

/// Tries NVRTC first, then nvcc, which is slower but accepts more.
void ask_for_types(const KernelQuestion& kernel, const std::string& text,
                   const CompileAll& compile_all, KernelFacts& facts) {
  const std::vector<SettableMacro> macros = facts.macros;
  auto reason = TypeQuestion(kernel, text, Compiler::nvrtc, compile_all).ask(facts);
  if (!reason) return;
  facts.macros = macros;
  facts.options.clear();
  facts.compiler = Compiler::nvcc;
  facts.refusal =
      is_about_host_code(*reason) ? "it has host code" : reason->substr(0, reason->find('\n'));
  try {
    reason = TypeQuestion(kernel, text, Compiler::nvcc, compile_all).ask(facts);
  } catch (const UserError& error) {  // NVRTC's reason is reported
    if (is_about_host_code(*reason)) {
      *reason += std::string("; nvcc cannot be used: ") + error.what();
    }
  }
  if (reason) {
    const std::string advice = source_advice(kernel.source, facts.kernel.name, *reason);
    throw UserError(ExitCode::failed,
                    "'" + facts.kernel.name + "' does not compile: " + *reason + advice);
  }
}

/// A kernel that looks like a reference, is not a template and has as many parameters; unnamed if
/// there is none.
OutlinedKernel find_reference(const SourceOutline& outline, const OutlinedKernel& kernel) {
  OutlinedKernel naive;
  for (const OutlinedKernel& other : outline.kernels) {
    const bool is_other = other.template_parameters.empty() && other.name != kernel.name &&
                          !other.body.empty() &&  // it may be defined in another file
                          other.arguments.size() == kernel.arguments.size();
    if (!is_other || !looks_like_reference(other.name)) continue;
    if (!is_called_naive(other.name)) return other;
    if (naive.name.empty()) naive = other;
  }
  return naive;
}

/// "true", "256" or a constant of the source; absent for anything else.
std::optional<std::int64_t> argument_value(const Tokens& text, const NamedConstants& constants) {
  if (text == Tokens{"true"} || text == Tokens{"false"}) return text.front() == "true" ? 1 : 0;
  const auto named = text.size() == 1 ? constants.find(text.front()) : constants.end();
  return named != constants.end() ? std::optional(named->second) : constant_value(text);
}

/// Adds the template arguments of the first explicit instantiation that the launch does not show,
/// and the values of all instantiations.
void add_instantiations(const SourceOutline& outline, KernelFacts& facts) {
  const auto& parameters = facts.kernel.template_parameters;
  std::vector<std::string>& arguments = facts.launch.template_arguments;
  facts.launch.template_texts.resize(
      std::max(parameters.size(), facts.launch.template_texts.size()));
  facts.instantiated.resize(parameters.size());
  for (const auto& instance : explicit_instantiations(outline.tokens, facts.kernel)) {
    for (std::size_t i = 0; i < std::min(instance.size(), parameters.size()); ++i) {
      const Tokens& text = instance[i];
      const auto value =
          parameters[i].is_type ? std::nullopt : argument_value(text, facts.constants);
      auto& values = facts.instantiated[i];
      const bool is_new = value && std::ranges::find(values, *value) == values.end();
      if (is_new) values.push_back(*value);
      if (!arguments[i].empty() || !facts.launch.template_texts[i].empty()) continue;
      facts.launch.template_texts[i] = text;
      if (value) arguments[i] = std::to_string(*value);
      const SpelledType type = spelled_type(text, outline.types);
      const bool is_built_in = type.pointers == 0 && element_of(type.name).is_known;
      if (parameters[i].is_type && is_built_in) arguments[i] = type.name;
    }
  }
}

/// Adds the template arguments that are the source's own classes and functions: those of the
/// launch, else the defaults. Throws UserError if a template or a function is unknown.
void add_own_arguments(const SourceOutline& outline, KernelFacts& facts) {
  std::vector<TemplateParameter>& parameters = facts.kernel.template_parameters;
  for (TemplateParameter& each : parameters) {
    const std::string type = without_namespaces(each.named_type);
    each.is_entity = each.is_entity || outline.types.function_types.contains(type);
  }
  std::vector<std::string>& arguments = facts.launch.template_arguments;
  facts.launch.template_texts.resize(parameters.size());
  for (std::size_t i = facts.fixed_arguments; i < parameters.size(); ++i) {
    const TemplateParameter& each = parameters[i];
    if (!arguments[i].empty() && !each.is_entity) continue;
    if (!each.is_type && !each.is_entity) continue;
    const NameInSource names(outline, facts.kernel);
    arguments[i] = names.spelled(facts.launch.template_texts[i]);
    if (arguments[i].empty()) arguments[i] = names.spelled(each.default_text);
    if (!arguments[i].empty() || each.is_type) continue;
    throw UserError(ExitCode::failed, "'" + facts.kernel.name + "' has the template parameter '" +
                                          each.name +
                                          "', a template or a function, and the source shows no "
                                          "argument for it; expected a launch or a default");
  }
}

/// Those of the launch; empty if one of them is unknown.
std::vector<std::string> pack_arguments(const SourceOutline& outline, const KernelFacts& facts) {
  std::vector<std::string> arguments;
  if (!facts.kernel.has_pack) return arguments;
  const NameInSource names(outline, facts.kernel);
  for (const Tokens& text : facts.launch.pack_texts) {
    const auto value = constant_value(text);
    arguments.push_back(value ? std::to_string(*value) : names.spelled(text));
    if (arguments.back().empty()) return {};
  }
  return arguments;
}

/// Takes the template arguments that the user has chosen. Throws UserError (usage) if there are too
/// many.
void fix_arguments(const AskedEntry& asked, KernelFacts& facts) {
  const std::size_t parameters = facts.kernel.template_parameters.size();
  facts.fixed_arguments = std::min(asked.arguments.size(), parameters);
  const auto end = asked.arguments.begin() + static_cast<std::ptrdiff_t>(facts.fixed_arguments);
  std::copy(asked.arguments.begin(), end, facts.launch.template_arguments.begin());
  if (end == asked.arguments.end()) return;
  if (!facts.kernel.has_pack) {
    throw UserError(ExitCode::usage,
                    "'" + facts.kernel.name + "' has " + counted(parameters, "template parameter") +
                        ", but --entry has " + counted(asked.arguments.size(), "argument"));
  }
  facts.pack_arguments.assign(end, asked.arguments.end());
}

/// Macros that the question's options define are not for the spec to choose.
void remove_defined(const std::vector<std::string>& options, std::vector<SettableMacro>& macros) {
  for (const std::string& option : options) {
    if (!option.starts_with("-D")) continue;
    const std::string name = option.substr(2, option.find('=') - 2);
    std::erase_if(macros, [&](const SettableMacro& macro) { return macro.name == name; });
  }
}

/// The types that a first spec chooses for a template's type parameters.
std::map<std::string, std::string> chosen_types(const KernelFacts& facts) {
  std::map<std::string, std::string> types;
  const auto& parameters = facts.kernel.template_parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].is_type) types.emplace(parameters[i].name, facts.type_argument(i));
  }
  return types;
}

/// The constants that the kernel's text names.
NamedConstants named_in(const OutlinedKernel& kernel, const NamedConstants& constants) {
  NamedConstants named;
  const auto& body = kernel.body;
  for (const auto& [name, value] : constants) {
    if (std::find(body.begin(), body.end(), name) != body.end()) named.emplace(name, value);
  }
  return named;
}

std::set<std::string> identifiers_in(const std::string& text);

/// Also the constants that only the launch's grid names: `k<<<N / 256, 256>>>`.
void add_fixed_of_grid(KernelFacts& facts) {
  for (const std::string& text : facts.launch.grid) {
    for (const std::string& word : identifiers_in(text)) {
      const auto known = facts.constants.find(word);
      if (known != facts.constants.end()) facts.fixed.emplace(word, known->second);
    }
  }
}

std::set<std::string> identifiers_in(const std::string& text) {
  const Tokens tokens = source_tokens(text);
  return {tokens.begin(), tokens.end()};
}

void add_words_of(const HostLaunch& launch, std::set<std::string>& words) {
  for (const auto& dimensions : {launch.grid, launch.block}) {
    for (const std::string& text : dimensions) words.merge(identifiers_in(text));
  }
  words.merge(identifiers_in(launch.shared));
}

/// A header's macros with a default value are parameters only if the kernel or its launch names
/// them, perhaps through other macros.
void remove_unnamed(const MacroOutline& outline, const std::set<std::string>& words,
                    std::vector<SettableMacro>& macros) {
  std::erase_if(macros, [&](const SettableMacro& macro) {
    const bool is_named = words.contains(macro.name) || outline.in_definitions.contains(macro.name);
    return macro.is_of_header && macro.value && !is_named;
  });
}

/// The variables that the kernel, or a function that it calls, names.
std::vector<OutlinedVariable> filled_variables(const SourceOutline& outline,
                                               const std::set<std::string>& words) {
  std::vector<OutlinedVariable> filled = outline.variables;
  std::erase_if(filled, [&](const OutlinedVariable& one) { return !words.contains(one.name); });
  return filled;
}

}  // namespace

KernelFacts facts_in_text(const KernelQuestion& question, const std::string& text) {
  const SourceOutline outline = outline_with_headers(question, text);
  KernelFacts facts;
  facts.source = question.source.filename().string();
  const AskedEntry asked = asked_entry(question.entry);
  facts.kernel = choose_kernel(outline, asked.name, question.source.string());
  facts.kernel.body = with_inlined_indices(facts.kernel.body, outline.tokens);
  facts.called = called_functions(facts.kernel.body, outline.tokens);
  facts.macros = outline.macros.settable;
  remove_defined(question.options, facts.macros);
  for (const TemplateParameter& each : facts.kernel.template_parameters) {  // its name is taken
    std::erase_if(facts.macros, [&](const SettableMacro& one) { return one.name == each.name; });
  }
  facts.constants = outline.constants;
  facts.constants.insert(outline.macros.fixed.begin(), outline.macros.fixed.end());
  facts.fixed = named_in(facts.kernel, facts.constants);
  facts.declared_types = outline.types;
  facts.launch = host_launch(outline.tokens, facts.kernel, outline.macros.fixed);
  add_fixed_of_grid(facts);
  facts.launch.template_arguments.resize(facts.kernel.template_parameters.size());
  add_instantiations(outline, facts);
  facts.pack_arguments = pack_arguments(outline, facts);
  fix_arguments(asked, facts);
  add_own_arguments(outline, facts);
  for (const auto& [name, value] :
       constants_in(facts.kernel.body, chosen_types(facts), facts.constants)) {
    facts.constants.insert_or_assign(name, value);
  }
  std::set<std::string> words = reachable_words(facts.kernel.body, outline.tokens);
  facts.variables = filled_variables(outline, words);
  add_words_of(facts.launch, words);
  remove_unnamed(outline.macros, words, facts.macros);
  facts.words = {outline.tokens.begin(), outline.tokens.end()};
  facts.takes_shared_memory = outline.takes_shared_memory;
  facts.reference = find_reference(outline, facts.kernel);
  if (!facts.reference.name.empty()) {
    facts.reference.body = with_inlined_indices(facts.reference.body, outline.tokens);
    facts.reference_launch = host_launch(outline.tokens, facts.reference, outline.macros.fixed);
  }
  return facts;
}

KernelFacts find_kernel_facts(const KernelQuestion& question, const CompileAll& compile_all) {
  const std::string text = read_regular_file(question.source, most_source_bytes, "a CUDA source");
  refuse_encoding(question.source, text);
  KernelFacts facts = facts_in_text(question, text);
  ask_for_types(question, text, compile_all, facts);
  return facts;
}

}  // namespace gtune
