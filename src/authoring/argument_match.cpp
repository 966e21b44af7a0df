#include "authoring/argument_match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "authoring/cpp_types.hpp"
#include "model/words.hpp"

namespace gtune {
namespace {

constexpr std::int64_t pointer_bytes = 8;  // also the size of a texture object
constexpr std::int64_t tensor_map_bytes = 128;
constexpr std::int64_t tensor_map_alignment = 64;

bool is_pointer(const KernelParameter& parameter) {
  return parameter.bytes == pointer_bytes && !parameter.is_real && !parameter.is_struct;
}

bool is_tensor_map(const KernelParameter& parameter) {
  return parameter.bytes == tensor_map_bytes && parameter.alignment >= tensor_map_alignment;
}

std::string words_for(const KernelParameter& parameter) {
  if (parameter.is_real) return parameter.bytes == 4 ? "a float" : "a double";
  const char* kind = parameter.is_struct     ? "a struct"
                     : is_pointer(parameter) ? "a pointer or an integer"
                                             : "an integer";
  return fmt::format("{} of {} byte{}", kind, parameter.bytes, parameter.bytes == 1 ? "" : "s");
}

/// The scalar types that fit a parameter; empty if none does.
std::string scalar_types(const KernelParameter& parameter) {
  const std::int64_t bits = 8 * parameter.bytes;
  if (parameter.is_real) return fmt::format("type = \"f{}\"", bits);
  if (parameter.is_struct) return bits == 16 ? R"(type = "f16" or "bf16")" : "";
  return bits > 64 ? "" : fmt::format("type = \"i{0}\" or \"u{0}\"", bits);
}

/// The keys that an argument for this parameter needs.
std::string argument_for(const KernelParameter& parameter) {
  if (is_pointer(parameter)) {
    return R"('count' for a buffer, or 'value' and type = "i64" or "u64" for an integer)";
  }
  if (is_tensor_map(parameter)) return R"(type = "tensor_map")";
  const std::string types = scalar_types(parameter);
  if (!types.empty()) return "'value' and " + types;
  return fmt::format("type = \"struct\" and 'members' of {} bytes in all", parameter.bytes);
}

/// Describes an argument that does not fit the parameter; empty if it fits.
struct Passed {
  const KernelParameter& parameter;

  std::string operator()(const BufferSpec&) const {
    return is_pointer(parameter) ? "" : "a buffer";
  }
  std::string operator()(const ScalarSpec& scalar) const {
    const auto bytes = static_cast<std::int64_t>(size_of(scalar.type));
    // The compiler reports half types as structs.
    const bool same_kind =
        parameter.is_struct || bytes < 4 || is_floating(scalar.type) == parameter.is_real;
    return parameter.bytes == bytes && same_kind ? "" : std::string(to_string(scalar.type));
  }
  std::string operator()(const TensorMapSpec&) const {
    return is_tensor_map(parameter) ? "" : "a tensor map (128 bytes aligned to 64)";
  }
  std::string operator()(const TextureSpec& spec) const {
    if (is_pointer(parameter)) return "";
    return spec.is_surface ? "a surface (a cudaSurfaceObject_t)"
                           : "a texture (a cudaTextureObject_t)";
  }
  std::string operator()(const StructSpec& spec) const {
    if (spec.by_address) return is_pointer(parameter) ? "" : "a struct by address";
    const auto bytes = static_cast<std::int64_t>(size_of(spec));
    if (parameter.is_struct && parameter.bytes == bytes) return "";
    return fmt::format("a struct of {} bytes", bytes);
  }
};

/// Advice for an argument that does not fit.
std::string fix_of(const ArgumentSpec& argument, const KernelParameter& parameter) {
  const bool is_scalar = std::holds_alternative<ScalarSpec>(argument);
  const std::string types = scalar_types(parameter);
  if (is_scalar && !types.empty() && !is_pointer(parameter)) return "write " + types;
  return "write " + argument_for(parameter);
}

/// Indices of the arguments that a launch passes.
std::vector<std::size_t> passed(const std::vector<ArgumentSpec>& arguments) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* buffer = std::get_if<BufferSpec>(&arguments[i]);
    if (buffer == nullptr || buffer->passed) indices.push_back(i);
  }
  return indices;
}

/// Whether elements of one type may stand for those of the other: signedness does not matter.
bool are_alike(ElementType a, ElementType b) {
  if (is_floating(a) || is_floating(b)) return a == b;
  return size_of(a) == size_of(b);
}

ArgumentMistake wrong_count(const std::vector<std::string>& own,
                            const std::vector<KernelParameter>& parameters,
                            const std::vector<std::string>& names) {
  const std::string passes =
      own.empty() ? "the spec passes no arguments; "
                  : fmt::format("the spec passes {} ({}); ", counted(own.size(), "argument"),
                                fmt::join(own, ", "));
  if (parameters.empty())
    return {std::nullopt, passes + "there are no parameters in ", "; remove the arguments"};
  std::vector<std::string> taken = names;
  if (names.empty()) {
    for (const KernelParameter& each : parameters) taken.push_back(words_for(each));
  }
  return {std::nullopt,
          fmt::format("{}the {} of ", passes, counted(parameters.size(), "parameter")),
          fmt::format(" {} {}; write one argument for each, in this order",
                      parameters.size() == 1 ? "is" : "are", fmt::join(taken, ", "))};
}

