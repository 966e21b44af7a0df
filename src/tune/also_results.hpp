#pragma once

#include <filesystem>
#include <vector>

#include "store/combined_database.hpp"
#include "tune/worker_pool.hpp"

namespace gtune {

struct Environment;

/// What the databases of --also hold of a kernel that a run may reuse. They are read once, when the
/// session starts; nothing is written to them.
class AlsoResults {
 public:
  /// Throws UserError.
  AlsoResults(const std::vector<std::filesystem::path>& files, const std::string& kernel);

  [[nodiscard]] const Database& database() const { return m_all.database; }
  /// The file that holds the measurement.
  [[nodiscard]] std::filesystem::path file_of(MeasurementId measurement) const;

  /// The keys of the same measurements in this database: row ids differ between databases.
  [[nodiscard]] std::vector<MeasurementKey> keys(const Environment& environment,
                                                 const std::vector<MeasurementKey>& own,
                                                 const Problem& problem);

 private:
  CombinedDatabase m_all;
};

}  // namespace gtune
