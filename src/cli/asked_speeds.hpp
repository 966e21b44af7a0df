#pragma once

#include <string>
#include <vector>

#include "cli/kernel_options.hpp"
#include "store/database.hpp"

namespace gtune {

/// What is stored of a kernel for exactly the sizes that were given, for all where none were; of
/// one device name, or of all where it is empty.
[[nodiscard]] std::vector<ConfigSpeed> asked_speeds(const Database& database,
                                                    const KernelIdentity& identity,
                                                    const KernelSpec& spec,
                                                    const SizeOptions& sizes,
                                                    const std::string& device);

}  // namespace gtune
