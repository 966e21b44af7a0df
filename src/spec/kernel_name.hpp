#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Why a kernel cannot be called so: "the kernel's name '3d' is no C identifier; expected ...".
/// Empty where it can.
[[nodiscard]] std::string why_no_kernel_name(std::string_view name);

/// The name itself where a kernel can have it, else one like it that a kernel can have:
/// "my_kernel" for my-kernel, "kernel_3d" for 3d, "tune_kernel" for tune.
[[nodiscard]] std::string kernel_name_like(std::string_view name);

}  // namespace gtune
