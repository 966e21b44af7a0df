#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "authoring/conditional_text.hpp"
#include "authoring/defined_macros.hpp"
#include "authoring/macro_outline.hpp"
#include "authoring/source_tokens.hpp"
#include "authoring/type_outline.hpp"
#include "authoring/variable_outline.hpp"

namespace gtune {

/// A parameter of a template.
struct TemplateParameter {
  std::string name;
  bool is_type = false;
  bool is_bool = false;
  bool is_entity = false;       // a template or a function
  std::string named_type = {};  // "ns::Mode", perhaps an enum; empty for a built-in type
  std::optional<std::int64_t> default_value;
  Tokens default_text = {};
};

/// A parameter of a kernel.
struct OutlinedArgument {
  std::string name;  // empty: unnamed
  Tokens type;
  std::vector<Tokens> extents =
      {};  // of what it points to: 64 for `float (*x)[64]`, `float x[][64]`
};

/// A kernel's definition or declaration in a source's text.
struct OutlinedKernel {
  std::string name;                                         // with its namespaces: "ns::scale"
  std::vector<TemplateParameter> template_parameters = {};  // without a pack
  bool has_pack = false;  // of template parameters: `int... SIZES`
  std::vector<OutlinedArgument> arguments = {};
  Tokens body = {};           // with its braces; empty for a declaration
  Tokens launch_bounds = {};  // maximum threads per block; empty: not given
  std::size_t begin = 0;      // in the tokens of its file
  std::size_t end = 0;
  std::vector<SourceCondition> assumed = {};  // conditions of its text that may be otherwise

  [[nodiscard]] std::vector<std::string> argument_names() const;
};

/// A kernel in a branch that is not read.
struct SkippedKernel {
  std::string name;
  SourceCondition condition;
};

/// What a CUDA source's text shows without its includes, such as names, which compilers do not
/// keep. All of it is a guess, since macros may change the text.
struct SourceOutline {
  Tokens tokens;
  std::vector<OutlinedKernel> kernels;  // each name once, in the order of the text
  std::vector<SkippedKernel> skipped_kernels;
  MacroOutline macros;
  TypeOutline types;
  std::map<std::string, std::int64_t> constants;  // const int NAME = VALUE;
  std::vector<OutlinedVariable> variables;
  bool takes_shared_memory = false;  // has extern __shared__: the launch sets its size
};

/// Whether `name` is the kernel's, with or without its namespaces.
[[nodiscard]] bool is_named(const OutlinedKernel& kernel, const std::string& name);

/// The integer constants that a text defines: `const int NAME = VALUE;`. `types`: the type that
/// each template parameter T stands for in sizeof(T). `outer`: constants that the values may name.
[[nodiscard]] std::map<std::string, std::int64_t> constants_in(
    const Tokens& tokens, const std::map<std::string, std::string>& types,
    const std::map<std::string, std::int64_t>& outer);

/// Reads the branches of conditional text that `macros` decide, and adds the source's definitions
/// to them.
[[nodiscard]] SourceOutline outline_source(std::string_view text, DefinedMacros& macros);
/// The same with the compiler's macros alone.
[[nodiscard]] SourceOutline outline_source(std::string_view text);

}  // namespace gtune
