#include "cli/transient_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal.hpp"

namespace gtune {

TransientLine::TransientLine() : m_is_terminal(isatty(STDERR_FILENO) != 0) {}

void TransientLine::draw(const std::string& text) {
  if (!m_is_terminal) return;
  // Not to the end: the terminal's echo of Ctrl-C would begin another line, which stays.
  const unsigned width = std::max(terminal_width(STDERR_FILENO, 80), 4U) - 3;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(width), text.c_str());
  std::fflush(stderr);
  m_is_drawn = true;
}

void TransientLine::clear() {
  if (m_is_drawn) std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  m_is_drawn = false;
}

}  // namespace gtune
