#include "cli/compile_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace gtune {

std::optional<std::string> compile_progress_text(std::size_t done, std::size_t all,
                                                 std::chrono::seconds elapsed) {
  if (elapsed < std::chrono::seconds(1)) return std::nullopt;
  const std::string count = all == 1 ? "compiling" : fmt::format("compiling {}/{}", done, all);
  return fmt::format("{}, {} s", count, elapsed.count());
}

CompileProgress::CompileProgress(std::size_t all)
    : m_all(all), m_is_terminal(isatty(STDERR_FILENO) != 0) {}

CompileProgress::~CompileProgress() {
  if (m_drawn.empty()) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void CompileProgress::show(std::size_t done) {
  if (!m_is_terminal) return;
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - m_begin);
  const auto text = compile_progress_text(done, m_all, elapsed);
  if (!text || *text == m_drawn) return;
  std::fprintf(stderr, "\r\033[K%s", text->c_str());
  std::fflush(stderr);
  m_drawn = *text;
}

}  // namespace gtune
