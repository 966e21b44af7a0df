#include "cli/compile_progress.hpp"

#include <fmt/format.h>

namespace gtune {

std::optional<std::string> compile_progress_text(std::size_t done, std::size_t all,
                                                 std::chrono::seconds elapsed) {
  if (elapsed < std::chrono::seconds(1)) return std::nullopt;
  const std::string count = all == 1 ? "compiling" : fmt::format("compiling {}/{}", done, all);
  return fmt::format("{}, {} s", count, elapsed.count());
}

void CompileProgress::show(std::size_t done) {
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - m_begin);
  const auto text = compile_progress_text(done, m_all, elapsed);
  if (text) m_line.draw(*text);
}

}  // namespace gtune
