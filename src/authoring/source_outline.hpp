#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/argument_use.hpp"

namespace gtune {

/// A parameter of a template.
struct TemplateParameter {
  std::string name;
  bool is_type = false;
  bool is_bool = false;
  std::optional<std::int64_t> default_value;
};

/// A kernel's definition, or declaration, as the source's text has it.
struct OutlinedKernel {
  std::string name;  // with its namespaces: "ns::scale"
  std::vector<TemplateParameter> template_parameters;
  std::vector<std::string> argument_names;      // "" where there is none
  std::vector<ArgumentUse> argument_uses = {};  // unknown for a declaration
};

/// A macro that a build may set, #ifndef NAME, #define NAME VALUE, or has to set.
struct SettableMacro {
  std::string name;
  std::optional<std::int64_t> value;
  std::vector<std::int64_t> values = {};  // that conditions compare it with, #if NAME == 2
};

/// What a CUDA source looks like to who reads its text without its includes: names, which a
/// compiler does not keep. They are guesses, for macros may make something else of them.
struct SourceOutline {
  std::vector<OutlinedKernel> kernels;  // each name once, in the order of the text
  std::vector<SettableMacro> macros;
  bool takes_shared_memory = false;  // extern __shared__, whose size is the launch's
};

[[nodiscard]] SourceOutline outline_source(std::string_view text);

}  // namespace gtune
