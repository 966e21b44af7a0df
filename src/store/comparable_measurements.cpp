#include <fmt/format.h>

#include <string>

#include "embedded/comparable.sql.hpp"
#include "embedded/select_comparable_baselines.sql.hpp"
#include "embedded/select_counted.sql.hpp"
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

}  // namespace

std::vector<Metric> Database::load_comparable_metrics(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&] {
    const std::string any = "EXISTS (SELECT 1 FROM metric WHERE measurement_id = same.id)";
    const std::string with_value =
        "EXISTS (SELECT 1 FROM metric WHERE measurement_id = same.id AND value IS NOT NULL)";
    Statement select(
        *m_connection,
        comparable(
            "same.config_id = same.base_config_id AND same.label = same.base_label AND " + any,
            with_value + " DESC, same.id = same.base_id DESC"));
    Binder(select) << measurement;
    if (!select.executeStep()) return std::vector<Metric>();
    MeasurementId with_metrics{};
    Row(select) >> with_metrics;
    return load_metrics(with_metrics);
  });
}

std::optional<StoredLines> Database::load_comparable_lines(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&]() -> std::optional<StoredLines> {
    const std::string any = "EXISTS (SELECT 1 FROM line_profile WHERE measurement_id = same.id)";
    const std::string with_samples =
        "EXISTS (SELECT 1 FROM line_profile WHERE measurement_id = same.id AND samples > 0)";
    Statement select(
        *m_connection,
        comparable(
            "same.config_id = same.base_config_id AND same.label = same.base_label AND " + any,
            with_samples + " DESC, same.id = same.base_id DESC"));
    Binder(select) << measurement;
    if (!select.executeStep()) return std::nullopt;
    MeasurementId with_lines{};
    Row(select) >> with_lines;
    return load_line_profile(with_lines);
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
