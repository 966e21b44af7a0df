#include "authoring/argument_match.hpp"

#include <fmt/format.h>

namespace gtune {
namespace {

constexpr std::int64_t pointer_bytes = 8;  // of a texture object as well
constexpr std::int64_t tensor_map_bytes = 128;
constexpr std::int64_t tensor_map_alignment = 64;

std::string words_for(const KernelParameter& parameter) {
  const char* kind = parameter.is_struct ? "a struct"
                     : parameter.is_real ? "a float"
                                         : "an integer";
  if (!parameter.is_struct && !parameter.is_real && parameter.bytes == pointer_bytes) {
    kind = "a pointer or an integer";
  }
  return fmt::format("{} of {} byte{}", kind, parameter.bytes, parameter.bytes == 1 ? "" : "s");
}

/// What a parameter has to be for an argument, where it is not.
struct Expected {
  const KernelParameter& parameter;

  std::string operator()(const BufferSpec&) const {
    return is_pointer() ? "" : "a buffer; expected a pointer there";
  }
  std::string operator()(const ScalarSpec& scalar) const {
    const auto bytes = static_cast<std::int64_t>(size_of(scalar.type));
    const bool is_real = is_floating(scalar.type);
    // Half types are structs to the compiler.
    const bool same_kind = parameter.is_struct || bytes < 4 || is_real == parameter.is_real;
    if (parameter.bytes == bytes && same_kind) return "";
    return fmt::format("{}; expected {} of {} byte{} there", to_string(scalar.type),
                       is_real ? "a float" : "an integer", bytes, bytes == 1 ? "" : "s");
  }
  std::string operator()(const TensorMapSpec&) const {
    const bool is_map =
        parameter.bytes == tensor_map_bytes && parameter.alignment >= tensor_map_alignment;
    return is_map ? "" : "a tensor map; expected 128 bytes aligned to 64 there";
  }
  std::string operator()(const TextureSpec& spec) const {
    if (is_pointer()) return "";
    return spec.is_surface ? "a surface; expected a cudaSurfaceObject_t there"
                           : "a texture; expected a cudaTextureObject_t there";
  }
  std::string operator()(const StructSpec& spec) const {
    if (spec.by_address) {
      return is_pointer() ? "" : "a struct by address; expected a pointer there";
    }
    const auto bytes = static_cast<std::int64_t>(size_of(spec));
    if (parameter.is_struct && parameter.bytes == bytes) return "";
    return fmt::format("a struct of {} bytes; expected that there", bytes);
  }

 private:
  [[nodiscard]] bool is_pointer() const {
    return parameter.bytes == pointer_bytes && !parameter.is_real;
  }
};

/// Indices of those that a launch passes.
std::vector<std::size_t> passed(const std::vector<ArgumentSpec>& arguments) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* buffer = std::get_if<BufferSpec>(&arguments[i]);
    if (buffer == nullptr || buffer->passed) indices.push_back(i);
  }
  return indices;
}

std::string sizes_of(const std::vector<KernelParameter>& parameters) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const char* separator = i + 1 == parameters.size() ? " and " : ", ";
    text += (i == 0 ? "" : separator) + std::to_string(parameters[i].bytes);
  }
  return parameters.empty() ? "" : " (of " + text + " bytes)";
}

}  // namespace

std::vector<ArgumentMistake> match_arguments(const std::string& kernel,
                                             const std::vector<ArgumentSpec>& arguments,
                                             const std::vector<KernelParameter>& parameters) {
  const std::vector<std::size_t> indices = passed(arguments);
  if (indices.size() != parameters.size()) {
    return {{std::nullopt,
             fmt::format("'{}' takes {} parameter{}{}, and the spec passes {} argument{}; expected "
                         "one for each, in the order of the kernel's",
                         kernel, parameters.size(), parameters.size() == 1 ? "" : "s",
                         sizes_of(parameters), indices.size(), indices.size() == 1 ? "" : "s")}};
  }
  std::vector<ArgumentMistake> mistakes;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const ArgumentSpec& argument = arguments[indices[i]];
    const std::string expected = std::visit(Expected{parameters[i]}, argument);
    if (expected.empty()) continue;
    const std::string& name = name_of(argument);
    mistakes.push_back(
        {indices[i], fmt::format("parameter {} of '{}' is {}, and argument '{}' is {}", i + 1,
                                 kernel, words_for(parameters[i]), name, expected)});
  }
  return mistakes;
}

}  // namespace gtune
