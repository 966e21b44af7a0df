#include "authoring/variable_match.hpp"

#include <algorithm>

#include "spec/suggestion.hpp"

namespace gtune {
namespace {

/// Absent if the plans have no such buffer.
std::optional<std::int64_t> buffer_bytes(const std::vector<ArgumentPlan>& plans,
                                         const std::string& name) {
  for (const ArgumentPlan& plan : plans) {
    const auto* buffer = std::get_if<BufferPlan>(&plan);
    if (buffer == nullptr || buffer->name != name) continue;
    return buffer->count * static_cast<std::int64_t>(size_of(buffer->type));
  }
  return std::nullopt;
}

}  // namespace

std::vector<ArgumentMistake> match_variables(const std::vector<ArgumentSpec>& arguments,
                                             const std::vector<ArgumentPlan>& plans,
                                             const std::vector<ElfObject>& variables) {
  std::vector<std::string> names;
  for (const ElfObject& variable : variables) names.push_back(variable.name);
  std::vector<ArgumentMistake> mistakes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* buffer = std::get_if<BufferSpec>(&arguments[i]);
    if (buffer == nullptr || buffer->symbol.empty()) continue;
    const std::string what = "variable '" + buffer->symbol + "'";
    const auto found = std::find(names.begin(), names.end(), buffer->symbol);
    if (found == names.end()) {
      const std::string suggestion = did_you_mean(buffer->symbol, names);
      mistakes.push_back({i, "the compiled code of ",
                          " has no " + what +
                              (suggestion.empty() ? "; expected a __constant__ or __device__ "
                                                    "variable outside namespaces that it uses"
                                                  : suggestion)});
      continue;
    }
    const ElfObject& variable = variables[static_cast<std::size_t>(found - names.begin())];
    const auto bytes = buffer_bytes(plans, buffer->name);
    if (!bytes || *bytes <= variable.bytes) continue;
    mistakes.push_back({i, what + " of ",
                        " has " + std::to_string(variable.bytes) + " bytes, but the buffer '" +
                            buffer->name + "' has " + std::to_string(*bytes)});
  }
  return mistakes;
}

}  // namespace gtune
