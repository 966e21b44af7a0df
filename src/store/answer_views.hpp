#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "model/timing_mode.hpp"

// The rules by which gtune answers, as views: which configurations were seen wrong, which
// measurements are right, which toolchain and source are current, which winner is best. Every query
// reads them; store/sql/answer_views.sql defines them.
namespace gtune {

/// Creates the views in the connection's temp schema: the file may be read-only, and its own views
/// are not trusted.
void define_answer_views(SQLite::Database& database);

/// From now on, only winners of this timing mode count.
void ask_timing_alone(SQLite::Database& database, const TimingMode& mode);

}  // namespace gtune
