#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace gtune {

/// The line about compiles that are slow; absent for the first second.
[[nodiscard]] std::optional<std::string> compile_progress_text(std::size_t done, std::size_t all,
                                                               std::chrono::seconds elapsed);

/// Shows on standard error, if that is a terminal, how far the compiles of one command are.
class CompileProgress {
 public:
  explicit CompileProgress(std::size_t all);
  ~CompileProgress();
  CompileProgress(const CompileProgress&) = delete;
  CompileProgress& operator=(const CompileProgress&) = delete;

  void show(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t m_all;
  bool m_is_terminal;
  Clock::time_point m_begin = Clock::now();
  std::string m_drawn;
};

}  // namespace gtune
