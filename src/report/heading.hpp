#pragma once

#include <string>

#include "report/checked_text.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"

namespace gtune {

/// The first line of a report, such as "sgemm  M=4096  NVIDIA H200 (replayed from a recording)".
/// A timing mode other than the default is mentioned.
[[nodiscard]] inline std::string heading(const KernelSpec& spec, const Problem& problem,
                                         const std::string& device, bool replayed,
                                         const TimingMode& mode) {
  return kernel_title(spec) + "  " + problem_text(spec, problem) + "  " + device +
         (replayed ? " (replayed from a recording)" : "") + (mode == TimingMode{} ? "" : ", ") +
         mode.phrase();
}

}  // namespace gtune
