#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// A kernel's launch in the source's host code: NAME<<<grid, block, shared>>>(...), or through
/// cudaLaunchKernel, cudaLaunchCooperativeKernel or cudaLaunchKernelEx. The texts are expressions
/// of the kernel's own names, macros and blockDim; empty if they are not understood.
struct HostLaunch {
  std::array<std::string, 3> grid;
  std::array<std::string, 3> block;
  std::string shared;
  std::vector<std::string> template_arguments;  // built-in types and integers; "" for others
  std::vector<Tokens> template_texts;           // the same as the source spells them
  std::vector<Tokens> pack_texts;               // those of a pack
  std::map<std::string, std::int64_t> sizes;    // host constants that the grid uses
  std::vector<std::string> arguments;           // constants: a number or "null"; "" for others
  bool is_cooperative = false;

  /// The template's argument at `index`, or "".
  [[nodiscard]] std::string template_argument(std::size_t index) const {
    return index < template_arguments.size() ? template_arguments[index] : "";
  }

  /// The constant that it passes for the parameter at `index`, or "".
  [[nodiscard]] std::string argument(std::size_t index) const {
    return index < arguments.size() ? arguments[index] : "";
  }
};

/// The source's first launch of the kernel, or the first that passes dynamic shared memory to a
/// kernel that takes some; every member is empty if there is none. `macros`: with integer values.
[[nodiscard]] HostLaunch host_launch(const Tokens& source, const OutlinedKernel& kernel,
                                     const std::map<std::string, std::int64_t>& macros = {});

}  // namespace gtune
