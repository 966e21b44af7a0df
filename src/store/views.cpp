#include "store/views.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "store/database.hpp"
#include "store/inventory.hpp"
#include "store/json_text.hpp"
#include "store/sql_text.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: the views of each kernel, for users of plain SQL.
namespace gtune {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

namespace {

using Columns = std::vector<std::pair<std::string, std::string>>;  // name, expression

struct View {
  std::string name;
  std::string sql;
};

/// Columns before and after those of the kernel.
struct FixedColumns {
  Columns before;
  Columns behind;
};

const Columns k_device_columns = {{"device", "device.name"}, {"replayed", "device.replayed"}};

const Columns k_timing_columns = {
    {"median_ms", "m.median_ms"},
    {"gflops", "speed.gflops"},
    {"gbps", "speed.gbps"},
    {"min_ms", "m.min_ms"},
    {"p95_ms", "m.p95_ms"},
    {"samples", "length(m.samples_ms) / 8"},
    {"registers", "m.registers"},
    {"shared_bytes", "m.static_shared_bytes + m.dynamic_shared_bytes"},
    {"sm_clock_mhz", "m.sm_clock_mhz"},
    {"timing", "m.timing"},
};

const Columns k_origin_columns = {
    {"source_hash", "kernel.source_hash"},
    {"spec_hash", "kernel.spec_hash"},
    {"driver", "toolchain.driver"},
    {"nvrtc", "toolchain.nvrtc"},
    {"created", "m.created"},
};

constexpr const char* k_joins =
    " JOIN kernel ON kernel.id = m.kernel_id"
    " JOIN device ON device.id = m.device_id"
    " JOIN problem ON problem.id = m.problem_id"
    " JOIN config ON config.id = m.config_id"
    " JOIN toolchain ON toolchain.id = m.toolchain_id"
    " JOIN speed ON speed.measurement_id = m.id";

/// The value of `name` in a JSON object. A JSON path cannot safely quote every name.
std::string member(const std::string& object, const std::string& name) {
  if (!name.empty() && plain_name(name) == name) {
    return "json_extract(" + object + ", '$.\"" + name + "\"')";
  }
  return "(SELECT value FROM json_each(" + object + ") WHERE key = " + sql_literal(name) + ")";
}

std::string select_list(const FixedColumns& fixed, const KernelIdentity& kernel) {
  UniqueNames names;
  // The fixed columns keep their names, whatever a kernel calls its own.
  for (const auto* columns : {&fixed.before, &fixed.behind}) {
    for (const auto& column : *columns) (void)names.take(column.first);
  }
  Columns all = fixed.before;
  for (const auto& name : kernel.problem_names) {
    all.emplace_back(names.take(name), member("problem.sizes", name));
  }
  for (const auto& name : kernel.parameter_names) {
    all.emplace_back(names.take(name), member("config.params", name));
  }
  all.insert(all.end(), fixed.behind.begin(), fixed.behind.end());

  std::string list;
  for (const auto& [name, expression] : all) {
    list += (list.empty() ? "" : ", ") + expression + " AS " + sql_identifier(name);
  }
  return list;
}

Columns joined(std::initializer_list<Columns> parts) {
  Columns all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

View best_view(const std::string& suffix, const KernelIdentity& kernel) {
  const FixedColumns fixed = {
      k_device_columns,
      joined({k_timing_columns, {{"verified", "winner.verified"}}, k_origin_columns})};
  const std::string name = "best_" + suffix;
  // CROSS JOIN keeps the order: from the few winners to their measurements.
  return {name, "CREATE VIEW " + name + " AS SELECT " + select_list(fixed, kernel) +
                    " FROM winner CROSS JOIN measurement AS m ON m.id = winner.measurement_id" +
                    k_joins + " WHERE kernel.id = (SELECT id FROM kernel WHERE name = " +
                    sql_literal(kernel.name) + " ORDER BY " + k_current_first + " LIMIT 1)"};
}

View all_view(const std::string& suffix, const KernelIdentity& kernel) {
  const Columns state = {{"phase", "m.phase"},         {"label", "m.label"},
                         {"status", "m.status"},       {"reason", "m.reason"},
                         {"max_error", "m.max_error"}, {"run", "m.run_id"}};
  const FixedColumns fixed = {k_device_columns,
                              joined({state, k_timing_columns, k_origin_columns})};
  const std::string name = "all_" + suffix;
  return {name, "CREATE VIEW " + name + " AS SELECT " + select_list(fixed, kernel) +
                    " FROM measurement AS m" + k_joins +
                    " WHERE kernel.name = " + sql_literal(kernel.name)};
}

/// Kernels whose names differ only in characters that an SQL name cannot hold get numbers, in the
/// order of their first rows, so that a view never passes from one kernel to another.
std::string view_suffix(const SQLite::Database& database, const std::string& kernel_name) {
  UniqueNames suffixes;
  Statement select(database, "SELECT name FROM kernel GROUP BY name ORDER BY min(id)");
  while (select.executeStep()) {
    std::string name;
    Row(select) >> name;
    std::string suffix = suffixes.take(plain_name(name));
    if (name == kernel_name) return suffix;
  }
  return suffixes.take(plain_name(kernel_name));
}

bool is_current(const SQLite::Database& database, const View& view) {
  Statement select(database,
                   "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE "
                   "AND sql = ?");
  Binder(select) << view.name << view.sql;
  return select.executeStep();
}

std::vector<View> views_of(const SQLite::Database& database, const KernelIdentity& kernel) {
  const std::string suffix = view_suffix(database, kernel.name);
  return {best_view(suffix, kernel), all_view(suffix, kernel)};
}

bool are_current(const SQLite::Database& database, const std::vector<View>& views) {
  return std::all_of(views.begin(), views.end(),
                     [&](const View& view) { return is_current(database, view); });
}

/// Refuses a name that a table or an index of the user's has.
void require_free(const SQLite::Database& database, const std::string& name) {
  Statement select(database,
                   "SELECT type FROM sqlite_schema WHERE type <> 'view' AND name = ? COLLATE "
                   "NOCASE");
  Binder(select) << name;
  if (!select.executeStep()) return;
  std::string type;
  Row(select) >> type;
  throw UserError(ExitCode::failed, "database " + shown(database.getFilename()) + ": its " + type +
                                        " " + name +
                                        " has the name of a view of gtune's: rename it");
}

void replace(SQLite::Database& database, const std::vector<View>& views) {
  for (const View& view : views) {
    require_free(database, view.name);
    database.exec("DROP VIEW IF EXISTS main." + view.name);
    database.exec(view.sql);
  }
}

std::vector<KernelIdentity> current_kernels(const SQLite::Database& database) {
  std::vector<KernelIdentity> current;
  Statement select(database,
                   "SELECT name, source_hash, spec_hash, problem_names, parameter_names "
                   "FROM ranked_kernel WHERE place = 1 ORDER BY id");
  while (select.executeStep()) {
    KernelIdentity kernel;
    std::string sizes, params;
    Row(select) >> kernel.name >> kernel.source_hash >> kernel.spec_hash >> sizes >> params;
    kernel.problem_names = names_from(sizes);
    kernel.parameter_names = names_from(params);
    current.push_back(std::move(kernel));
  }
  return current;
}

}  // namespace

void Database::refresh_views(const KernelIdentity& kernel) {
  with_user_errors(m_path, *m_connection, [&] {
    const std::vector<View> views = views_of(*m_connection, kernel);
    // Each schema change makes every other process read the schema again.
    if (are_current(*m_connection, views)) return;
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    replace(*m_connection, views);
    transaction.commit();
  });
}

void refresh_all_views(SQLite::Database& database) {
  for (const KernelIdentity& kernel : current_kernels(database)) {
    const std::vector<View> views = views_of(database, kernel);
    if (!are_current(database, views)) replace(database, views);
  }
}

}  // namespace gtune
