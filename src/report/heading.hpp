#pragma once

#include <string>

#include "report/checked_text.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"

namespace gtune {

/// The first line of a report, such as "sgemm  M=4096  NVIDIA H200 (replayed from a recording)".
/// Only a warm L2 cache is mentioned; a flushed one is the default.
[[nodiscard]] inline std::string heading(const KernelSpec& spec, const Problem& problem,
                                         const std::string& device, bool replayed,
                                         bool l2_flushed) {
  return kernel_title(spec) + "  " + problem_text(spec, problem) + "  " + device +
         (replayed ? " (replayed from a recording)" : "") + (l2_flushed ? "" : ", warm L2 cache");
}

}  // namespace gtune
