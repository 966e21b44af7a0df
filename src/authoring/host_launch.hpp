#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// How a source's host code launches a kernel: NAME<<<grid, block, shared>>>(...). Texts are
/// expressions of the kernel's own names, macros and blockDim; empty where they are not understood.
struct HostLaunch {
  std::array<std::string, 3> grid;
  std::array<std::string, 3> block;
  std::string shared;
  std::vector<std::string> template_arguments;  // types and integers; "" for others
  std::map<std::string, std::int64_t> sizes;    // constants of the host that the grid names
};

/// Of the source's first launch of the kernel; all empty where there is none.
[[nodiscard]] HostLaunch host_launch(const Tokens& source, const OutlinedKernel& kernel);

}  // namespace gtune
