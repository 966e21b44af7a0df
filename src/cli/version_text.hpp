#pragma once

#include <string>

namespace gtune {

/// What gtune --version prints: a line for the program, then one for each library that it uses or
/// opens, "not found" if there is none.
[[nodiscard]] std::string version_text();

}  // namespace gtune
