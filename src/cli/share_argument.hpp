#pragma once

#include <string>

namespace gtune {

/// "3%" or "0.03", from 0 on. Throws UserError(usage) that names the option.
[[nodiscard]] double parse_share(const std::string& option, const std::string& text);

}  // namespace gtune
