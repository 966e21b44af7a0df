#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "profile/address_samples.hpp"
#include "profile/line_table.hpp"

namespace gtune {

/// What is known of an instruction, by its mangled function and its offset there.
struct InstructionFacts {
  std::function<SourceLine(const std::string&, std::uint64_t)> line_of;
  std::function<std::string(const std::string&, std::uint64_t)> opcode_of;  // "LDG.E.128"
};

/// Adds up the samples of each source line. The profile's period and launches are left to the
/// caller.
[[nodiscard]] LineProfile profile_of_lines(const SampledAddresses& sampled,
                                           const InstructionFacts& facts);

}  // namespace gtune
