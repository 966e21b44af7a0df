#include "cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "model/error.hpp"
#include "model/one_line.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse() {
  throw UserError(ExitCode::failed,
                  std::string("standard output cannot be written: ") + std::strerror(errno));
}

bool is_command_to_a_terminal(unsigned char c) {
  return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
}

}  // namespace

void print_out(std::string_view text) {
  std::string harmless;
  if (isatty(STDOUT_FILENO) != 0) {
    harmless = printable_lines(text);
  } else {  // a file may go to a terminal later; bytes that are no UTF-8 are a source's own
    harmless = text;
    std::replace_if(harmless.begin(), harmless.end(), is_command_to_a_terminal, ' ');
  }
  text = harmless;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void flush_out() {
  if (std::fflush(stdout) != 0) refuse();
}

}  // namespace gtune
