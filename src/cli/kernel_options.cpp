#include "cli/kernel_options.hpp"

#include <algorithm>

#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

namespace {

/// A choice between 0 and 1 is a flag: --TA means --TA 1.
bool is_flag(const ProblemSize& size) { return size.choices == std::vector<std::int64_t>{0, 1}; }

/// "0|1"
std::string choices_text(const ProblemSize& size) {
  std::string text;
  for (const std::int64_t choice : size.choices) {
    text += (text.empty() ? "" : "|") + std::to_string(choice);
  }
  return text;
}

}  // namespace

void SizeOptions::add_to(CLI::App& command, const KernelSpec& spec) {
  // CLI11 treats -h and --h as the same name.
  if (spec.find_size("h")) command.set_help_flag("--help", k_help_of_help);
  for (const auto& size : spec.sizes) {
    std::string help = size.help.empty() ? "problem size" : size.help;
    help += " [" + size.default_value.text() + "]";
    Given& given = m_given[size.name];
    given.option = command.add_option("--" + size.name, given.text, help);
    given.option->type_name(size.choices.empty() ? value_type::sizes : choices_text(size))
        ->group(option_group::sizes);
    if (is_flag(size)) given.option->expected(0, 1);
  }
}

std::map<std::string, std::vector<std::int64_t>> SizeOptions::values(const KernelSpec& spec) const {
  std::map<std::string, std::vector<std::int64_t>> sizes;
  for (const auto& size : spec.sizes) {
    const Given& given = m_given.at(size.name);
    if (given.option->count() == 0) continue;
    const bool bare = is_flag(size) && given.option->results().front().empty();
    sizes[size.name] = parse_sizes(size, bare ? "1" : given.text);
  }
  return sizes;
}

std::vector<Problem> SizeOptions::problems(const KernelSpec& spec) const {
  return expand_problems(spec, values(spec));
}

bool SizeOptions::any() const {
  return std::any_of(m_given.begin(), m_given.end(),
                     [](const auto& entry) { return entry.second.option->count() > 0; });
}

Problem SizeOptions::single(const KernelSpec& spec) const {
  const std::vector<Problem> all = problems(spec);
  if (all.size() != 1) {
    throw UserError(ExitCode::usage,
                    "this command takes one problem: give one value for each size");
  }
  return all.front();
}

}  // namespace gtune
