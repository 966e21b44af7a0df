#pragma once

#include <map>
#include <set>
#include <string>

#include "spec/kernel_spec.hpp"

// What is stored, for completion: in the database that --db names among `given` (by option, "--M"),
// else the default one, and in the bundled one. A database that cannot be read has nothing.
namespace gtune {

/// The values that stored problems of the kernel have for one size, of those that have the other
/// given sizes.
[[nodiscard]] std::set<std::int64_t> stored_sizes(const KernelSpec& spec,
                                                  const std::map<std::string, std::string>& given,
                                                  const std::string& size);
/// Names of devices with results: of one kernel, or of any where `spec` is null.
[[nodiscard]] std::set<std::string> stored_devices(const KernelSpec* spec,
                                                   const std::map<std::string, std::string>& given);
[[nodiscard]] std::set<std::string> stored_kernels(const std::map<std::string, std::string>& given);

}  // namespace gtune
