#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gtune::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal if a signal killed it
  std::string out;
  std::string err;
};

/// Runs `argv` to its end with `environment` ("NAME=value") added to this process's. Fails the test
/// after `limit_s` seconds.
ProgramResult run_program(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment = {}, int limit_s = 120);

/// Starts `argv` and sends it `signal` after `after_ms`. Returns true if it was still running then.
bool run_and_kill(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                  int after_ms, int signal);

/// Sends `signal` as soon as `now` returns true, `times` times within milliseconds. Fails the test
/// if the program ends earlier.
ProgramResult run_and_kill_when(const std::vector<std::string>& argv,
                                const std::vector<std::string>& environment,
                                const std::function<bool()>& now, int signal, int times = 1);

}  // namespace gtune::test
