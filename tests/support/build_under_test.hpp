#pragma once

#include <string>

namespace gtune::test {

/// The path of gtune, of the build that the tests are linked with.
[[nodiscard]] const std::string& gtune_binary();

/// Whether that build has sanitizers.
[[nodiscard]] bool is_sanitized();

}  // namespace gtune::test
