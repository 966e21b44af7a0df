#pragma once

#include <cstddef>
#include <vector>

#include "space/search_space.hpp"

namespace gtune {

/// At most `count` configurations of a space, chosen to cover every value of every parameter with
/// few of them. The choice is deterministic.
[[nodiscard]] std::vector<Config> sample_configs(const SearchSpace& space, std::size_t count);

/// Values of a parameter that occur in no configuration of the space.
struct UnusedValues {
  std::string parameter;
  std::vector<std::int64_t> values;
};

[[nodiscard]] std::vector<UnusedValues> unused_values(const SearchSpace& space);

}  // namespace gtune
