#pragma once

#include <string>

namespace gtune {

/// "3.40.1": of the SQLite that is linked.
[[nodiscard]] std::string sqlite_version();

}  // namespace gtune
