#pragma once

#include <filesystem>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// Adds what `target` does not have of `source`, in one transaction. Rows are the same where they
/// say the same, whatever their numbers; new rows get numbers in the order of their times. Throws
/// UserError.
void merge_from(Database& target, Database& source);

/// Writes a database with all that the inputs hold; whole or not at all. The order of the inputs
/// does not matter, nor how often one is given. Throws UserError, also where `output` exists.
void merge_databases(const std::vector<std::filesystem::path>& inputs,
                     const std::filesystem::path& output);

}  // namespace gtune
