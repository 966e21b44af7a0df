#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "model/line_profile.hpp"

namespace gtune {

/// The samples of one instruction of a kernel.
struct AddressSamples {
  std::string function;  // mangled
  std::uint64_t offset = 0;
  SampleCounts stalls;  // by CUPTI's names of the reasons
};

/// What PC sampling found.
struct SampledAddresses {
  std::vector<AddressSamples> addresses;
  std::uint64_t dropped = 0;  // samples that the hardware could not deliver

  void add(SampledAddresses more) {
    dropped += more.dropped;
    std::move(more.addresses.begin(), more.addresses.end(), std::back_inserter(addresses));
  }
};

}  // namespace gtune
