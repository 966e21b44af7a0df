#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Why a kernel cannot have this name: "the kernel's name '3d' is not a C identifier; expected
/// ...". Empty if it can.
[[nodiscard]] std::string why_no_kernel_name(std::string_view name);

/// The name itself if a kernel can have it, otherwise a similar valid name:
/// "my_kernel" for my-kernel, "kernel_3d" for 3d, "tune_kernel" for tune.
[[nodiscard]] std::string kernel_name_like(std::string_view name);

}  // namespace gtune
