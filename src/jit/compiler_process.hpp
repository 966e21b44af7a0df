#pragma once

namespace gtune {

/// Runs `gtune compiler`: reads requests on standard input and writes results to standard output
/// until the input ends. Returns an exit code.
int run_compiler_process();

}  // namespace gtune
