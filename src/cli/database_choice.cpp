#include "cli/database_choice.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cli/data_folders.hpp"
#include "model/error.hpp"
#include "store/default_path.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

/// Absent if the user has no database yet. One that cannot be read is an error, which bundled
/// results would hide.
std::optional<Database> open_own(const std::filesystem::path& path) {
  try {
    return Database(path, OpenMode::read_only);
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored) throw;
    return std::nullopt;
  }
}

}  // namespace

Results open_results(const ResultsWanted& wanted, const KernelIdentity& identity,
                     const std::function<bool(const Database&)>& has_answer) {
  const std::filesystem::path path =
      wanted.database.empty() ? default_database_path() : std::filesystem::path(wanted.database);
  std::optional<Database> own = open_own(path);
  if (own && wanted.no_flush) own->answer_of_warm_l2();
  const bool answered = own && has_answer(*own);
  const auto file = answered || wanted.no_flush ? std::nullopt : bundled_database();
  if (file) {
    Database bundled(*file, OpenMode::immutable);
    if (has_answer(bundled) || (!own && !bundled.tuned_problems(identity).empty())) {
      return {std::move(bundled), path};
    }
  }
  if (!own) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no database at {} with results of {}: run {}{}, or give --db FILE",
                                shell_word(path.string()), identity.name, wanted.tuned_by,
                                wanted.no_flush ? " --no-flush" : ""));
  }
  if (file) has_answer(*own);  // again: its last answers are those of the bundled one
  return {std::move(*own), std::nullopt};
}

Results open_any_results(const std::string& database) {
  const std::filesystem::path path =
      database.empty() ? default_database_path() : std::filesystem::path(database);
  if (std::optional<Database> own = open_own(path)) return {std::move(*own), std::nullopt};
  if (const auto file = bundled_database()) return {Database(*file, OpenMode::immutable), path};
  throw UserError(ExitCode::nothing_stored,
                  fmt::format("no database at {}: tune a kernel first, or give --db FILE",
                              shell_word(path.string())));
}

void note_bundled(const Results& results, const std::string& kernel) {
  if (!results.bundled()) return;
  spdlog::info("note: {} has no results of {} that answer this; these are bundled results, from {}",
               results.in_place_of->string(), kernel, results.database.path().string());
}

}  // namespace gtune
