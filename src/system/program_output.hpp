#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gtune {

struct ProgramStart {
  std::vector<std::string> command;  // argv; looked up in PATH
  /// Changes to the inherited environment; a variable without a value is removed.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  /// With a limit, the program leads its own process group, which is killed when the limit expires.
  /// Without one, it stays in the caller's group and gets that group's signals.
  std::optional<std::chrono::milliseconds> limit = {};
  bool reads_errors = true;  // false: standard error is discarded
};

struct ProgramOutput {
  std::string text;        // standard output, and standard error if read, as they came
  std::string end;         // "exit code 3", "signal 9 (SIGKILL)", "it took more than 20 s"
  bool succeeded = false;  // exit code 0, in time
};

/// Runs a program to its end, without input. Throws UserError if it cannot be started.
[[nodiscard]] ProgramOutput run_to_end(const ProgramStart& start);

}  // namespace gtune
