#pragma once

namespace gtune {

/// `gtune compiler`: compiles what comes on standard input, answers on standard output, until
/// the input ends. Returns an exit code.
int run_compiler_process();

}  // namespace gtune
