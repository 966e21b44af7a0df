#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What a launch has to do, as far as its spec says it.
struct LaunchWork {
  std::int64_t padded = 1;  // in the spec's unit; in bytes if the spec does not say it
  std::int64_t blocks = 1;  // of the grid; 1 if there is not one launch, or its grid is not known
  std::int64_t bytes = 0;   // of all buffers but workspace
};

/// Absent where it has no value, or no work at all.
[[nodiscard]] std::optional<LaunchWork> launch_work(const KernelSpec& spec, const Case& of);

/// Buffers that count as bytes of a launch.
[[nodiscard]] std::vector<const BufferSpec*> moved_buffers(const KernelSpec& spec);

/// The grid that counts; null if there is not one launch, or what its grid depends on is known only
/// after a compile.
[[nodiscard]] const std::vector<Expression>* known_grid(const KernelSpec& spec);

}  // namespace gtune
