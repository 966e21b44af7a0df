#include "authoring/argument_kind.hpp"

#include <algorithm>
#include <utility>

#include "model/plan.hpp"

namespace gtune {

const OutlinedArgument* outlined_argument(const KernelFacts& facts, std::size_t index) {
  const auto& arguments = facts.kernel.arguments;
  return arguments.size() == facts.types.size() ? &arguments[index] : nullptr;
}

std::string argument_name(const KernelFacts& facts, std::size_t index) {
  const OutlinedArgument* outlined = outlined_argument(facts, index);
  const bool has_name = outlined != nullptr && !outlined->name.empty();
  if (has_name) return outlined->name;
  std::string name = "argument" + std::to_string(index + 1);
  const std::vector<std::string> others = facts.kernel.argument_names();
  while (std::find(others.begin(), others.end(), name) != others.end()) name += '_';
  return name;
}

std::optional<DeclaredStruct> layout_of_argument(const KernelFacts& facts, std::size_t index) {
  const std::string& type = facts.types[index].name;
  const ElementOf element = element_of(type);
  auto layout = element.is_known ? std::optional(lay_out_vector(element, type))
                                 : lay_out_struct(type, facts.declared_types, facts.constants);
  if (layout && layout->bytes > most_argument_bytes) return std::nullopt;
  if (!layout || index >= facts.bytes.size()) return layout;
  const bool is_same = std::cmp_equal(facts.bytes[index], layout->bytes);
  return is_same ? layout : std::nullopt;
}

ArgumentKind argument_kind(const KernelFacts& facts, std::size_t index) {
  const ParameterType& type = facts.types[index];
  const bool is_function = type.name.find("(*)") != std::string::npos;
  if (type.pointers > 2 || is_function) return ArgumentKind::unknown;
  if (type.pointers == 2) return ArgumentKind::pointer_table;
  if (type.pointers == 1) return ArgumentKind::buffer;
  if (type.name == "CUtensorMap_st" || type.name == "CUtensorMap") return ArgumentKind::tensor_map;
  if (const OutlinedArgument* outlined = outlined_argument(facts, index)) {
    const std::string spelled = spelled_type(outlined->type, facts.declared_types).name;
    if (spelled == "cudaTextureObject_t" || spelled == "CUtexObject") return ArgumentKind::texture;
    if (spelled == "cudaSurfaceObject_t" || spelled == "CUsurfObject") return ArgumentKind::surface;
  }
  const ElementOf element = element_of(type.name);
  if (!element.is_known || element.count > 1) return ArgumentKind::structure;
  return element.is_size() ? ArgumentKind::size : ArgumentKind::number;
}

std::string array_of_argument(const KernelFacts& facts, std::size_t index) {
  std::string name = argument_name(facts, index);
  if (argument_kind(facts, index) != ArgumentKind::pointer_table) return name;
  const Tokens& body = facts.kernel.body;
  for (std::size_t at = 2; at < body.size(); ++at) {
    const bool is_entry = body[at] == name && body[at - 1] == "=" && token_at(body, at + 1) == "[";
    if (!is_entry) continue;
    const std::size_t end = past_brackets(body, at + 1);
    if (token_at(body, end) == ";" || token_at(body, end) == ",") return body[at - 2];
  }
  return name;
}

std::vector<std::string> arrays_of(const KernelFacts& facts) {
  std::vector<std::string> arrays;
  for (std::size_t i = 0; i < facts.types.size(); ++i) {
    if (facts.types[i].pointers > 0) arrays.push_back(array_of_argument(facts, i));
    if (argument_kind(facts, i) != ArgumentKind::structure) continue;
    const auto layout = layout_of_argument(facts, i);
    if (!layout) continue;
    for (const LaidMember& member : layout->members) {
      if (member.pointers == 1) arrays.push_back(argument_name(facts, i) + "." + member.name);
    }
  }
  return arrays;
}

}  // namespace gtune
