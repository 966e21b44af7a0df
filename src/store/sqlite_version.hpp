#pragma once

#include <string>

namespace gtune {

/// The version of the linked SQLite, such as "3.40.1".
[[nodiscard]] std::string sqlite_version();

}  // namespace gtune
