#pragma once

#include <string>

namespace gtune {

/// How a process ended, from waitpid's status: "exit code 3", "signal 9 (SIGKILL)".
[[nodiscard]] std::string exit_text(int status);

}  // namespace gtune
