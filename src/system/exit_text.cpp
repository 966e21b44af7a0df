#include "system/exit_text.hpp"

#include <sys/wait.h>

#include <cstring>

namespace gtune {

std::string exit_text(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return "signal " + std::to_string(WTERMSIG(status)) +
         (name != nullptr ? std::string(" (SIG") + name + ")" : "");
}

}  // namespace gtune
