#include "authoring/enumerators.hpp"

#include "authoring/cpp_types.hpp"
#include "authoring/draft_limits.hpp"

namespace gtune {
namespace {

/// "ns::" of "ns::Mode"; "" of "Mode".
std::string namespaces_of(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? "" : name.substr(0, at + 2);
}

/// The prefix for an unqualified type: a kernel names the types of its own namespace without it.
std::string outer_namespaces(const std::string& type, const OutlinedKernel& kernel) {
  return namespaces_of(type).empty() ? namespaces_of(kernel.name) : "";
}

/// A library may open its namespaces in a macro, so that the text shows "Mode" for "cub::Mode".
std::string full_name(const std::string& written, const std::string& found) {
  return written.ends_with("::" + found) ? written : found;
}

}  // namespace

std::vector<std::string> enumerators_of(const TemplateParameter& parameter,
                                        const OutlinedKernel& kernel, const TypeOutline& types) {
  if (parameter.named_type.empty()) return {};
  const std::string found = types.enum_named(parameter.named_type, namespaces_of(kernel.name));
  if (found.empty()) return {};
  const OutlinedEnum& enumeration = types.enums.at(found);
  const std::string name = full_name(parameter.named_type, found);
  const std::string begin = enumeration.is_scoped ? name + "::" : namespaces_of(name);
  std::vector<std::string> all;
  for (const std::string& value : enumeration.values) all.push_back(begin + value);
  return allowed_words(std::move(all));
}

std::string cast_to_type_of(const TemplateParameter& parameter, const OutlinedKernel& kernel,
                            const TypeOutline& types) {
  const std::string& type = parameter.named_type;
  if (type.empty() || types.aliases.contains(without_namespaces(type))) return "";
  return "(::" + outer_namespaces(type, kernel) + type + ")";
}

}  // namespace gtune
