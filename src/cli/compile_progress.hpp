#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "cli/transient_line.hpp"

namespace gtune {

/// The line about compiles that are slow; absent for the first second.
[[nodiscard]] std::optional<std::string> compile_progress_text(std::size_t done, std::size_t all,
                                                               std::chrono::seconds elapsed);

/// Shows on standard error, if that is a terminal, how far the compiles of one command are.
class CompileProgress {
 public:
  explicit CompileProgress(std::size_t all) : m_all(all) {}

  void show(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t m_all;
  TransientLine m_line;
  Clock::time_point m_begin = Clock::now();
};

}  // namespace gtune
