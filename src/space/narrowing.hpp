#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// The values that are left to some of the parameters.
using Narrowing = std::map<std::string, std::vector<std::int64_t>>;

/// The arguments of `--param`, each "BM=64,128". A parameter named twice takes both lists.
/// Throws UserError (usage) for names and values that the spec does not have.
[[nodiscard]] Narrowing parse_narrowing(const KernelSpec& spec,
                                        std::span<const std::string> options);

/// Throws UserError (usage) where it names what the spec does not have.
void check_narrowing(const KernelSpec& spec, const Narrowing& narrowing);

/// "BM=128,BN=64": values of some of the parameters, each named once. `option` begins what is
/// thrown. Throws UserError (usage).
[[nodiscard]] Config parse_values(const KernelSpec& spec, const std::string& option,
                                  std::string_view text);

/// The argument of `--config`, "BM=128,BN=64": one value for every parameter that has more than
/// one and exists in that configuration. Throws UserError (usage). Says nothing about constraints:
/// see require_valid.
[[nodiscard]] Config parse_config(const KernelSpec& spec, std::string_view text);

/// Throws UserError (usage) that names the first constraint which the configuration violates.
void require_valid(const KernelSpec& spec, const Case& asked);

}  // namespace gtune
