#include "store/kernel_rows.hpp"

#include "store/json_text.hpp"
#include "store/statement.hpp"

namespace gtune {

using SQLite::Statement;

KernelId find_kernel_row(StatementCache& statements, const KernelIdentity& kernel) {
  const StatementCache::Use use(
      statements,
      "SELECT id FROM kernel WHERE name = ? AND source_hash = ? AND spec_hash = ? "
      "AND problem_names = ? AND parameter_names = ?");
  Statement& select = *use;
  Binder(select) << kernel.name << kernel.source_hash << kernel.spec_hash
                 << names_text(kernel.problem_names) << names_text(kernel.parameter_names);
  KernelId id = k_no_kernel;
  if (select.executeStep()) Row(select) >> id;
  return id;
}

std::optional<ProblemId> find_problem_row(StatementCache& statements,
                                          const std::string& kernel_name, const Problem& problem) {
  const StatementCache::Use use(statements,
                                "SELECT id FROM problem WHERE kernel = ? AND sizes = ?");
  Statement& select = *use;
  Binder(select) << kernel_name << values_text(problem);
  if (!select.executeStep()) return std::nullopt;
  ProblemId id{};
  Row(select) >> id;
  return id;
}

std::string of_problem(const BestFilter& filter, const std::string& column) {
  return filter.problem ? column + " = ?3" : "?3 IS NULL";
}

void bind_filter(StatementCache& statements, SQLite::Statement& to, const KernelIdentity& kernel,
                 const BestFilter& filter) {
  std::optional<ProblemId> problem;
  if (filter.problem) {
    problem = find_problem_row(statements, kernel.name, *filter.problem).value_or(k_no_problem);
  }
  Binder(to) << find_kernel_row(statements, kernel) << kernel.name << problem << filter.device_name;
}

}  // namespace gtune
