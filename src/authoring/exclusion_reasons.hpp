#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "space/enumerate.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Why a launch is impossible, and the keys of the spec's part that causes it (see CaseError).
struct WhyNot {
  std::string reason;
  std::vector<std::string> keys;
};

/// Why a configuration cannot be launched, as far as that is known before it is compiled.
[[nodiscard]] std::optional<WhyNot> why_no_launch(const KernelSpec& spec, const Case& of);

/// Why a constraint, or the launch, excludes a configuration.
struct ExclusionReason {
  std::string constraint;
  std::string why;                      // "'BLOCK * UNROLL <= 1024' does not hold"
  std::string values;                   // of the names involved: "BLOCK=2048,UNROLL=1"
  std::vector<std::string> parameters;  // involved
  std::vector<std::string> keys;        // of the spec's part (see CaseError)
};

/// A reason for each constraint that excludes anything, if an example is found. In large spaces
/// only an evenly spaced sample of the combinations is searched.
[[nodiscard]] std::vector<ExclusionReason> exclusion_reasons(const KernelSpec& spec,
                                                             const Problem& problem,
                                                             const DeviceFacts& device,
                                                             const Enumeration& space);

}  // namespace gtune
