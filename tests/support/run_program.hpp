#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gtune::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal where it was killed by one
  std::string out;
  std::string err;
};

/// Runs `argv` to its end with `environment` ("NAME=value") added to this process's. Fails the
/// test after `limit_s` seconds.
ProgramResult run_program(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment = {}, int limit_s = 120);

/// Starts `argv` and kills it with SIGKILL, children and all, after `after_ms`. True if it was
/// still running then.
bool run_and_kill(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                  int after_ms, int signal);

/// The same at the moment when `now` says so. Fails the test where that does not come.
void run_and_kill_when(const std::vector<std::string>& argv,
                       const std::vector<std::string>& environment,
                       const std::function<bool()>& now, int signal);

}  // namespace gtune::test
