#include "authoring/enumerators.hpp"

#include "authoring/cpp_types.hpp"

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

}  // namespace

std::vector<std::string> enumerators_of(const TemplateParameter& parameter,
                                        const OutlinedKernel& kernel, const TypeOutline& types) {
  const std::string& type = parameter.named_type;
  const auto found = types.enums.find(without_namespaces(type));
  if (type.empty() || found == types.enums.end()) return {};
  const std::string begin = outer_namespaces(type, kernel) +
                            (found->second.is_scoped ? type + "::" : namespaces_of(type));
  std::vector<std::string> all;
  for (const std::string& value : found->second.values) all.push_back(begin + value);
  return all;
}

std::string cast_to_type_of(const TemplateParameter& parameter, const OutlinedKernel& kernel,
                            const TypeOutline& types) {
  const std::string& type = parameter.named_type;
  if (type.empty() || types.aliases.contains(without_namespaces(type))) return "";
  return "(::" + outer_namespaces(type, kernel) + type + ")";
}

}  // namespace gtune
