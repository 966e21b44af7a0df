#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "model/error.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse() {
  throw UserError(ExitCode::failed,
                  std::string("standard output cannot be written: ") + std::strerror(errno));
}

}  // namespace

void print_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void flush_out() {
  if (std::fflush(stdout) != 0) refuse();
}

}  // namespace gtune
