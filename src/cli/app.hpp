#pragma once

namespace gtune {

/// The whole program: parses the command line, runs the subcommand, turns errors into one line
/// on standard error and an exit code.
int run_app(int argc, char** argv);

}  // namespace gtune
