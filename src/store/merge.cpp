#include "store/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/error.hpp"
#include "store/connection.hpp"
#include "store/device_rows.hpp"
#include "store/row_check.hpp"
#include "store/sql_text.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"
#include "store/table_shapes.hpp"
#include "store/views.hpp"
#include "system/draft.hpp"

namespace gtune {

using SQLite::Statement;

namespace {

/// True for a column that can change after the insert and so does not identify its row.
bool is_mutable(const std::string& table, const std::string& column) {
  if (table == "device") return column != "uuid" && column != "replayed";
  if (table == "kernel") return column == "first_used" || column == "last_used";
  return table == "run" && column == "finished";
}

/// The rows of a source's table that are merged, as a condition; empty: all. `kernel`: of
/// MergeScope.
std::string merged_rows(const std::string& table, const std::string& kernel) {
  if (kernel.empty()) return "";
  const std::string name = sql_literal(kernel);
  if (table == "kernel") return " WHERE name = " + name;
  if (table == "problem" || table == "config") return " WHERE kernel = " + name;
  if (table == "run" || table == "measurement") {
    return " WHERE kernel_id IN (SELECT id FROM temp.source_kernel)";
  }
  if (table == "metric" || table == "line_profile") {
    return " WHERE measurement_id IN (SELECT id FROM temp.source_measurement)";
  }
  if (table == "result") return " WHERE run_id IN (SELECT id FROM temp.source_run)";
  return "";
}

/// The order in which new rows get their ids: the newer row gets the higher one.
std::string order_of(const std::string& table) {
  const auto first_run = [](const char* column) {
    return fmt::format("(SELECT min(started) FROM temp.source_run WHERE {} = s.id)", column);
  };
  if (table == "toolchain") {
    return first_run("toolchain_id") + ", driver, runtime, nvrtc, cupti, gtune";
  }
  if (table == "device") return first_run("device_id") + ", uuid, replayed";
  if (table == "kernel") return "first_used, name, source_hash, spec_hash";
  if (table == "problem") return "kernel, sizes";
  if (table == "config") return "kernel, params";
  return table == "run" ? "started, id" : "created, id";
}

/// A column of a source row `s`, with row ids translated into the target's.
std::string translated(const TableShape& table, const TableColumn& column) {
  std::string own = "s." + column.name;
  if (table.name == "result" && column.name == "ties") {
    return "(SELECT json_group_array(new) FROM json_each(s.ties) "
           "JOIN temp.map_measurement ON old = value)";
  }
  if (column.refers_to.empty()) return own;
  return fmt::format("(SELECT new FROM temp.map_{} WHERE old = {})", column.refers_to, own);
}

std::string column_names(const TableShape& table) {
  std::string names;
  for (const TableColumn& column : table.columns) {
    names += (names.empty() ? "" : ", ") + column.name;
  }
  return names;
}

std::string translated_columns(const TableShape& table) {
  std::string list;
  for (const TableColumn& column : table.columns) {
    list += (list.empty() ? "" : ", ") + translated(table, column);
  }
  return list;
}

/// Merges one source into one target, inside the caller's transaction.
class Merge {
 public:
  Merge(SQLite::Database& target, const MergeScope& scope)
      : m_target(target), m_keeps_devices(scope.keeps_devices) {
    for (const TableShape& table : table_shapes(m_target)) {
      m_target.exec(
          fmt::format("DROP VIEW IF EXISTS temp.source_{0}; CREATE TEMP VIEW source_{0} "
                      "AS SELECT * FROM source.{0}{1}",
                      table.name, merged_rows(table.name, scope.kernel)));
    }
  }
  ~Merge() {
    for (const TableShape& table : table_shapes(m_target)) {
      (void)m_target.tryExec("DROP VIEW temp.source_" + table.name);
    }
  }
  Merge(const Merge&) = delete;
  Merge& operator=(const Merge&) = delete;

