#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/named_values.hpp"
#include "space/narrowing.hpp"
#include "space/search_space.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The number of combinations that a constraint was the first to exclude, in the order of the walk,
/// which may differ between problems.
struct Exclusion {
  std::string constraint;
  std::uint64_t combinations = 0;
};

/// The valid configurations of a space, and counts of the excluded ones:
/// combinations == space.size() + the sum over `excluded`.
struct Enumeration {
  SearchSpace space;  // in lexicographic order of the spec's parameters
  std::uint64_t combinations = 0;
  std::vector<Exclusion> excluded;  // all constraints in the spec's order, then the launch
};

/// Enumerates the configurations that satisfy every constraint. A constraint without a value
/// excludes the configuration. Throws UserError (usage) if the narrowing has names or values that
/// the spec does not have, or if the space is too large.
[[nodiscard]] Enumeration enumerate(const KernelSpec& spec, const Problem& problem,
                                    const DeviceFacts& device, const Narrowing& narrowing = {});

}  // namespace gtune
