#pragma once

#include <string>
#include <vector>

#include "model/named_values.hpp"

namespace gtune {

/// "n=1024; n=4096 and 3 more".
[[nodiscard]] std::string few_sizes(const std::vector<Problem>& problems);

}  // namespace gtune
