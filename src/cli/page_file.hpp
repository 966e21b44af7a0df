#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/database_choice.hpp"
#include "cli/kernel_finder.hpp"
#include "page/report_page.hpp"

// What the pages of `gtune report` and of --report hold.
namespace gtune {

/// The best of these problems, nullopt for all, by device and size; on one device name, or on all
/// if it is empty.
[[nodiscard]] std::vector<BestRow> stored_rows(const Database& database,
                                               const KernelIdentity& identity,
                                               const std::vector<std::optional<Problem>>& problems,
                                               const std::string& device);

/// A page about one kernel.
[[nodiscard]] PageContents kernel_page(const RecordSource& source, std::vector<BestRow> rows);

/// A page about all kernels of a database, as far as their specs are known. Throws UserError
/// (nothing_stored) if it has none.
[[nodiscard]] PageContents overview_page(Results& results, KernelFinder& kernels,
                                         const std::string& device);

}  // namespace gtune
