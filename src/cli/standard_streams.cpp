#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "model/error.hpp"

namespace gtune {

void open_closed_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // open() returns the lowest free number: this one. Standard output holds results, whose loss
    // must not look like success, so writing to it fails; lines on standard error may get lost.
    const int mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) == stream) continue;
    throw UserError(ExitCode::failed, "standard stream " + std::to_string(stream) +
                                          " is closed, and /dev/null cannot be opened in its "
                                          "place: " +
                                          std::strerror(errno));
  }
}

}  // namespace gtune
