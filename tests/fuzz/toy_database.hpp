#pragma once

#include <filesystem>

#include "store/database.hpp"

namespace gtune::fuzz {

/// Stores a run on the toy kernel that ended with a winner, and one that was interrupted.
void fill_with_toy_runs(Database& database);

}  // namespace gtune::fuzz
