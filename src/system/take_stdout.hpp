#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "model/error.hpp"

namespace gtune {

/// For a child process that answers on its standard output. Returns a new descriptor of that pipe
/// and redirects file descriptor 1 to standard error, so that only frames enter the pipe. Throws
/// UserError.
inline int take_stdout() {
  const int pipe = dup(STDOUT_FILENO);
  if (pipe >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return pipe;
  throw UserError(ExitCode::failed,
                  std::string("no use of standard output: ") + std::strerror(errno));
}

}  // namespace gtune
