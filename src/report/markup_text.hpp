#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Untrusted text as the content of an element or of a quoted attribute, in XML and HTML: cut, on
/// one line, escaped, and without characters that XML lacks.
[[nodiscard]] std::string markup_text(std::string_view text, std::size_t most = std::string::npos);

/// The same, and lines may end after commas: long configurations wrap between parameters. HTML
/// only.
[[nodiscard]] std::string wrapping_text(std::string_view text);

}  // namespace gtune
