#include <string>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: what was measured under the conditions of another measurement.
namespace gtune {

using SQLite::Statement;

namespace {

/// Rows `same` that were measured under the conditions of the row `base`, whose id is ?1.
constexpr const char* k_comparable =
    "FROM measurement AS base JOIN measurement AS same ON same.kernel_id = base.kernel_id "
    "AND same.problem_id = base.problem_id AND same.device_id = base.device_id "
    "AND same.toolchain_id = base.toolchain_id AND same.l2_flushed = base.l2_flushed "
    "WHERE base.id = ?1 ";

/// The newest of them that `condition` is true of, one that went well before others.
std::optional<StoredMeasurement> newest_comparable(const SQLite::Database& database,
                                                   MeasurementId base, const std::string& condition,
                                                   const std::string& value) {
  Statement select(database, select_measurements() + "WHERE id = (SELECT same.id " + k_comparable +
                                 "AND " + condition +
                                 " ORDER BY same.status = 'ok' DESC, same.id DESC LIMIT 1)");
  Binder(select) << base << value;
  auto rows = read_measurements(select);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

}  // namespace

std::vector<Metric> Database::load_comparable_metrics(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection,
                     std::string("SELECT same.id ") + k_comparable +
                         "AND same.config_id = base.config_id AND same.label = base.label "
                         "AND EXISTS (SELECT 1 FROM metric WHERE measurement_id = same.id) "
                         "ORDER BY EXISTS (SELECT 1 FROM metric WHERE measurement_id = same.id "
                         "AND value IS NOT NULL) DESC, same.id = base.id DESC, same.id DESC "
                         "LIMIT 1");
    Binder(select) << measurement;
    if (!select.executeStep()) return std::vector<Metric>();
    MeasurementId with_metrics{};
    Row(select) >> with_metrics;
    return load_metrics(with_metrics);
  });
}

std::optional<StoredMeasurement> Database::find_comparable(MeasurementId base,
                                                           const Config& config) const {
  return with_user_errors(m_path, *m_connection, [&] {
    return newest_comparable(*m_connection, base,
                             "same.phase <> 'baseline' AND same.config_id = (SELECT config.id "
                             "FROM config JOIN kernel ON kernel.name = config.kernel "
                             "WHERE kernel.id = base.kernel_id AND config.params = ?2)",
                             values_text(config));
  });
}

std::optional<StoredMeasurement> Database::find_comparable_baseline(MeasurementId base,
                                                                    const std::string& name) const {
  return with_user_errors(m_path, *m_connection, [&] {
    return newest_comparable(*m_connection, base, "same.phase = 'baseline' AND same.label = ?2",
                             name);
  });
}

}  // namespace gtune
