#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/macro_outline.hpp"
#include "authoring/source_tokens.hpp"
#include "authoring/type_outline.hpp"

namespace gtune {

/// A parameter of a template.
struct TemplateParameter {
  std::string name;
  bool is_type = false;
  bool is_bool = false;
  std::optional<std::int64_t> default_value;
};

/// A parameter of a kernel.
struct OutlinedArgument {
  std::string name;  // "" where there is none
  Tokens type;
};

/// A kernel's definition, or declaration, as the source's text has it.
struct OutlinedKernel {
  std::string name;  // with its namespaces: "ns::scale"
  std::vector<TemplateParameter> template_parameters = {};
  std::vector<OutlinedArgument> arguments = {};
  Tokens body = {};           // with its braces; empty for a declaration
  Tokens launch_bounds = {};  // the most threads of a block; empty: it does not say

  [[nodiscard]] std::vector<std::string> argument_names() const;
};

/// What a CUDA source looks like to who reads its text without its includes: names, which a
/// compiler does not keep. They are guesses, for macros may make something else of them.
struct SourceOutline {
  Tokens tokens;
  std::vector<OutlinedKernel> kernels;  // each name once, in the order of the text
  MacroOutline macros;
  TypeOutline types;
  std::map<std::string, std::int64_t> constants;  // const int NAME = VALUE;
  bool takes_shared_memory = false;               // extern __shared__, whose size is the launch's
};

[[nodiscard]] SourceOutline outline_source(std::string_view text);

}  // namespace gtune
