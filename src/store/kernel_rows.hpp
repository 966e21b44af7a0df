#pragma once

#include <optional>
#include <string>

#include "store/records.hpp"
#include "store/statement_cache.hpp"

// Row ids of a kernel and its problems, and filters on them.
namespace gtune {

/// Ids that no row has.
inline constexpr auto k_no_kernel = KernelId{-1};
inline constexpr auto k_no_problem = ProblemId{-1};

/// The row of exactly this source and spec; k_no_kernel if there is none.
[[nodiscard]] KernelId find_kernel_row(StatementCache& statements, const KernelIdentity& kernel);

[[nodiscard]] std::optional<ProblemId> find_problem_row(StatementCache& statements,
                                                        const std::string& kernel_name,
                                                        const Problem& problem);

/// The condition "COLUMN = ?3" if the filter has a problem, else "?3 IS NULL". SQLite can push row
/// ids down into a view, but not names and sizes.
[[nodiscard]] std::string of_problem(const BestFilter& filter, const std::string& column);

/// Binds ?1 to ?4: the kernel's row id, its name, the row id of the filter's problem and the device
/// name. An absent problem or device is NULL.
void bind_filter(StatementCache& statements, SQLite::Statement& to, const KernelIdentity& kernel,
                 const BestFilter& filter);

}  // namespace gtune
