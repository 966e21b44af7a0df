#include "store/sqlite_version.hpp"

#include <SQLiteCpp/Database.h>

namespace gtune {

std::string sqlite_version() { return SQLite::getLibVersion(); }

}  // namespace gtune
