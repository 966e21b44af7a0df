#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "model/error.hpp"

namespace gtune {

/// A std::thread or std::jthread that runs `body`. Throws UserError where the system has no more.
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
