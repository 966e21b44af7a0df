#pragma once

#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// What a kernel's text does with the elements of a pointer among its arguments.
enum class ArgumentUse { unknown, only_read, only_written };

/// `body`: the tokens between the kernel's braces. Unknown is also what the text alone does not
/// show: a pointer that is handed on, moved or copied.
[[nodiscard]] ArgumentUse argument_use(const Tokens& body, const std::string& name);

}  // namespace gtune
