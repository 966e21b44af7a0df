#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/kernel_parameters.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// An argument of a spec that a compiled kernel cannot take.
struct ArgumentMistake {
  std::optional<std::size_t> index;  // among the arguments; absent: their number is wrong
  std::string line;
};

/// Compares a spec's arguments with the parameters of `kernel`, as they were compiled. A buffer
/// takes a pointer, a tensor map 128 bytes, a scalar as many as its type, and neither an integer
/// passes for a float nor a float for an integer.
[[nodiscard]] std::vector<ArgumentMistake> match_arguments(
    const std::string& kernel, const std::vector<ArgumentSpec>& arguments,
    const std::vector<KernelParameter>& parameters);

}  // namespace gtune
