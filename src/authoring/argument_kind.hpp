#pragma once

#include "authoring/first_spec.hpp"

namespace gtune {

/// The kind of argument that a spec passes for a kernel's parameter.
enum class ArgumentKind {
  buffer,
  pointer_table,  // float**
  size,           // an integer of two bytes or more
  number,
  texture,
  surface,
  tensor_map,
  structure,
  unknown  // a spec cannot pass it
};

/// Textures and surfaces are integers to the compiler, so their kind comes from the source's text.
[[nodiscard]] ArgumentKind argument_kind(const KernelFacts& facts, std::size_t index);

/// The parameter as the source's text spells it; null if the text's parameters differ in number
/// from the compiler's.
[[nodiscard]] const OutlinedArgument* outlined_argument(const KernelFacts& facts,
                                                        std::size_t index);

/// The layout of a struct passed by value. Absent if the text does not define the struct, or if its
/// size differs from the compiler's.
[[nodiscard]] std::optional<DeclaredStruct> layout_of_argument(const KernelFacts& facts,
                                                               std::size_t index);

/// The parameter's name, or "argument3" if the text has none.
[[nodiscard]] std::string argument_name(const KernelFacts& facts, std::size_t index);

/// The name by which the kernel's text indexes the elements of a pointer. For a pointer table, it
/// is the local pointer: "row" in `float* row = rows[b];`.
[[nodiscard]] std::string array_of_argument(const KernelFacts& facts, std::size_t index);

/// The arrays whose element counts the kernel's text may show: pointers among its arguments, and
/// among the members of structs.
[[nodiscard]] std::vector<std::string> arrays_of(const KernelFacts& facts);

}  // namespace gtune
