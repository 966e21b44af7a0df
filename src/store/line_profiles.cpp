#include <string>

#include "store/database.hpp"
#include "store/json_text.hpp"
#include "store/sqlite_error.hpp"
#include "store/statement.hpp"

// Database: where in its source a measured kernel waits.
namespace gtune {

void Database::insert_line_profile(MeasurementId measurement, const StoredLines& lines) {
  with_user_errors(m_path, *m_connection, [&] {
    SQLite::Transaction transaction(*m_connection, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(*m_connection,
                             "INSERT OR REPLACE INTO line_profile (measurement_id, samples, "
                             "reason, profile) VALUES (?, ?, ?, ?)");
    Binder to(insert);
    to << measurement;
    if (lines.profile) {
      to << lines.profile->samples << "" << line_profile_text(*lines.profile);
    } else {
      to.null() << lines.reason << "";
    }
    insert.exec();
    transaction.commit();
  });
}

std::optional<StoredLines> Database::load_line_profile(MeasurementId measurement) const {
  return with_user_errors(m_path, *m_connection, [&]() -> std::optional<StoredLines> {
    SQLite::Statement select(*m_connection,
                             "SELECT reason, profile FROM line_profile WHERE measurement_id = ?");
    Binder(select) << measurement;
    if (!select.executeStep()) return std::nullopt;
    StoredLines lines;
    std::string text;
    Row(select) >> lines.reason >> text;
    if (!text.empty()) lines.profile = line_profile_from(text);
    return lines;
  });
}

}  // namespace gtune
