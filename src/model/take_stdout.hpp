#pragma once

#include <unistd.h>

namespace gtune {

/// For a child process that answers on its standard output: returns that pipe and points file
/// descriptor 1 at standard error, so that nothing but frames gets into it.
inline int take_stdout() {
  const int pipe = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return pipe;
}

}  // namespace gtune
