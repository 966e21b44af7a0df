#include "authoring/entry_mistake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "authoring/cpp_types.hpp"
#include "model/words.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_listed = 8;

std::vector<std::string> kernel_names(const std::vector<OutlinedKernel>& kernels) {
  std::vector<std::string> names;
  for (const OutlinedKernel& kernel : kernels) names.push_back(kernel.name);
  return names;
}

/// "its kernels: scale, copy"
std::string listed(std::vector<std::string> names) {
  const std::size_t more = names.size() - std::min(names.size(), most_listed);
  names.resize(names.size() - more);
  const std::string rest = more == 0 ? "" : fmt::format(" and {} more", more);
  return fmt::format(
      "{} {}{}", names.size() == 1 ? "its kernel:" : "its kernels:", fmt::join(names, ", "), rest);
}

/// The arguments between the outer angle brackets, without blanks around them.
std::vector<std::string> arguments_of(const std::string& entry) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (const char c : entry) {
    const bool closes = c == '>' || c == ')';
    if (closes) --depth;
    if (c == ',' && depth == 1) {
      arguments.emplace_back();
    } else if (depth > 0 && (c != ' ' || !arguments.back().empty())) {
      arguments.back() += c;
    }
    if (c == '<' || c == '(') ++depth;
  }
  for (std::string& argument : arguments) argument.resize(argument.find_last_not_of(' ') + 1);
  return arguments;
}

/// The first argument whose value is a number where the kernel has a type, or the other way round.
std::string wrong_kind(const std::vector<std::string>& arguments,
                       const std::vector<std::string>& values, const OutlinedKernel& kernel) {
  const std::vector<TemplateParameter>& parameters = kernel.template_parameters;
  for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
    const bool is_number =
        !values[i].empty() && values[i].find_first_not_of("-0123456789") == std::string::npos;
    const bool is_type = element_of(values[i]).is_known;
    if (parameters[i].is_entity || (parameters[i].is_type ? !is_number : !is_type)) continue;
    return fmt::format("template parameter {} of '{}' is {} ('{}'), and the entry has '{}' there",
                       i + 1, kernel.name, parameters[i].is_type ? "a type" : "a value",
                       parameters[i].name, arguments[i]);
  }
  return "";
}

std::string wrong_template(const std::string& entry, const std::string& with_values,
                           const OutlinedKernel& kernel) {
  std::vector<std::string> names;
  for (const TemplateParameter& each : kernel.template_parameters) names.push_back(each.name);
  const bool has_arguments = entry.find('<') != std::string::npos;
  if (names.empty() && has_arguments) {
    return fmt::format("'{0}' is not a template; write \"{0}\"", kernel.name);
  }
  const std::string whole = fmt::format("{}<{}>", kernel.name, fmt::join(names, ","));
  if (!names.empty() && !has_arguments) {
    return fmt::format("'{}' is a template; write its arguments too, as in \"{}\"", kernel.name,
                       whole);
  }
  if (!has_arguments) return "";
  const std::vector<std::string> arguments = arguments_of(entry);
  if (arguments.size() <= names.size() || kernel.has_pack) {
    const std::string kind = wrong_kind(arguments, arguments_of(with_values), kernel);
    return kind.empty() ? "" : fmt::format("{}; write \"{}\"", kind, whole);
  }
  return fmt::format("'{}' has {}, but the entry has {}; write \"{}\"", kernel.name,
                     counted(names.size(), "template parameter"),
                     counted(arguments.size(), "argument"), whole);
}

}  // namespace

std::string entry_mistake(const std::string& entry, const std::string& with_values,
                          const std::string& source, const std::vector<OutlinedKernel>& kernels) {
  std::string name = entry.substr(0, entry.find('<'));
  while (name.ends_with(' ')) name.pop_back();
  if (name.starts_with("::")) name.erase(0, 2);
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const auto& kernel) { return kernel.name == name; });
  if (found != kernels.end()) return wrong_template(entry, with_values, *found);
  if (kernels.empty()) {
    return fmt::format("{} has no kernel '{}', and no __global__ function at all", source, name);
  }
  const std::vector<std::string> names = kernel_names(kernels);
  return fmt::format("{} has no kernel '{}' ({}){}", source, name, listed(names),
                     did_you_mean(name, names));
}

}  // namespace gtune
