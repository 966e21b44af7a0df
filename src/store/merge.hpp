#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// What a merge takes from its source.
struct MergeScope {
  std::string kernel;          // only rows of this kernel, with every device; empty: all
  bool keeps_devices = false;  // devices that the target has keep their facts and toolchain
};

/// Adds the rows of `source` that `target` lacks, in one transaction. Rows are the same if their
/// values are equal, whatever their ids; new rows get ids in the order of their times. Throws
/// UserError.
void merge_from(Database& target, Database& source, const MergeScope& scope = {});

/// Writes a database with everything in the inputs, completely or not at all. Neither the order of
/// the inputs nor duplicates matter. Throws UserError, also if `output` exists.
void merge_databases(const std::vector<std::filesystem::path>& inputs,
                     const std::filesystem::path& output);

}  // namespace gtune
