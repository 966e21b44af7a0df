#include "cli/database_choice.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "model/error.hpp"
#include "system/data_folders.hpp"
#include "system/shell_word.hpp"

namespace gtune {

namespace fs = std::filesystem;

namespace {

/// Absent if neither the user's own database nor one of --also is there. One that cannot be read,
/// or that --db names and is not there, is an error, which bundled results would hide.
std::optional<Results> open_own(const DatabaseOptions& databases, const std::string& kernel) {
  if (!databases.own.empty() && !fs::exists(databases.own)) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no database at {}: give the --db FILE that a kernel was tuned "
                                "with, or leave --db out",
                                shell_word(databases.own)));
  }
  const std::vector<fs::path> also = databases.also_files();
  if (also.empty()) {
    std::optional<Database> own = open_if_stored(databases.own_file());
    if (!own) return std::nullopt;
    return Results{std::move(*own), std::nullopt, {}};
  }
  CombinedDatabase all = combine({databases.own_file(), also, kernel});
  return Results{std::move(all.database), std::nullopt, std::move(all.origins)};
}

Results bundled_results(const fs::path& file, const DatabaseOptions& databases) {
  return {Database(file, OpenMode::immutable), databases.own_file(), {}};
}

}  // namespace

std::optional<fs::path> bundled_database_of(const std::optional<TimingMode>& mode) {
  if (mode && *mode != TimingMode{}) return std::nullopt;
  return bundled_database();
}

std::string options_of(const std::optional<TimingMode>& mode) {
  return mode ? mode->options() : "";
}

Results open_results(const ResultsWanted& wanted, const KernelIdentity& identity,
                     const std::function<bool(const Database&)>& has_answer) {
  std::optional<Results> own = open_own(wanted.databases, identity.name);
  if (own && wanted.mode) own->database.answer_of(*wanted.mode);
  const bool answered = own && has_answer(own->database);
  const auto file = answered ? std::nullopt : bundled_database_of(wanted.mode);
  if (file) {
    Results bundled = bundled_results(*file, wanted.databases);
    if (has_answer(bundled.database) ||
        (!own && !bundled.database.tuned_problems(identity).empty())) {
      return bundled;
    }
  }
  if (!own) {
    throw UserError(ExitCode::nothing_stored,
                    fmt::format("no database at {} with results of {}: run {}{}, or give --db FILE",
                                shell_word(wanted.databases.own_file().string()), identity.name,
                                wanted.tuned_by, options_of(wanted.mode)));
  }
  if (file) has_answer(own->database);  // again: its last answers are those of the bundled one
  return std::move(*own);
}

Results open_any_results(const DatabaseOptions& databases) {
  if (std::optional<Results> own = open_own(databases, "")) return std::move(*own);
  if (const auto file = bundled_database()) return bundled_results(*file, databases);
  throw UserError(ExitCode::nothing_stored,
                  fmt::format("no database at {}: tune a kernel first, or give --db FILE",
                              shell_word(databases.own_file().string())));
}

Results open_stored_results(const DatabaseOptions& databases, const std::string& kernel) {
  if (std::optional<Results> own = open_own(databases, kernel)) return std::move(*own);
  return {Database(databases.own_file(), OpenMode::read_only), std::nullopt, {}};  // throws
}

void name_sources(const Results& results, std::vector<Answer>& answers) {
  for (Answer& answer : answers) {
    if (results.bundled()) answer.bundled = true;
    if (answer.bundled) continue;
    if (const auto file = results.origins.also_file(answer.row.best.id))
      answer.from = file->string();
  }
}

void note_sources(const Results& results, const std::string& kernel) {
  if (results.bundled()) {
    spdlog::info(
        "note: {} has no results of {} that answer this; these are bundled results, from {}",
        results.in_place_of->string(), kernel, results.database.path().string());
  }
  for (const fs::path& file : results.origins.also_files()) {
    spdlog::info("note: includes results from {}", shell_word(file.string()));
  }
}

}  // namespace gtune
