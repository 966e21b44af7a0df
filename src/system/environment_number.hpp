#pragma once

#include <cstdint>
#include <optional>

namespace gtune {

/// The whole number in the environment variable `name`; absent if the variable is unset or empty.
/// Throws UserError(usage) for anything but a number from `least` to `most`.
[[nodiscard]] std::optional<std::int64_t> environment_number(const char* name, std::int64_t least,
                                                             std::int64_t most);

}  // namespace gtune
