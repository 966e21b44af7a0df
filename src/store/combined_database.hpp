#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// The files from which the measurements of a combined database come.
class MeasurementOrigins {
 public:
  /// The --also file that a measurement comes from; absent if it is in the user's own database.
  [[nodiscard]] std::optional<std::filesystem::path> also_file(MeasurementId measurement) const;
  /// The --also files, in their order.
  [[nodiscard]] std::vector<std::filesystem::path> also_files() const;

  /// From now on, new measurements have higher ids than `last` and come from another file.
  void end_file(std::filesystem::path file, MeasurementId last);
  /// The measurement is in the user's own database too.
  void add_own(MeasurementId measurement) { m_own.insert(measurement); }

 private:
  std::vector<std::pair<MeasurementId, std::filesystem::path>> m_files;  // by their last ids
  std::unordered_set<MeasurementId> m_own;  // of those with ids of an --also file
};

/// A database in memory with the rows of several files.
struct CombinedDatabase {
  Database database;
  MeasurementOrigins origins;
};

/// Databases to be read as one.
struct FilesToCombine {
  std::filesystem::path own;  // "": only the others are read; the file may be missing or empty
  std::vector<std::filesystem::path> also;  // someone else's: no file of theirs is changed or made
  std::string kernel;                       // the only kernel whose rows are wanted; empty: all
};

/// What `gtune db merge` would make of the files, own rows the newest; at least one. If an --also file changes
/// meanwhile, it is read again. Throws UserError, with `failed` for any fault of an --also file.
[[nodiscard]] CombinedDatabase combine(const FilesToCombine& files);

}  // namespace gtune
