#include "cli/completion.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "cli/completed_line.hpp"
#include "cli/parsers.hpp"
#include "cli/stored_values.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "profile/familiar_metrics.hpp"
#include "profile/metric_catalog.hpp"
#include "search/strategy.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

using Suggestions = std::vector<Suggestion>;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Suggestions words_only(const auto& values) {
  Suggestions all;
  for (const auto& value : values) all.push_back({std::string(value), ""});
  return all;
}

Suggestions kernels_to_ask(KernelFinder& kernels) {
  Suggestions all;
  for (const CatalogEntry& entry : kernels.all()) all.push_back({entry.name, entry.help});
  return all;
}

Suggestions architectures() {
  Suggestions all;
  for (const DeviceFacts& device : known_architectures()) {
    all.push_back({"sm_" + std::to_string(device.cc()), "such as " + device.name});
  }
  return all;
}

Suggestions chips() {
  std::set<std::string> names;
  for (const DeviceFacts& device : known_architectures()) {
    if (const auto chip = chip_of(device.cc())) names.insert(*chip);
  }
  return words_only(names);
}

Suggestions metric_names() {
  Suggestions all;
  for (const FamiliarMetric& metric : familiar_metrics()) {
    all.push_back({std::string(metric.name), std::string(metric.help)});
  }
  return all;
}

Suggestions strategy_words() {
  Suggestions all;
  for (const StrategyInfo& info : strategies()) {
    all.push_back({std::string(info.name), std::string(info.help)});
  }
  return all;
}

Suggestions parameters(const CompletedLine& line) {
  Suggestions all;
  if (line.spec() == nullptr) return all;
  for (const Parameter& parameter : line.spec()->params) {
    all.push_back({parameter.name, parameter.help});
  }
  return all;
}

/// What may follow the last comma of a list; each word includes the text before it.
Suggestions after(const std::string& list, const Suggestions& next) {
  const std::string before = list.substr(0, list.rfind(',') + 1);
  Suggestions all = next;
  for (Suggestion& each : all) each.word = before + each.word;
  return all;
}

Suggestions sizes_and_parameters(const CompletedLine& line) {
  Suggestions all;
  if (line.spec() == nullptr) return all;
  for (const ProblemSize& size : line.spec()->sizes) all.push_back({size.name, size.help});
  for (const Suggestion& parameter : parameters(line)) all.push_back(parameter);
  return all;
}

/// "UNROLL,GB/s,WIDTH": a size or a parameter, what to plot over it, and what to group by.
Suggestions plot_axes(const CompletedLine& line, const std::string& typed) {
  const auto commas = std::count(typed.begin(), typed.end(), ',');
  if (commas > 2) return {};
  if (commas != 1) return after(typed, sizes_and_parameters(line));
  Suggestions quantities = {{"time", "of the fastest configuration"},
                            {"GB/s", "its bandwidth"},
                            {"GFLOP/s", "its speed"}};
  for (const Suggestion& metric : metric_names()) quantities.push_back(metric);
  return after(typed, quantities);
}

/// "BM=64": one parameter's name, or a value of it. `typed` is the part after the last comma.
Suggestions assignments(const CompletedLine& line, const std::string& typed) {
  Suggestions all;
  if (line.spec() == nullptr) return all;
  const std::size_t equals = typed.find('=');
  for (const Parameter& parameter : line.spec()->params) {
    if (equals == std::string::npos) {
      all.push_back({parameter.name + "=", parameter.help});
    } else if (parameter.name == typed.substr(0, equals)) {
      for (const auto value : parameter.values) {
        all.push_back({parameter.name + "=" + value_text(value), ""});
      }
    }
  }
  return all;
}

/// --param BM=64,128: a list of values of one parameter.
Suggestions narrowings(const CompletedLine& line, const std::string& typed) {
  const std::size_t comma = typed.rfind(',');
  const std::size_t equals = typed.find('=');
  if (comma == std::string::npos || equals == std::string::npos) return assignments(line, typed);
  Suggestions all;
  for (const Suggestion& each : assignments(line, typed.substr(0, equals + 1))) {
    all.push_back({typed.substr(0, comma + 1) + each.word.substr(equals + 1), ""});
  }
  return all;
}

Suggestions configurations(const CompletedLine& line, const std::string& typed) {
  return after(typed, assignments(line, typed.substr(typed.rfind(',') + 1)));
}

Suggestions measured_things(const CompletedLine& line, const std::string& typed) {
  Suggestions all = configurations(line, typed);
  if (line.spec() == nullptr || typed.find('=') != std::string::npos) return all;
  all.push_back({"best", "the fastest stored configuration"});
  for (const Baseline& baseline : line.spec()->baselines) {
    all.push_back({baseline.name, baseline.help});
  }
  return all;
}

Suggestions devices_to_tune_on() {
  return {{"auto", "GPU 0, else the recording"},
          {"all", "every GPU of this machine"},
          {"replay", "recorded measurements"},
          {"none", "only what --worker-command reaches"},
          {"0", "the first GPU"}};
}

