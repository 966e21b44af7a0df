#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gtune {

/// An argument of a host function: a scalar's bytes, or the memory that a pointer points to.
struct HostArgument {
  std::string name;
  std::vector<std::byte> bytes;
  bool is_buffer = false;
  bool is_written = false;  // a buffer that may change
};

/// Calls the host function of a shared object in a separate process, which is killed after `limit`,
/// and updates the written buffers of `arguments`. `command`: argv of that process, `gtune
/// host-reference`. Throws UserError(failed) with one line if the function crashes, exceeds the
/// limit, does not take these arguments, or changes an input.
void call_on_host(const std::vector<std::string>& command, std::vector<std::byte> shared_object,
                  std::vector<HostArgument>& arguments, std::chrono::milliseconds limit);

/// Runs that process: reads one call from standard input and writes its result to standard output.
/// Returns an exit code.
int run_host_reference_process();

}  // namespace gtune
