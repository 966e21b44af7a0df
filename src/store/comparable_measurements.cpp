#include <fmt/format.h>

#include <string>

#include "embedded/comparable.sql.hpp"
#include "embedded/select_comparable_baselines.sql.hpp"
#include "embedded/select_counted.sql.hpp"
#include "embedded/select_sampled.sql.hpp"
#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/measurement_rows.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: measurements made under the same conditions as another one.
namespace gtune {

using SQLite::Statement;

namespace {

std::string comparable(const std::string& condition, const std::string& first) {
  return fmt::format(fmt::runtime(embedded::k_comparable_sql), fmt::arg("condition", condition),
                     fmt::arg("first", first));
}

/// The newest measurement comparable to `base` that meets `condition`; one with status ok comes
/// before all others.
std::optional<StoredMeasurement> newest_comparable(const SQLite::Database& database,
                                                   MeasurementId base, const std::string& condition,
                                                   const std::string& value) {
  Statement select(database, select_measurements() + "WHERE id = (" +
                                 comparable(condition, "same.status = 'ok' DESC") + ")");
  Binder(select) << base << value;
  auto rows = read_measurements(select);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

/// The newest measurement of the same configuration or baseline as `base` that has rows in `table`;
/// one with rows that meet `condition` comes before others, and `base` before other measurements.
std::optional<MeasurementId> newest_with_rows(const SQLite::Database& database, MeasurementId base,
                                              const std::string& table,
                                              const std::string& condition) {
  const auto has_rows = [&](const std::string& more) {
    return fmt::format("EXISTS (SELECT 1 FROM {} WHERE measurement_id = same.id{})", table, more);
  };
  Statement select(
      database,
      comparable("same.config_id = same.base_config_id AND same.label = same.base_label AND " +
                     has_rows(""),
                 has_rows(" AND " + condition) + " DESC, same.id = same.base_id DESC"));
  Binder(select) << base;
  if (!select.executeStep()) return std::nullopt;
  MeasurementId found{};
  Row(select) >> found;
  return found;
}

}  // namespace

std::vector<Metric> Database::load_comparable_metrics(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&] {
    const auto found = newest_with_rows(*m_connection, measurement, "metric", "value IS NOT NULL");
    return found ? load_metrics(*found) : std::vector<Metric>();
  });
}

std::optional<StoredLines> Database::load_comparable_lines(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&] {
    const auto found = newest_with_rows(*m_connection, measurement, "line_profile", "samples > 0");
    return found ? load_line_profile(*found) : std::nullopt;
  });
}

std::optional<StoredMeasurement> Database::find_comparable(MeasurementId base,
                                                           const Config& config) const {
  return with_user_errors(m_path, *m_connection, [&] {
    return newest_comparable(*m_connection, base,
                             "same.phase <> 'baseline' AND same.config_id = (SELECT config.id "
                             "FROM config JOIN kernel ON kernel.name = config.kernel "
                             "WHERE kernel.id = same.kernel_id AND config.params = ?2)",
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

std::vector<StoredMeasurement> Database::load_comparable_baselines(MeasurementId base) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, select_measurements() + "WHERE id IN (" +
                                        std::string(embedded::k_select_comparable_baselines_sql) +
                                        ") ORDER BY id");
    Binder(select) << base;
    return read_measurements(select);
  });
}

std::vector<StoredMeasurement> Database::load_sampled(MeasurementId base) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, select_measurements() + "WHERE id IN (" +
                                        std::string(embedded::k_select_sampled_sql) +
                                        ") ORDER BY id");
    Binder(select) << base;
    std::vector<StoredMeasurement> sampled = read_measurements(select);
    std::erase_if(sampled, [](const auto& stored) { return !stored.measurement.ok(); });
    return sampled;
  });
}

std::vector<StoredMeasurement> Database::load_counted(MeasurementId base,
                                                      const std::string& metric) const {
  return with_user_errors(m_path, *m_connection, [&] {
    Statement select(*m_connection, select_measurements() + "WHERE id IN (" +
                                        std::string(embedded::k_select_counted_sql) +
                                        ") ORDER BY id");
    Binder(select) << base << metric;
    std::vector<StoredMeasurement> counted = read_measurements(select);
    std::erase_if(counted, [](const auto& stored) { return !stored.measurement.ok(); });
    return counted;
  });
}

}  // namespace gtune
