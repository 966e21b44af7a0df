#pragma once

#include <string>

namespace gtune {

/// The C++ declaration behind a mangled name; the name itself if it is not mangled.
[[nodiscard]] std::string demangled(const std::string& name);

}  // namespace gtune
