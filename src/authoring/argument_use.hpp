#pragma once

#include <string>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// How a kernel's text accesses the elements of a pointer argument.
enum class ArgumentUse { unknown, only_read, only_written };

/// `body`: the tokens of the kernel's body, see plain_arithmetic(). Copies of the pointer and casts
/// count. The result is unknown as well if the pointer is passed to an unknown function.
[[nodiscard]] ArgumentUse argument_use(const Tokens& body, const std::string& name);

}  // namespace gtune
