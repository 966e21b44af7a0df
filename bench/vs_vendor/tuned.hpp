#pragma once

#include <string>
#include <vector>

#include "model/named_values.hpp"

namespace gtune::bench {

/// What `gtune KERNEL` found for a problem, and how long that took.
struct Tuned {
  Config config;
  double seconds = 0;  // of the whole command
  long tried = 0;
};

/// Runs the program on device 0. Throws UserError with its last words where it fails.
[[nodiscard]] Tuned tune(const std::string& program, const std::string& kernel,
                         const Problem& problem, const std::vector<std::string>& more);

}  // namespace gtune::bench
