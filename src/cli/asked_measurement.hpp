#pragma once

#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "store/database.hpp"

namespace gtune {

/// A measurement as the user names it: "best", a baseline, or a configuration by the values of some
/// of its parameters.
struct AskedMeasurement {
  std::string name;  // "best", "naive"; "config" if it was given by values
  StoredMeasurement stored;
};

/// The measurement that the argument of an option ("--vs") names, under the conditions of the best:
/// for values of parameters, the fastest configuration that has them. `speeds`: of the same device
/// and problem. Throws UserError: `usage` if the words name nothing, `nothing_stored` if it was not
/// measured or has no time.
[[nodiscard]] AskedMeasurement asked_measurement(const Database& database, const KernelSpec& spec,
                                                 const BestRow& best,
                                                 const std::vector<ConfigSpeed>& speeds,
                                                 const std::string& option,
                                                 const std::string& words);

}  // namespace gtune
