#pragma once

#include <string>

#include "model/named_values.hpp"

namespace gtune {

struct KernelSpec;

/// "M=4096": the sizes that identify a problem (see sizes_to_give).
[[nodiscard]] std::string problem_text(const KernelSpec& spec, const Problem& problem);

/// "BM=128,BN=64", without the parameters that do not exist in that configuration.
[[nodiscard]] std::string config_text(const KernelSpec& spec, const Config& config);

/// "n=4096, BLOCK=64,UNROLL=1"
[[nodiscard]] std::string case_text(const KernelSpec& spec, const Problem& problem,
                                    const Config& config);

}  // namespace gtune
