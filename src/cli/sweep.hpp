#pragma once

#include <string>
#include <vector>

#include "cli/kernel_options.hpp"

namespace gtune {

/// Which problems a command tunes.
struct SweepOptions {
  SizeOptions sizes;
  std::string shapes;  // a file of them, in place of sizes
  std::string shard;   // "3/8": every eighth problem, from the third on

  /// Adds all options except the sizes, which depend on the kernel.
  void add_to(CLI::App& command);
  /// Throws UserError (usage); a shard may be empty.
  [[nodiscard]] std::vector<Problem> problems(const KernelSpec& spec) const;
};

}  // namespace gtune
