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
  std::optional<std::filesystem::path> in_place_of;  // the user's; present: these were bundled

  [[nodiscard]] bool bundled() const { return in_place_of.has_value(); }
};

/// Whose results a command wants.
struct ResultsWanted {
  std::string database;  // --db; empty: the default one
  bool no_flush = false;
};

/// The user's database, else, where it is missing, empty or `has_answer` is false of it, the one
/// of the bundled results, for which the same is asked. What is returned was asked last. Where
/// neither has an answer: the user's, or in place of a missing one a bundled one that has other
/// results of the kernel; without that throws UserError (nothing_stored) as the user's does. A warm
/// L2 cache is the user's alone.
[[nodiscard]] Results open_results(const ResultsWanted& wanted, const KernelIdentity& identity,
                                   const std::function<bool(const Database&)>& has_answer);

/// A note for answers that do not say themselves where they are from.
void note_bundled(const Results& results, const std::string& kernel);

}  // namespace gtune