Suggestions sizes_of(const CompletedLine& line, const CLI::Option& option) {
  Suggestions all;
  if (line.spec() == nullptr) return all;
  for (const auto value : stored_sizes(*line.spec(), line.values(), option.get_lnames().front())) {
    all.push_back({std::to_string(value), "stored"});
  }
  return all;
}

Suggestions variant_values(const CompletedLine& line, const CLI::Option& option) {
  Suggestions all;
  for (const VariantOption& each : line.variants()) {
    if (each.name != option.get_lnames().front()) continue;
    all.push_back({each.default_value, ""});
    for (const auto& variant : each.variants) all.push_back({variant.value, ""});
  }
  return all;
}

/// The values of an option by the name of their type.
Completion values_for(const CompletedLine& line, CLI::Option& option, const std::string& typed,
                      KernelFinder& kernels) {
  namespace type = value_type;
  const std::string wanted = value_type_of(option);
  const auto is = [&](const char* name) { return wanted == name; };
  if (is(type::strategy)) return {strategy_words()};
  if (is(type::strategies)) return {after(typed, strategy_words())};
  if (const auto choices = choices_of(option); !choices.empty()) return {words_only(choices)};
  if (is(type::file) || is(type::spec_file) || is(type::source_file) || is("FILE...") ||
      is(type::folder))
    return {{}, true};
  if (is(type::kernel)) return {kernels_to_ask(kernels), true};
  if (is(type::architecture)) return {architectures()};
  if (is(type::chip)) return {chips()};
  if (is(type::parameter)) return {parameters(line)};
  if (is(type::parameter_pair)) return {after(typed, parameters(line))};
  if (is(type::plot_axes)) return {plot_axes(line, typed)};
  if (is(type::narrowing)) return {narrowings(line, typed)};
  if (is(type::configuration)) return {configurations(line, typed)};
  if (is(type::measured)) return {measured_things(line, typed)};
  if (is(type::metrics) || is("METRIC...")) return {after(typed, metric_names())};
  if (is(type::devices)) return {devices_to_tune_on()};
  if (is(type::device_name)) return {words_only(stored_devices(line.spec(), line.values()))};
  if (is(type::stored_kernel)) return {words_only(stored_kernels(line.values()))};
  if (is(type::sizes)) return {sizes_of(line, option)};
  if (is(type::variant)) return {variant_values(line, option)};
  return {};
}

/// Adds the values that the option's type lists, as in "--TA [0|1]".
void add_listed(const CLI::Option& option, Completion& completion) {
  const std::string type = value_type_of(option);
  if (type.find('|') == std::string::npos || type == value_type::measured) return;
  std::size_t begin = 0;
  while (begin <= type.size()) {
    const std::size_t end = std::min(type.find('|', begin), type.size());
    completion.words.push_back({type.substr(begin, end - begin), ""});
    begin = end + 1;
  }
}

Suggestions option_words(const CLI::App& command) {
  Suggestions all;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      all.push_back({"--" + name, first_line(option->get_description())});
    }
  }
  return all;
}

Suggestions command_words(CLI::App& command) {
  Suggestions all;
  for (const CLI::App* each : all_subcommands(command)) {
    if (!each->get_group().empty()) all.push_back({each->get_name(), each->get_description()});
  }
  return all;
}

Completion suggest(const CompletedLine& line, const std::string& typed, KernelFinder& kernels) {
  const auto of_option = [&](CLI::Option& option, const std::string& value) {
    Completion completion = values_for(line, option, value, kernels);
    add_listed(option, completion);
    return completion;
  };
  if (line.waiting() != nullptr) return of_option(*line.waiting(), typed);
  const std::size_t equals = typed.find('=');
  if (typed.starts_with("--") && equals != std::string::npos) {
    CLI::Option* option = line.command().get_option_no_throw(typed.substr(0, equals));
    if (option == nullptr) return {};
    Completion completion = of_option(*option, typed.substr(equals + 1));
    for (Suggestion& each : completion.words) {
      each.word.insert(0, typed.substr(0, equals + 1));
    }
    return completion;
  }
  if (typed.starts_with('-')) return {option_words(line.command())};
  Completion completion{command_words(line.command())};
  if (!completion.words.empty()) return completion;
  if (CLI::Option* argument = line.next_argument()) return of_option(*argument, typed);
  return {option_words(line.command())};
}

}  // namespace

Completion complete(const std::vector<std::string>& words, KernelFinder& kernels) {
  if (words.empty()) return {};
  const std::string& typed = words.back();
  const CompletedLine line({words.begin(), words.end() - 1}, kernels);
  Completion completion = suggest(line, typed, kernels);
  std::erase_if(completion.words,
                [&](const Suggestion& each) { return !each.word.starts_with(typed); });
  for (Suggestion& each : completion.words) each.help = first_line(each.help);
  return completion;
}

}  // namespace gtune
