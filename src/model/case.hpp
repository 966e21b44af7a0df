#pragma once

#include "model/device_facts.hpp"
#include "model/named_values.hpp"

namespace gtune {

/// What a spec's expressions are put to numbers for: a configuration of a problem on a device.
/// Refers to all three and owns none: a case lives as an argument or beside what it names.
struct Case {
  const Problem& problem;
  const Config& config;  // may be empty for what depends on no parameter
  const DeviceFacts& device;
};

}  // namespace gtune
