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

/// The allowed values of some parameters; all others keep all of theirs.
using Narrowing = std::map<std::string, std::vector<std::int64_t>>;

/// Parses the arguments of `--param`, such as "BM=64,128". A parameter named twice gets both lists.
/// Throws UserError (usage) for names and values that the spec does not have.
[[nodiscard]] Narrowing parse_narrowing(const KernelSpec& spec,
                                        std::span<const std::string> options);

/// Throws UserError (usage) for names and values that the spec does not have, and for empty lists.
void check_narrowing(const KernelSpec& spec, const Narrowing& narrowing);

/// Parses "BM=128,BN=64": values of some parameters, each named at most once. Throws UserError
/// (usage), whose message begins with `option`.
[[nodiscard]] Config parse_values(const KernelSpec& spec, const std::string& option,
                                  std::string_view text);

/// Parses the argument of `--config`, "BM=128,BN=64". It must have a value for every parameter that
/// has several and exists in this configuration; others get their first. Throws UserError (usage),
/// whose message begins with `given_by`. Does not check constraints: see require_valid.
[[nodiscard]] Config parse_config(const KernelSpec& spec, std::string_view text,
                                  const std::string& given_by = "--config");

/// Throws UserError (usage) that names the first constraint that the configuration violates.
void require_valid(const KernelSpec& spec, const Case& asked,
                   const std::string& given_by = "--config");

}  // namespace gtune
