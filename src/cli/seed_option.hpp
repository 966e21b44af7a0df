#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace gtune {

/// Adds --seed, a number from 0 to 2^64 - 1.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help);

}  // namespace gtune
