#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

namespace gtune {

/// Does Database::refresh_views for every stored kernel, within the caller's transaction. For use
/// after rows came from elsewhere.
void refresh_all_views(SQLite::Database& database);

}  // namespace gtune
