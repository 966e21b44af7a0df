#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "cli/chosen_databases.hpp"
#include "store/combined_database.hpp"

namespace gtune {

/// The bundled results, if there are any of that timing mode: all are cold, on one stream.
[[nodiscard]] std::optional<std::filesystem::path> bundled_database_of(
    const std::optional<TimingMode>& mode);

/// The options that ask for a mode; empty if any will do.
[[nodiscard]] std::string options_of(const std::optional<TimingMode>& mode);

/// What a command reads results from.
struct Results {
  Database database;
  std::optional<std::filesystem::path> in_place_of;  // the user's; present: these are bundled
  MeasurementOrigins origins;                        // which measurements are from --also files

  [[nodiscard]] bool bundled() const { return in_place_of.has_value(); }
};

/// Which results a command wants.
struct ResultsWanted {
  std::string tuned_by;  // the command that tunes the kernel, for errors
  DatabaseOptions databases;
  std::optional<TimingMode> mode;  // absent: any
};

/// "Own" results are the user's database combined with those of --also. Returns them if
/// `has_answer` is true for them; else the bundled results if it is true for those. If it is true
/// for neither: own results if there are any, else the bundled results if they have any of the
/// kernel; otherwise throws UserError (nothing_stored). The last call of `has_answer` is for the
/// returned database.
[[nodiscard]] Results open_results(const ResultsWanted& wanted, const KernelIdentity& identity,
                                   const std::function<bool(const Database&)>& has_answer);

/// Results of all kernels: own results, or the bundled ones if there are none. Throws UserError
/// (nothing_stored) if there are neither.
[[nodiscard]] Results open_any_results(const DatabaseOptions& databases);

/// The user's database together with those of --also, without the bundled results. Throws UserError
/// (nothing_stored) if there are none. `kernel`: the only one whose results are read; empty: all.
[[nodiscard]] Results open_stored_results(const DatabaseOptions& databases,
                                          const std::string& kernel);

/// Sets the source of each answer.
void name_sources(const Results& results, std::vector<Answer>& answers);

/// Notes that results are bundled or also from the databases of --also, for output that does not
/// name the source of each answer.
void note_sources(const Results& results, const std::string& kernel);

}  // namespace gtune
