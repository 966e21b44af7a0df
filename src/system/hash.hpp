#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// The first 128 bits of the bytes' SHA-256, as 32 hex digits. Stable across versions and hosts.
[[nodiscard]] std::string hex_digest(std::string_view bytes);

/// The bytes' SHA-256 in base64, as a Content-Security-Policy takes it.
[[nodiscard]] std::string base64_digest(std::string_view bytes);

}  // namespace gtune
