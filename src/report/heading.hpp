#pragma once

#include <string>

#include "model/named_values.hpp"

namespace gtune {

/// "sgemm  M=4096,N=4096  NVIDIA H200 (replayed from a recording)": what a report is about. A warm
/// L2 cache is named; a flushed one goes without saying.
[[nodiscard]] inline std::string heading(const std::string& kernel, const Problem& problem,
                                         const std::string& device, bool replayed,
                                         bool l2_flushed) {
  return kernel + "  " + problem.text() + "  " + device +
         (replayed ? " (replayed from a recording)" : "") + (l2_flushed ? "" : ", warm L2 cache");
}

}  // namespace gtune
