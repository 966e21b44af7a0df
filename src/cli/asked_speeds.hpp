#pragma once

#include <string>
#include <vector>

#include "cli/kernel_options.hpp"
#include "store/database.hpp"

namespace gtune {

/// The stored times of a kernel for exactly the given sizes, or for all sizes if none is given; on
/// one device name, or on all devices if `device` is empty.
[[nodiscard]] std::vector<ConfigSpeed> asked_speeds(const Database& database,
                                                    const KernelIdentity& identity,
                                                    const KernelSpec& spec,
                                                    const SizeOptions& sizes,
                                                    const std::string& device);

}  // namespace gtune
