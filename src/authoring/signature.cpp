#include "authoring/signature.hpp"

#include "jit/host_parameters.hpp"
#include "system/demangled.hpp"

namespace gtune {
namespace {

constexpr const char* template_name = "gtune_signature_of";

bool take_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.erase(text.size() - suffix.size());
  return true;
}

/// Removes the qualifiers at the end; returns whether one of them is const.
bool take_qualifiers(std::string& text) {
  bool is_const = false;
  for (;;) {
    if (take_suffix(text, " const")) {
      is_const = true;
    } else if (!take_suffix(text, " volatile")) {
      return is_const;
    }
  }
}

/// "float const*", "int", "float const* const*", "float const (*) [16]".
ParameterType parse_type(std::string text) {
  ParameterType type;
  if (const std::size_t at = text.find(" (*) ["); at != std::string::npos) {
    text.replace(at, std::string::npos, "*");
  }
  while (take_suffix(text, "*")) {
    ++type.pointers;
    type.points_to_const = take_qualifiers(text);
  }
  type.name = std::move(text);
  return type;
}

/// "float const*, int": types with commas between them.
std::vector<ParameterType> parse_list(const std::string& list) {
  std::vector<ParameterType> types;
  int depth = 0;
  std::string one;
  const auto finish = [&] {
    const std::size_t first = one.find_first_not_of(' ');
    if (first != std::string::npos) types.push_back(parse_type(one.substr(first)));
    one.clear();
  };
  for (const char c : list) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if (c == ')' || c == '>' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      finish();
    } else {
      one += c;
    }
  }
  finish();
  return types;
}

/// The types in the parentheses at the end of a declaration.
std::optional<std::vector<ParameterType>> types_at_end(const std::string& text) {
  if (!text.ends_with(')')) return std::nullopt;
  int depth = 0;
  std::size_t begin = text.size();
  while (begin-- > 0) {
    if (text[begin] == ')') ++depth;
    if (text[begin] == '(' && --depth == 0) {
      return parse_list(text.substr(begin + 1, text.size() - begin - 2));
    }
  }
  return std::nullopt;
}

}  // namespace

KernelRequest signature_request(const KernelSource& source, const std::string& entry,
                                const std::vector<std::string>& options, const std::string& arch) {
  KernelRequest request =
      source.request({std::string(template_name) + "<decltype(&" + entry + ")>"}, options, arch);
  request.compile.source +=
      std::string("\ntemplate <typename> __global__ void ") + template_name + "() {}\n";
  request.compile.in_detail = true;
  return request;
}

std::optional<std::vector<ParameterType>> signature_in(const std::string& kernel_name) {
  // "void gtune_signature_of<void (*)(float*, int)>()"
  const std::string text = demangled(kernel_name);
  const std::string begin = std::string("void ") + template_name + "<void (*)(";
  const std::string end = ")>()";
  if (!text.starts_with(begin) || !text.ends_with(end)) return std::nullopt;
  return parse_list(text.substr(begin.size(), text.size() - begin.size() - end.size()));
}

std::optional<std::vector<ParameterType>> parameter_types(const std::string& kernel_name) {
  return types_at_end(demangled(kernel_name));  // "void scale<float, 4>(float const*, float*, int)"
}

std::optional<std::vector<ParameterType>> host_parameter_types(
    std::span<const std::byte> shared_object) {
  const auto host = host_parameters_in(shared_object);
  return host ? types_at_end(host->function_type) : std::nullopt;
}

}  // namespace gtune
