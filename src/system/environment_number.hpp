#pragma once

#include <cstdint>
#include <optional>

namespace gtune {

/// The whole number that the environment variable `name` holds; nothing where it is not set, or
/// empty. Throws UserError(usage) for anything else than a number from `least` to `most`.
[[nodiscard]] std::optional<std::int64_t> environment_number(const char* name, std::int64_t least,
                                                             std::int64_t most);

}  // namespace gtune
