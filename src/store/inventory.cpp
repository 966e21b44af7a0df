#include "store/inventory.hpp"

#include <cerrno>
#include <csignal>
#include <set>

#include "embedded/remove_kernels.sql.hpp"
#include "embedded/stored_kernels.sql.hpp"
#include "store/schema.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

namespace gtune {

using SQLite::Statement;

namespace {

std::vector<StoredKernel> stored_kernels(const SQLite::Database& database) {
  Statement select(database, std::string(embedded::k_stored_kernels_sql));
  std::vector<StoredKernel> kernels;
  while (select.executeStep()) {
    StoredKernel kernel;
    Row(select) >> kernel.id >> kernel.name >> kernel.source_hash >> kernel.spec_hash >>
        kernel.last_used >> kernel.current >> kernel.runs >> kernel.interrupted >>
        kernel.problems >> kernel.measurements;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

/// The kernels that a process on this machine may still be measuring.
std::set<std::int64_t> kernels_in_use(const SQLite::Database& database) {
  Statement select(database, "SELECT DISTINCT kernel_id, pid FROM run WHERE finished IS NULL");
  std::set<std::int64_t> in_use;
  while (select.executeStep()) {
    std::int64_t kernel = 0, pid = 0;
    Row(select) >> kernel >> pid;
    if (pid > 0 && (kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM)) in_use.insert(kernel);
  }
  return in_use;
}

/// Foreign keys are not checked while it exists, which has to be longer than any transaction: prune
/// deletes referring rows itself, and checking each key would take for ever.
class NoForeignKeys {
 public:
  explicit NoForeignKeys(SQLite::Database& connection) : m_connection(connection) {
    m_connection.exec("PRAGMA foreign_keys = OFF");
  }
  ~NoForeignKeys() { m_connection.tryExec("PRAGMA foreign_keys = ON"); }
  NoForeignKeys(const NoForeignKeys&) = delete;
  NoForeignKeys& operator=(const NoForeignKeys&) = delete;

 private:
  SQLite::Database& m_connection;
};

}  // namespace

Inventory take_inventory(Database& database) {
  SQLite::Database& connection = database.connection();
  return with_user_errors(database.path(), connection, [&] {
    SQLite::Transaction one_moment(connection);
    Inventory all;
    all.schema = k_schema_version;
    all.kernels = stored_kernels(connection);
    Statement devices(connection,
                      "SELECT name, uuid, replayed, (SELECT count(*) FROM measurement "
                      "WHERE device_id = device.id) FROM device ORDER BY replayed, name, uuid");
    while (devices.executeStep()) {
      StoredDevice device;
      Row(devices) >> device.name >> device.uuid >> device.replayed >> device.measurements;
      all.devices.push_back(std::move(device));
    }
    Statement statuses(connection, "SELECT status, count(*) FROM measurement GROUP BY status");
    while (statuses.executeStep()) {
      std::string status;
      Row row(statuses);
      row >> status;
      row >> all.by_status[status];
    }
    Statement times(connection, "SELECT min(created), max(created) FROM measurement");
    times.executeStep();
    Row(times) >> all.first >> all.last;
    return all;
  });
}

Pruned prune(Database& database, const std::string& kernel_name, bool dry_run) {
  SQLite::Database& connection = database.connection();
  return with_user_errors(database.path(), connection, [&] {
    const NoForeignKeys no_foreign_keys(connection);
    SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
    Pruned pruned;
    const std::set<std::int64_t> in_use = kernels_in_use(connection);
    for (StoredKernel& kernel : stored_kernels(connection)) {
      if (kernel.current || (!kernel_name.empty() && kernel.name != kernel_name)) continue;
      if (kernel.source_hash == "T4" || in_use.contains(kernel.id)) continue;
      pruned.runs += kernel.runs;
      pruned.measurements += kernel.measurements;
      pruned.kernels.push_back(std::move(kernel));
    }
    if (dry_run || pruned.kernels.empty()) return pruned;
    connection.exec("CREATE TEMP TABLE old_kernel (id INTEGER PRIMARY KEY)");
    for (const StoredKernel& kernel : pruned.kernels) {
      Statement insert(connection, "INSERT INTO old_kernel VALUES (?)");
      Binder(insert) << kernel.id;
      insert.exec();
    }
    connection.exec(std::string(embedded::k_remove_kernels_sql));
    transaction.commit();
    return pruned;
  });
}

}  // namespace gtune
