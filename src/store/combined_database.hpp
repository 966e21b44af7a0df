#pragma once

#include <filesystem>
#include <optional>
#include <string>
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

  /// The measurements up to this id are in the user's own database.
  void end_own(MeasurementId last) { m_last_own = last; }
  /// Those after the last file's and up to this id are in `file`.
  void end_file(const std::filesystem::path& file, MeasurementId last) {
    m_files.emplace_back(last, file);
  }

 private:
  std::vector<std::pair<MeasurementId, std::filesystem::path>> m_files;  // by their last ids
  MeasurementId m_last_own{};
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

/// Merges the files, of which there is at least one: the user's own rows first, so that they win
/// ties. If an --also file changes meanwhile, all are read again. Throws UserError, with `failed`
/// for any fault of an --also file.
[[nodiscard]] CombinedDatabase combine(const FilesToCombine& files);

}  // namespace gtune