  void run() {
    for (const TableShape& table : table_shapes(m_target)) {
      if (table.has_id) {
        match(table);
        number(table);
        insert(table);
        if (table.name == "device" && !m_keeps_devices) update_devices(table);
      } else if (table.name == "metric") {
        insert_metrics(table);
      } else if (table.name == "line_profile") {
        insert_line_profiles(table);
      } else {
        insert_results(table);
      }
    }
    m_target.exec(
        "UPDATE kernel SET first_used = min(kernel.first_used, s.first_used), "
        "last_used = max(kernel.last_used, s.last_used) FROM temp.source_kernel AS s "
        "JOIN temp.map_kernel ON old = s.id WHERE kernel.id = new;"
        "UPDATE run SET finished = max(coalesce(run.finished, s.finished), s.finished) "
        "FROM temp.source_run AS s JOIN temp.map_run ON old = s.id "
        "WHERE run.id = new AND s.finished IS NOT NULL");
  }

 private:
  /// Rows of a table with the columns that identify them, c0, c1, ..., and `twin`, which numbers
  /// the rows of one database that are equal in all of these.
  static std::string keyed(const TableShape& table, bool of_source) {
    std::string columns;
    std::string keys;
    int count = 0;
    for (const TableColumn& column : table.columns) {
      if (is_mutable(table.name, column.name)) continue;
      const std::string key = fmt::format("c{}", count++);
      columns += fmt::format(", {} AS {}",
                             of_source ? translated(table, column) : "s." + column.name, key);
      keys += (keys.empty() ? "" : ", ") + key;
    }
    std::string some;
    if (table.name == "measurement") {
      some = fmt::format(" WHERE s.run_id IN (SELECT {} FROM temp.map_run WHERE NOT is_new)",
                         of_source ? "old" : "new");
    }
    return fmt::format(
        "SELECT *, row_number() OVER (PARTITION BY {} ORDER BY id) AS twin FROM "
        "(SELECT s.id AS id{} FROM {}{} AS s{})",
        keys, columns, of_source ? "temp.source_" : "main.", table.name, some);
  }

  /// Finds the source's rows that the target already has.
  void match(const TableShape& table) {
    m_target.exec(
        fmt::format("DROP TABLE IF EXISTS temp.map_{0}; CREATE TEMP TABLE map_{0} "
                    "(old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_new INTEGER NOT NULL)",
                    table.name));
    if (table.name == "measurement" &&
        m_target.execAndGet("SELECT NOT EXISTS (SELECT 1 FROM temp.map_run WHERE NOT is_new)")
                .getInt() != 0) {
      return;
    }
    std::string same = "t.twin = s.twin";
    int count = 0;
    for (const TableColumn& column : table.columns) {
      if (is_mutable(table.name, column.name)) continue;
      same += fmt::format(" AND t.c{0} IS s.c{0}", count++);
    }
    m_target.exec(
        fmt::format("INSERT INTO temp.map_{} SELECT s.id, t.id, 0 FROM ({}) AS s JOIN ({}) AS t ON "
                    "{}",
                    table.name, keyed(table, true), keyed(table, false), same));
  }

  void number(const TableShape& table) {
    m_target.exec(
        fmt::format("INSERT INTO temp.map_{0} SELECT id, (SELECT coalesce(max(id), 0) FROM "
                    "main.{0}) + row_number() OVER (ORDER BY {1}), 1 FROM temp.source_{0} AS s "
                    "WHERE id NOT IN (SELECT old FROM temp.map_{0})",
                    table.name, order_of(table.name)));
  }

  void insert(const TableShape& table) {
    m_target.exec(
        fmt::format("INSERT INTO main.{0} (id, {1}) SELECT map.new, {2} FROM temp.map_{0} AS map "
                    "CROSS JOIN temp.source_{0} AS s ON s.id = map.old WHERE map.is_new "
                    "ORDER BY map.new",
                    table.name, column_names(table), translated_columns(table)));
  }

