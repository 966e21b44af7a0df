#pragma once

#include <cstddef>
#include <vector>

#include "space/search_space.hpp"

namespace gtune {

/// At most `count` configurations of a space, chosen so that few of them have every value of every
/// parameter; the same each time.
[[nodiscard]] std::vector<Config> sample_configs(const SearchSpace& space, std::size_t count);

/// A parameter's values that no configuration of the space has.
struct UnusedValues {
  std::string parameter;
  std::vector<std::int64_t> values;
};

[[nodiscard]] std::vector<UnusedValues> unused_values(const SearchSpace& space);

}  // namespace gtune
