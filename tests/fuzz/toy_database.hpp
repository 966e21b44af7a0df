#pragma once

#include <filesystem>

#include "store/database.hpp"

namespace gtune::fuzz {

/// Stores two runs of the toy kernel: one ended with a winner, one was interrupted.
void fill_with_toy_runs(Database& database);

}  // namespace gtune::fuzz
