#pragma once

#include <sys/resource.h>

#include <optional>

namespace gtune {

/// Raises this process's soft limit on open files to its hard limit. A worker takes four
/// descriptors, so the usual limit of 1024 is too low for 256 workers.
void raise_open_file_limit();

/// The limit before it was raised, for child processes: a program that uses select() fails on
/// descriptors of 1024 or more. Absent if it was not raised.
[[nodiscard]] std::optional<rlimit> original_open_file_limit();

}  // namespace gtune
