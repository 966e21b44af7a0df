#pragma once

#include "model/device_facts.hpp"
#include "model/named_values.hpp"

namespace gtune {

/// What a spec's expressions are evaluated for: a configuration of a problem on a device. It refers
/// to all three and owns none, so it must not outlive them.
struct Case {
  const Problem& problem;
  const Config& config;  // may be empty for what depends on no parameter
  const DeviceFacts& device;
};

}  // namespace gtune
