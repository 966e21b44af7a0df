#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "space/enumerate.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Why a launch or its arguments cannot be had, and where in the spec that is (see CaseError).
struct WhyNot {
  std::string reason;
  std::vector<std::string> keys;
};

/// What holds whatever the compiler makes of the configuration.
[[nodiscard]] std::optional<WhyNot> why_no_launch(const KernelSpec& spec, const Case& of);

/// What a constraint, or the launch, has against a configuration that it excludes.
struct ExclusionReason {
  std::string constraint;
  std::string why;                      // "'BLOCK * UNROLL <= 1024' does not hold"
  std::string values;                   // "BLOCK=2048,UNROLL=1": of the names that it is about
  std::vector<std::string> parameters;  // among them
  std::vector<std::string> keys;        // of the part of the spec
};

/// One for each that excludes anything, where an example is found. Of very many combinations an
/// even part is looked at.
[[nodiscard]] std::vector<ExclusionReason> exclusion_reasons(const KernelSpec& spec,
                                                             const Problem& problem,
                                                             const DeviceFacts& device,
                                                             const Enumeration& space);

}  // namespace gtune
