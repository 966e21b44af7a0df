#pragma once

#include <optional>
#include <string>

#include "store/records.hpp"
#include "store/statement_cache.hpp"

// What is stored of exactly one kernel, by numbers of rows.
namespace gtune {

/// No row's.
inline constexpr auto k_no_kernel = KernelId{-1};
inline constexpr auto k_no_problem = ProblemId{-1};

/// The row of exactly this source and spec; k_no_kernel where there is none.
[[nodiscard]] KernelId find_kernel_row(StatementCache& statements, const KernelIdentity& kernel);

[[nodiscard]] std::optional<ProblemId> find_problem_row(StatementCache& statements,
                                                        const std::string& kernel_name,
                                                        const Problem& problem);

/// "winner.problem_id = ?3" where the filter has a problem, else "?3 IS NULL". Numbers of rows can
/// be pushed down into a view, names and sizes cannot.
[[nodiscard]] std::string of_problem(const BestFilter& filter, const std::string& column);

/// ?1 to ?4: the rows of the kernel, its name, the filter's problem and device name; an absent
/// problem or device is NULL.
void bind_filter(StatementCache& statements, SQLite::Statement& to, const KernelIdentity& kernel,
                 const BestFilter& filter);

}  // namespace gtune
