#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gtune::bench {

/// normal: mean 0, deviation 1. uniform: [0, 1). scaled: normal times 2^e, e from -20 to 20.
enum class Inputs { normal, uniform, scaled };

[[nodiscard]] std::string_view to_string(Inputs inputs);
[[nodiscard]] std::vector<float> random_floats(Inputs inputs, std::size_t count,
                                               std::uint64_t seed);

}  // namespace gtune::bench