/// Why the elements of a buffer do not fit what the parameter points to.
std::optional<ArgumentMistake> element_mistake(const BufferSpec& buffer, std::size_t index,
                                               const ParameterType& type,
                                               const std::string& which) {
  const std::string middle = ", but parameter " + which + " of ";
  if (is_written(buffer.direction) && type.points_to_const) {
    return ArgumentMistake{index, fmt::format("argument '{}' is an output", buffer.name) + middle,
                           " points to const; write direction = \"in\""};
  }
  const ElementOf element = element_of(type.name);
  const bool fits_all = !element.is_known || size_of(buffer.type) == 1;
  if (fits_all || are_alike(buffer.type, element_type_from_string(element.type))) {
    return std::nullopt;
  }
  return ArgumentMistake{
      index,
      fmt::format("argument '{}' has elements of type {}", buffer.name, to_string(buffer.type)) +
          middle,
      fmt::format(" points to {}; write type = \"{}\"", type.name, element.type)};
}

/// `type`: null if unknown.
std::optional<ArgumentMistake> mistake_of(const ArgumentSpec& argument, std::size_t index,
                                          const KernelParameter& parameter,
                                          const ParameterType* type, const std::string& which) {
  const std::string is = std::visit(Passed{parameter}, argument);
  if (!is.empty()) {
    return ArgumentMistake{
        index,
        fmt::format("argument '{}' is {}, but parameter {} of ", name_of(argument), is, which),
        fmt::format(" is {}; {}", words_for(parameter), fix_of(argument, parameter))};
  }
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  if (buffer == nullptr || type == nullptr || type->pointers != 1) return std::nullopt;
  return element_mistake(*buffer, index, *type, which);
}

}  // namespace

std::vector<ArgumentMistake> match_arguments(const std::vector<ArgumentSpec>& arguments,
                                             const std::vector<KernelParameter>& parameters,
                                             const ParameterHints& hints) {
  const std::vector<std::size_t> indices = passed(arguments);
  std::vector<std::string> own;
  for (const std::size_t index : indices) own.push_back(name_of(arguments[index]));
  const std::vector<std::string>& names = hints.names;
  const bool are_named = names.size() == parameters.size();
  if (indices.size() != parameters.size()) {
    return {wrong_count(own, parameters, are_named ? names : std::vector<std::string>())};
  }
  std::vector<ArgumentMistake> mistakes;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::string which =
        are_named ? fmt::format("{} ('{}')", i + 1, names[i]) : std::to_string(i + 1);
    const bool are_typed = hints.types.size() == parameters.size();
    const auto mistake = mistake_of(arguments[indices[i]], indices[i], parameters[i],
                                    are_typed ? &hints.types[i] : nullptr, which);
    if (mistake) mistakes.push_back(*mistake);
  }
  const bool same_names =
      are_named && std::is_permutation(own.begin(), own.end(), names.begin(), names.end());
  if (mistakes.empty() || !same_names || own == names) return mistakes;
  return {{mistakes.front().index,
           fmt::format("the spec passes {}; the parameters of ", fmt::join(own, ", ")),
           fmt::format(" are {}; put the arguments into that order", fmt::join(names, ", "))}};
}

void ArgumentMistakes::add(const std::string& at, const std::string& kernel,
                           const ArgumentMistake& mistake) {
  auto found = std::find_if(m_shared.begin(), m_shared.end(), [&](const Shared& other) {
    return other.at == at && other.mistake.begin == mistake.begin &&
           other.mistake.end == mistake.end;
  });
  if (found == m_shared.end()) found = m_shared.insert(found, {at, mistake, {}});
  const bool is_known =
      std::find(found->kernels.begin(), found->kernels.end(), kernel) != found->kernels.end();
  if (!is_known) found->kernels.push_back(kernel);
}

void ArgumentMistakes::add_to_others(const std::string& at, const std::string& kernel,
                                     const ArgumentMistake& mistake) {
  const auto found = std::find_if(m_shared.begin(), m_shared.end(), [&](const Shared& other) {
    return other.mistake.begin == mistake.begin && other.mistake.end == mistake.end;
  });
  add(found == m_shared.end() ? at : found->at, kernel, mistake);
}

std::vector<ArgumentMistakes::Reported> ArgumentMistakes::all() const {
  std::vector<Reported> reported;
  for (const Shared& each : m_shared) {
    std::string kernels;
    for (const std::string& kernel : each.kernels) {
      kernels += (kernels.empty() ? "'" : " and '") + kernel + "'";
    }
    reported.push_back({each.at, each.mistake.begin + kernels + each.mistake.end});
  }
  return reported;
}

}  // namespace gtune
