#include "space/narrowing.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "model/error.hpp"
#include "model/value_word.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& line) {
  throw UserError(ExitCode::usage, option + ": " + line);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(',');
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::vector<std::string> names_of(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const Parameter& param : spec.params) names.push_back(param.name);
  return names;
}

std::string values_of(const Parameter& param) {
  std::vector<std::string> words;
  for (const std::int64_t value : param.values) words.push_back(value_text(value));
  return param.name + " takes " + joined(words);
}

const Parameter& find_param(const KernelSpec& spec, std::string_view name,
                            const std::string& option) {
  const Parameter* param = spec.find_param(name);
  if (param != nullptr) return *param;
  const std::vector<std::string> names = names_of(spec);
  const std::string hint = did_you_mean(name, names);
  fail(option, "kernel '" + spec.name + "' has no parameter '" + std::string(name) + "'" +
                   (hint.empty() ? "; it has " + joined(names) : hint));
}

void expect_value(const Parameter& param, std::int64_t value, const std::string& option) {
  if (std::find(param.values.begin(), param.values.end(), value) != param.values.end()) return;
  fail(option, values_of(param));
}

/// The parameter's value with this text; fails if there is none.
std::int64_t parse_value(const Parameter& param, const std::string& text,
                         const std::string& option) {
  const auto found = std::find_if(param.values.begin(), param.values.end(),
                                  [&](auto value) { return value_text(value) == text; });
  if (found == param.values.end()) fail(option, values_of(param));
  return *found;
}

}  // namespace

Narrowing parse_narrowing(const KernelSpec& spec, std::span<const std::string> options) {
  Narrowing narrowing;
  for (const std::string& text : options) {
    const std::string option = "--param " + text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail(option, "expected NAME=VALUE,... as in BM=64,128");
    const std::string_view words = text;
    const Parameter& param = find_param(spec, words.substr(0, equals), option);
    for (const std::string& word : split(words.substr(equals + 1))) {
      narrowing[param.name].push_back(parse_value(param, word, option));
    }
  }
  return narrowing;
}

void check_narrowing(const KernelSpec& spec, const Narrowing& narrowing) {
  for (const auto& [name, values] : narrowing) {
    const std::string option = "--param " + name;
    const Parameter& param = find_param(spec, name, option);
    if (values.empty()) fail(option, "no value left; " + values_of(param));
    for (const std::int64_t value : values) {
      expect_value(param, value, option + "=" + value_text(value));
    }
  }
}

Config parse_values(const KernelSpec& spec, const std::string& option, std::string_view text) {
  Config given;
  for (const std::string& word : split(text)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) fail(option, "expected NAME=VALUE,... as in BM=64,BN=128");
    const Parameter& param = find_param(spec, std::string_view(word).substr(0, equals), option);
    if (given.find(param.name)) fail(option, param.name + " is given twice");
    given.set(param.name, parse_value(param, word.substr(equals + 1), option));
  }
  return given;
}

Config parse_config(const KernelSpec& spec, std::string_view text, const std::string& given_by) {
  const std::string option = given_by + ' ' + std::string(text);
  const Config given = parse_values(spec, option, text);
  Config config;
  for (const Parameter& param : spec.params) {
    config.set(param.name, given.find(param.name).value_or(param.values.front()));
  }
  const Config existing = existing_values(spec, config);
  std::vector<std::string> missing;
  for (const Parameter& param : spec.params) {
    const bool needed = param.values.size() > 1 && existing.find(param.name);
    if (needed && !given.find(param.name)) missing.push_back(param.name);
  }
  if (!missing.empty()) fail(option, "no value for " + joined(missing));
  return config;
}

void require_valid(const KernelSpec& spec, const Case& asked, const std::string& given_by) {
  const auto violation = find_violation(spec, asked);
  if (!violation) return;
  fail(given_by + ' ' + asked.config.text(), "violates the constraint " + *violation + " for " +
                                                 problem_text(spec, asked.problem) + " on " +
                                                 asked.device.name);
}

}  // namespace gtune
