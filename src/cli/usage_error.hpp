#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model/error.hpp"

namespace gtune {

/// A helpful line about what the parser refused. `app`: the parser, after it threw `error`.
[[nodiscard]] UserError usage_error(const CLI::App& app, const CLI::ParseError& error);

/// The error about an option before a command's kernel that is not one of the command's own.
[[nodiscard]] UserError option_before_kernel(const CLI::App& command, const std::string& option);

/// Throws UserError for an option whose value is empty: most likely a script's variable was not
/// set.
void require_no_empty_values(const CLI::App& app);

}  // namespace gtune
