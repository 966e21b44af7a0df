#include "cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "cli/terminal.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"

namespace gtune {
namespace {

[[noreturn]] void refuse() {
  if (errno == EPIPE) throw OutputClosed();
  throw UserError(ExitCode::failed,
                  std::string("standard output cannot be written: ") + std::strerror(errno));
}

bool is_command_to_a_terminal(unsigned char c) {
  return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
}

void write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

}  // namespace

void print_out(std::string_view text) {
  std::string harmless;
  if (isatty(STDOUT_FILENO) != 0) {
    harmless = printable_lines(text);
  } else {  // a file may be shown on a terminal later; keep bytes that are not UTF-8
    harmless = text;
    std::replace_if(harmless.begin(), harmless.end(), is_command_to_a_terminal, ' ');
  }
  write(harmless);
}

void print_heading(std::string_view text) {
  const bool emphasised = shows_colour(STDOUT_FILENO);
  if (emphasised) write(colour::heading);
  print_out(text);
  if (emphasised) write(colour::end);
}

void flush_out() {
  if (std::fflush(stdout) != 0) refuse();
}

}  // namespace gtune
