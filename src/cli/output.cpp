#include "cli/output.hpp"

#include <algorithm>
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
  const auto for_a_terminal = [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
  };
  if (std::any_of(text.begin(), text.end(), for_a_terminal)) {
    std::string harmless(text);
    std::replace_if(harmless.begin(), harmless.end(), for_a_terminal, ' ');
    return print_out(harmless);
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse();
}

void flush_out() {
  if (std::fflush(stdout) != 0) refuse();
}

}  // namespace gtune
