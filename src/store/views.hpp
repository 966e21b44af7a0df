#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

namespace gtune {

/// Database::refresh_views for every kernel that is stored, within the caller's transaction: after
/// rows came from elsewhere.
void refresh_all_views(SQLite::Database& database);

}  // namespace gtune
