#pragma once

#include "model/device_facts.hpp"
#include "model/named_values.hpp"

namespace gtune {

/// A configuration of a problem on a device, for which a spec's expressions are evaluated. It owns
/// none of the three and must not outlive them.
struct Case {
  const Problem& problem;
  const Config& config;  // may be empty if the expressions depend on no parameter
  const DeviceFacts& device;
};

}  // namespace gtune
