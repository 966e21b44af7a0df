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

/// How many combinations a constraint excluded before any other did.
struct Exclusion {
  std::string constraint;
  std::uint64_t combinations = 0;
};

/// The valid configurations of a space, and what became of the others:
/// combinations == space.size() + the sum of excluded.
struct Enumeration {
  SearchSpace space;  // in lexicographic order of the spec's parameters
  std::uint64_t combinations = 0;
  std::vector<Exclusion> excluded;  // every constraint in the spec's order, then the launch
};

/// Enumerates the configurations that satisfy every constraint. One for which a constraint cannot
/// be evaluated is excluded by it. Throws UserError (usage) where the narrowing names what the
/// spec does not have, or the space is too large.
[[nodiscard]] Enumeration enumerate(const KernelSpec& spec, const Problem& problem,
                                    const DeviceFacts& device, const Narrowing& narrowing = {});

}  // namespace gtune