  /// Takes a device's facts from the database whose last run on it is the later. All of them: facts
  /// that one program found at one time belong together.
  void update_devices(const TableShape& table) {
    const auto rank = [](const std::string& schema, const std::string& row) {
      return fmt::format(
          "(coalesce((SELECT max(started) FROM {0}run WHERE device_id = {1}.id), ''), {1}.facts, "
          "{1}.name, {2}, "
          "coalesce((SELECT driver || runtime || nvrtc || cupti || gtune FROM {0}toolchain "
          "WHERE id = {1}.toolchain_id), ''))",
          schema, row, limit_columns("coalesce(" + row + ".{}, 0)"));
    };
    m_target.exec(fmt::format(
        "UPDATE main.device SET ({}) = (SELECT {} FROM temp.source_device AS s "
        "JOIN temp.map_device ON old = s.id WHERE new = device.id) "
        "WHERE id IN (SELECT map.new FROM temp.source_device AS s JOIN temp.map_device AS "
        "map ON map.old = s.id JOIN main.device AS t ON t.id = map.new WHERE {} > {})",
        column_names(table), translated_columns(table), rank("temp.source_", "s"),
        rank("main.", "t")));
  }

  void insert_metrics(const TableShape& table) {
    m_target.exec(fmt::format(
        "INSERT INTO main.metric ({}) SELECT {} FROM temp.source_metric AS s WHERE 1 "
        "ON CONFLICT DO UPDATE SET value = excluded.value, unit = excluded.unit, "
        "reason = excluded.reason WHERE (coalesce(excluded.value, -1e999), excluded.unit, "
        "excluded.reason) > (coalesce(value, -1e999), unit, reason)",
        column_names(table), translated_columns(table)));
  }

  /// SQLite would choose a key for the row of a measurement that is not there: such rows are left
  /// out.
  void insert_line_profiles(const TableShape& table) {
    m_target.exec(fmt::format(
        "INSERT INTO main.line_profile ({}) SELECT {} FROM temp.source_line_profile AS s "
        "WHERE measurement_id IN (SELECT old FROM temp.map_measurement) "
        "ON CONFLICT DO UPDATE SET samples = excluded.samples, reason = excluded.reason, "
        "profile = excluded.profile WHERE (coalesce(excluded.samples, 0), excluded.profile, "
        "excluded.reason) > (coalesce(samples, 0), profile, reason)",
        column_names(table), translated_columns(table)));
  }

  void insert_results(const TableShape& table) {
    m_target.exec(
        fmt::format("INSERT INTO main.result ({}) SELECT {} FROM temp.source_result AS s WHERE 1 "
                    "ON CONFLICT DO UPDATE SET winner_id = excluded.winner_id, "
                    "ties = excluded.ties, verified = excluded.verified, "
                    "summary = excluded.summary WHERE (excluded.summary, excluded.verified) > "
                    "(summary, verified)",
                    column_names(table), translated_columns(table)));
  }

  SQLite::Database& m_target;
  bool m_keeps_devices;
};

}  // namespace

void merge_from(Database& target, Database& source, const MergeScope& scope) {
  SQLite::Database& connection = target.connection();
  with_user_errors(source.path(), connection, [&] {
    Statement attach(connection, "ATTACH ? AS source");
    Binder(attach) << uri_to_read_again(source.connection(), source.path());
    attach.exec();
  });
  // If the target is in memory, only the source's file can be at fault.
  const bool in_memory = connection.getFilename() == ":memory:";
  try {
    with_user_errors(in_memory ? source.path() : target.path(), connection, [&] {
      SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
      Merge(connection, scope).run();
      if (!in_memory) refresh_all_views(connection);
      transaction.commit();
    });
  } catch (...) {
    connection.tryExec("DETACH source");
    throw;
  }
  connection.exec("DETACH source");
}

void merge_databases(const std::vector<std::filesystem::path>& inputs,
                     const std::filesystem::path& output) {
  if (std::filesystem::exists(output)) {
    throw UserError(ExitCode::failed, shown(output) + " exists: give another name with -o");
  }
  std::vector<Database> sources;  // open all first: a bad one costs no work
  for (const auto& input : inputs) {
    sources.emplace_back(input, OpenMode::read_only);
    require_sound_rows(sources.back());
  }
  const Draft gathered(std::filesystem::absolute(output));
  const Draft sorted(std::filesystem::absolute(output));
  Database all(gathered.path(), OpenMode::create);
  for (Database& source : sources) merge_from(all, source);
  {
    // Merge once more, into an empty database: row ids then follow the rows' times, whatever the
    // order of the inputs.
    Database merged(sorted.path(), OpenMode::create);
    merge_from(merged, all);
    merged.fold_journal();
  }
  sorted.move_to_place();
}

}  // namespace gtune
