#include <string>

#include "embedded/upsert_device.sql.hpp"
#include "store/database.hpp"
#include "store/device_rows.hpp"
#include "store/json_text.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: rows that other rows refer to.
namespace gtune {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

namespace {

DeviceFacts with_limits_kept(SQLite::Database& database, DeviceFacts facts) {
  Statement select(database,
                   "SELECT " + limit_columns() + " FROM device WHERE uuid = ? AND replayed = ?");
  Binder(select) << facts.uuid << facts.replayed;
  if (!select.executeStep()) return facts;
  const DeviceLimits stored = read_limits(select);
  for (const auto& [name, value] : k_device_limits) {
    if (!(facts.limits.*value)) facts.limits.*value = stored.*value;
  }
  return facts;
}

}  // namespace

DeviceId Database::upsert_device(const DeviceFacts& new_facts) {
  return with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    const DeviceFacts facts = with_limits_kept(*m_connection, new_facts);
    Statement upsert(*m_connection, std::string(embedded::k_upsert_device_sql));
    Binder to(upsert);
    to << facts.name << facts.uuid << facts.replayed << facts.cc() << facts.sm_count
       << facts.l2_bytes << facts.memory_bytes << facts.max_sm_clock_mhz
       << facts.max_memory_clock_mhz << facts_text(facts);
    for (const NamedLimit& limit : k_device_limits) to << facts.limits.*limit.value;
    const auto id = read_id<DeviceId>(upsert);
    transaction.commit();
    return id;
  });
}

ToolchainId Database::upsert_toolchain(const Toolchain& toolchain) {
  return with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    Statement upsert(*m_connection,
                     "INSERT INTO toolchain (driver, runtime, nvrtc, cupti, gtune) "
                     "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET driver = driver "
                     "RETURNING id");
    Binder(upsert) << toolchain.driver << toolchain.runtime << toolchain.nvrtc << toolchain.cupti
                   << toolchain.gtune;
    const auto id = read_id<ToolchainId>(upsert);
    transaction.commit();
    return id;
  });
}

void Database::use_toolchain(DeviceId device, ToolchainId toolchain) {
  with_user_errors(m_path, *m_connection, [&] {
    Statement update(*m_connection, "UPDATE device SET toolchain_id = ? WHERE id = ?");
    Binder(update) << toolchain << device;
    update.exec();
  });
}

KernelId Database::upsert_kernel(const KernelIdentity& kernel) {
  return with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    Statement upsert(*m_connection,
                     "INSERT INTO kernel (name, source_hash, spec_hash, problem_names, "
                     "parameter_names) VALUES (?, ?, ?, ?, ?) "
                     "ON CONFLICT DO UPDATE SET last_used = strftime('%Y-%m-%dT%H:%M:%fZ') "
                     "RETURNING id");
    Binder(upsert) << kernel.name << kernel.source_hash << kernel.spec_hash
                   << names_text(kernel.problem_names) << names_text(kernel.parameter_names);
    const auto id = read_id<KernelId>(upsert);
    transaction.commit();
    return id;
  });
}

ProblemId Database::upsert_problem(const std::string& kernel_name, const Problem& problem) {
  return with_user_errors(m_path, *m_connection, [&] {
    Transaction transaction(*m_connection, TransactionBehavior::IMMEDIATE);
    Statement upsert(*m_connection,
                     "INSERT INTO problem (kernel, sizes) VALUES (?, ?) "
                     "ON CONFLICT DO UPDATE SET kernel = kernel RETURNING id");
    Binder(upsert) << kernel_name << values_text(problem);
    const auto id = read_id<ProblemId>(upsert);
    transaction.commit();
    return id;
  });
}

}  // namespace gtune
