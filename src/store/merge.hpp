#pragma once

#include <filesystem>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// Adds the rows of `source` that `target` lacks, in one transaction. Rows are the same where they
/// say the same, whatever their numbers; new rows get numbers in the order of their times. Throws
/// UserError.
void merge_from(Database& target, Database& source);

/// Writes a database with everything in the inputs; whole or not at all. The order of the inputs
/// does not matter, nor how often one is given. Throws UserError, also where `output` exists.
void merge_databases(const std::vector<std::filesystem::path>& inputs,
                     const std::filesystem::path& output);

}  // namespace gtune
