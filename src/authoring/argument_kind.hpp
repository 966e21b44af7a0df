#pragma once

#include "authoring/first_spec.hpp"

namespace gtune {

/// What a spec passes for a parameter of a kernel.
enum class ArgumentKind {
  buffer,
  pointer_table,  // float**
  size,           // an integer
  number,
  texture,
  surface,
  tensor_map,
  structure,
  unknown  // what a spec cannot pass
};

/// A texture is an integer to the compiler: the text tells.
[[nodiscard]] ArgumentKind argument_kind(const KernelFacts& facts, std::size_t index);

/// As the source's text has it; null where it has other parameters than the compiler.
[[nodiscard]] const OutlinedArgument* outlined_argument(const KernelFacts& facts,
                                                        std::size_t index);

/// Of a struct by value. Nothing where its definition is not in the text, or the compiler has
/// another size for it.
[[nodiscard]] std::optional<DeclaredStruct> layout_of_argument(const KernelFacts& facts,
                                                               std::size_t index);

/// Its name, or "argument3".
[[nodiscard]] std::string argument_name(const KernelFacts& facts, std::size_t index);

/// Under which name the kernel's text reaches the elements that a pointer, or a table's pointer,
/// leads to: "row" where it has `float* row = rows[b];`.
[[nodiscard]] std::string array_of_argument(const KernelFacts& facts, std::size_t index);

/// All whose elements the kernel's text may show: those of arguments, and of their members.
[[nodiscard]] std::vector<std::string> arrays_of(const KernelFacts& facts);

}  // namespace gtune
