#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "model/error.hpp"

namespace gtune {

/// Starts a std::thread or std::jthread. Throws UserError if the system is out of threads.
template <typename Thread, typename Body>
[[nodiscard]] Thread start_thread(Body&& body) {
  try {
    return Thread(std::forward<Body>(body));
  } catch (const std::system_error& error) {
    throw UserError(ExitCode::failed, std::string("cannot start a thread: ") +
                                          error.code().message() +
                                          "; see the limits on processes (ulimit -u, pids.max)");
  }
}

}  // namespace gtune
