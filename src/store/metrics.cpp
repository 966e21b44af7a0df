#include "model/possible_measurement.hpp"
#include "store/database.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: hardware metrics of measurements.
namespace gtune {

void Database::insert_metrics(MeasurementId measurement, const std::vector<Metric>& metrics) {
  with_user_errors(m_path, *m_connection, [&] {
    SQLite::Transaction transaction(*m_connection, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(*m_connection,
                             "INSERT OR REPLACE INTO metric (measurement_id, name, value, unit, "
                             "reason) VALUES (?, ?, ?, ?, ?)");
    for (const Metric& metric : metrics) {
      Binder(insert) << measurement << metric.name << metric.value << metric.unit << metric.reason;
      insert.exec();
      insert.reset();
    }
    transaction.commit();
  });
}

std::vector<Metric> Database::load_metrics(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&] {
    SQLite::Statement select(*m_connection,
                             "SELECT name, value, unit, reason FROM metric "
                             "WHERE measurement_id = ? ORDER BY name");
    Binder(select) << measurement;
    std::vector<Metric> metrics;
    while (select.executeStep()) {
      Metric metric;
      Row(select) >> metric.name >> metric.value >> metric.unit >> metric.reason;
      if (!why_impossible(metric)) metrics.push_back(std::move(metric));
    }
    return metrics;
  });
}

}  // namespace gtune
