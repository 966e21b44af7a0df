#include "changed_cells.hpp"

#include <algorithm>

#include "target.hpp"

namespace gtune::fuzz {
namespace {

using nlohmann::json;

struct Place {
  std::string table;
  std::string column;
  std::string key;
};

Place place_of(const std::string& name) {
  const std::size_t dot = std::min(name.find('.'), name.size() - 1);
  Place place{name.substr(0, dot), name.substr(dot + 1), "id"};
  if (place.table == "metric" || place.table == "line_profile") place.key = "measurement_id";
  if (place.table == "result") place.key = "run_id";
  return place;
}

void bind_value(SQLite::Statement& update, const json& value, bool blob) {
  if (value.is_string() && blob) {
    const auto text = value.get<std::string>();
    update.bind(1, text.data(), static_cast<int>(text.size()));
  } else if (value.is_string()) {
    update.bind(1, value.get<std::string>());
  } else if (value.is_number_integer()) {
    update.bind(1, value.get<std::int64_t>());
  } else if (value.is_number()) {
    update.bind(1, value.get<double>());
  }
}

std::filesystem::path copied(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  return to;
}

}  // namespace

SQLite::Database open_unchecked(const std::filesystem::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
  database.exec(
      "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  return database;
}

bool CellWriter::set(const std::string& column, const json& row, const json& value) {
  try {
    SQLite::Statement& update = update_of(column);
    bind_value(update, value, column == "measurement.samples_ms");
    update.bind(2, row.get<std::int64_t>());
    update.exec();
    return true;
  } catch (const SQLite::Exception&) {  // a strict table refuses the value
  } catch (const json::exception&) {    // the input is not a change
  }
  return false;
}

SQLite::Statement& CellWriter::update_of(const std::string& column) {
  std::unique_ptr<SQLite::Statement>& update = m_updates[column];
  if (update) {
    (void)update->tryReset();  // it reports the last value's error again
    update->clearBindings();
    return *update;
  }
  const Place place = place_of(column);
  update = std::make_unique<SQLite::Statement>(
      m_database, "UPDATE " + place.table + " SET " + place.column + " = ? WHERE " + place.key +
                      " = (SELECT " + place.key + " FROM " + place.table + " LIMIT 1 OFFSET ?)");
  return *update;
}

ChangedCells::ChangedCells(const std::filesystem::path& file, const std::filesystem::path& original)
    : m_connection(open_unchecked(copied(original, file))), m_reader(file, OpenMode::read_only) {
  SQLite::Statement attach(m_connection, "ATTACH ? AS original");
  attach.bind(1, original.string());
  attach.exec();
}

void ChangedCells::set(const std::string& column, const json& row, const json& value) {
  if (m_writer.set(column, row, value)) m_changed.push_back(column);
}

void ChangedCells::restore() {
  try {
    for (; !m_changed.empty(); m_changed.pop_back()) {
      const Place place = place_of(m_changed.back());
      std::string same = "o." + place.key + " = " + place.table + "." + place.key;
      if (place.table == "metric") same += " AND o.name = metric.name";
      m_connection.exec("UPDATE main." + place.table + " SET " + place.column + " = (SELECT o." +
                        place.column + " FROM original." + place.table + " AS o WHERE " + same +
                        ")");
    }
  } catch (const SQLite::Exception& error) {
    throw Fault(std::string("a reading left the database locked: ") + error.what());
  }
}

}  // namespace gtune::fuzz
