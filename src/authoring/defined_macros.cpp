#include "authoring/defined_macros.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "authoring/macro_outline.hpp"

namespace gtune {
namespace {

constexpr int deepest_macro = 8;
constexpr std::size_t most_tokens = 1000;  // of a condition with its macros replaced
/// An unknown number: a condition that holds for all of these does not depend on it.
constexpr std::array<std::string_view, 2> unknown_numbers = {"0", "1000000000"};

constexpr std::array<std::string_view, 4> versions_of_toolkit = {
    "CUDART_VERSION", "CUDA_VERSION", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__"};

bool is_version_of_toolkit(std::string_view name) {
  return std::find(versions_of_toolkit.begin(), versions_of_toolkit.end(), name) !=
         versions_of_toolkit.end();
}

/// "900" of "sm_90a".
std::string arch_number(const std::string& arch) {
  std::string digits;
  for (const char c : arch) {
    if (is_number({&c, 1})) digits += c;
  }
  return digits + "0";
}

}  // namespace

/// Replaces the names in a condition by numbers.
class DefinedMacros::Evaluation {
 public:
  explicit Evaluation(const DefinedMacros& known) : m_known(known) {}

  [[nodiscard]] ConditionVerdict of(const Tokens& condition) {
    std::optional<bool> holds;
    for (const std::string_view number : unknown_numbers) {
      m_unknown = number;
      m_numbers.clear();
      replace(condition, 0);
      const auto value = m_numbers.size() > most_tokens ? std::nullopt : constant_value(m_numbers);
      if (!value || (holds && *holds != (*value != 0))) return {true, true};
      holds = *value != 0;
    }
    return {holds.value_or(true), m_is_assumed};
  }

  [[nodiscard]] ConditionVerdict of_definition(const std::string& name) {
    return {is_defined(name), m_is_assumed};
  }

 private:
  bool is_defined(const std::string& name) {
    const bool is_defined = m_known.is_defined(name);
    const bool may_differ = !is_defined && !is_compilers_macro(name);
    m_is_assumed = m_is_assumed || may_differ || m_known.m_choices.contains(name);
    return is_defined;
  }

  void replace(const Tokens& tokens, int depth) {
    for (std::size_t at = 0; at < tokens.size() && m_numbers.size() <= most_tokens; ++at) {
      const std::string& token = tokens[at];
      if (!is_word(token)) {
        m_numbers.push_back(token);
      } else if (token == "defined") {
        const bool is_call = token_at(tokens, at + 1) == "(";
        const std::string name(token_at(tokens, at + (is_call ? 2 : 1)));
        m_numbers.emplace_back(is_defined(name) ? "1" : "0");
        at += is_call ? 3 : 1;
      } else if (token == "true" || token == "false") {
        m_numbers.emplace_back(token == "true" ? "1" : "0");
      } else {
        at = replace_macro(tokens, at, depth);
      }
    }
  }

  /// Returns the position of the last token that it replaced.
  std::size_t replace_macro(const Tokens& tokens, std::size_t at, int depth) {
    const bool is_call = token_at(tokens, at + 1) == "(";
    const std::size_t last = is_call ? past_brackets(tokens, at + 1) - 1 : at;
    const auto known = m_known.m_values.find(tokens[at]);
    if (known == m_known.m_values.end() && is_call) {  // __has_include(...)
      m_numbers.emplace_back(m_unknown);
      return last;
    }
    if (known == m_known.m_values.end()) {
      m_numbers.emplace_back(is_defined(tokens[at]) ? "1" : "0");
      return at;
    }
    m_is_assumed = m_is_assumed || m_known.m_choices.contains(tokens[at]);
    if (known->second.is_known && depth < deepest_macro) {
      replace(known->second.tokens, depth + 1);
      return at;
    }
    m_numbers.emplace_back(m_unknown);
    return last;
  }

  const DefinedMacros& m_known;
  std::string_view m_unknown;
  Tokens m_numbers;
  bool m_is_assumed = false;
};

DefinedMacros::DefinedMacros(const std::string& arch) {
  for (const char* definition :
       {"__CUDACC__ 1", "__NVCC__ 1", "__cplusplus 201703", "__linux__ 1", "__GNUC__ 11",
        "__x86_64__ 1", "__LP64__ 1", "__CUDA_ARCH_LIST__ 1"}) {
    define(definition);
  }
  define("__CUDA_ARCH__ " + arch_number(arch));
  for (const std::string_view name : versions_of_toolkit) {
    m_values.emplace(name, Value{{}, false});
  }
}

void DefinedMacros::define(std::string_view definition) {
  const std::string name = take_identifier(definition);
  if (name.empty()) return;
  const bool has_arguments = definition.starts_with('(');
  m_values.insert_or_assign(name, Value{source_tokens(definition), !has_arguments});
}

std::optional<std::int64_t> DefinedMacros::value_of(const std::string& name) const {
  const auto found = m_values.find(name);
  if (found == m_values.end() || !found->second.is_known) return std::nullopt;
  return constant_value(found->second.tokens);
}

void DefinedMacros::assume(const std::string& name, std::int64_t value) {
  m_values.insert_or_assign(name, Value{{std::to_string(value)}});
  note_choice(name);
}

void DefinedMacros::add_missing_from(const DefinedMacros& others, const DefinedMacros& these) {
  for (const auto& [name, value] : others.m_values) {
    if (!these.is_defined(name)) m_values.emplace(name, value);
  }
}

ConditionVerdict DefinedMacros::evaluate(const Directive& condition) const {
  Tokens tokens = source_tokens(condition.rest);
  if (condition.name.ends_with("def")) {
    const std::string name(token_at(tokens, 0));
    ConditionVerdict verdict = Evaluation(*this).of_definition(name);
    if (condition.name.ends_with("ndef")) verdict.holds = !verdict.holds;
    return verdict;
  }
  return Evaluation(*this).of(tokens);
}

bool is_compilers_macro(const std::string& name) {
  const bool is_reserved =
      name.size() > 1 && name.front() == '_' &&
      (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
  return is_reserved || is_version_of_toolkit(name) || name == "WIN32" || name == "NDEBUG";
}

}  // namespace gtune
