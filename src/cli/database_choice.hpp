#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "store/database.hpp"

namespace gtune {

/// What a command reads results from.
struct Results {
  Database database;
  std::optional<std::filesystem::path> in_place_of;  // the user's; present: these are bundled

  [[nodiscard]] bool bundled() const { return in_place_of.has_value(); }
};

/// Which results a command wants.
struct ResultsWanted {
  std::string tuned_by;  // the command that tunes the kernel, for errors
  std::string database;  // --db; empty: the default one
  bool no_flush = false;
};

/// The user's database, or the bundled results if it is missing or empty, or if `has_answer` is
/// false for it and true for them. If neither has an answer: the user's, or if that is missing, the
/// bundled one if it has other results of the kernel; otherwise throws UserError (nothing_stored)
/// for the user's. The last call of `has_answer` is for the returned database. Results with a warm
/// L2 cache come only from the user's.
[[nodiscard]] Results open_results(const ResultsWanted& wanted, const KernelIdentity& identity,
                                   const std::function<bool(const Database&)>& has_answer);

/// The user's database, or the bundled results if it is missing or empty and they are there.
/// `database`: --db; empty: the default one. Throws UserError (nothing_stored) if there is neither.
[[nodiscard]] Results open_any_results(const std::string& database);

/// Notes that results are bundled, for answers that do not name their source themselves.
void note_bundled(const Results& results, const std::string& kernel);

}  // namespace gtune
