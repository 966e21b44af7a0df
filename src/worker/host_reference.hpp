#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gtune {

/// A value of a host function's parameter: a scalar's bytes, or what a pointer points to.
struct HostArgument {
  std::string name;
  std::vector<std::byte> bytes;
  bool is_buffer = false;
  bool is_written = false;  // a buffer that may change
};

/// Calls the host function of a shared object in a process of its own, which is killed at the
/// limit, and puts what it made of the written buffers into `arguments`. `command`: of that
/// process, `gtune host-reference`. Throws UserError(failed) in one line where the function
/// crashes, takes longer, does not take these arguments, or changes an input.
void call_on_host(const std::vector<std::string>& command, std::vector<std::byte> shared_object,
                  std::vector<HostArgument>& arguments, std::chrono::milliseconds limit);

/// The process itself: reads one call from standard input and answers on standard output.
int run_host_reference_process();

}  // namespace gtune
