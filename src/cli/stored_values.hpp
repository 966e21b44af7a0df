#pragma once

#include <map>
#include <set>
#include <string>

#include "spec/kernel_spec.hpp"

// Stored values for completion: from the databases that --db and --also in `given` name, else the
// default ones, and from the bundled one. `given`: values by option, "--M". A database that cannot
// be read counts as empty.
namespace gtune {

/// The values of one size among the stored problems of the kernel that have the other given sizes.
[[nodiscard]] std::set<std::int64_t> stored_sizes(const KernelSpec& spec,
                                                  const std::map<std::string, std::string>& given,
                                                  const std::string& size);
/// Names of devices with results: of one kernel, or of any if `spec` is null.
[[nodiscard]] std::set<std::string> stored_devices(const KernelSpec* spec,
                                                   const std::map<std::string, std::string>& given);
[[nodiscard]] std::set<std::string> stored_kernels(const std::map<std::string, std::string>& given);

}  // namespace gtune
