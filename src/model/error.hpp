#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>

namespace gtune {

/// Process exit codes; the README documents them.
enum class ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  no_device = 3,
  nothing_valid = 4,
  nothing_stored = 5,
  interrupted = 130,
};

/// The exit code for a failure that another process reports as a number; `failed` for every number
/// that does not stand for a failure.
[[nodiscard]] constexpr ExitCode failure_code(int reported) {
  for (const ExitCode code :
       {ExitCode::usage, ExitCode::no_device, ExitCode::nothing_valid, ExitCode::nothing_stored}) {
    if (reported == static_cast<int>(code)) return code;
  }
  return ExitCode::failed;
}

/// An error that a user can act on. Its text is one line for the user: what is wrong, where, and
/// what to do about it.
class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& line) : std::runtime_error(line), m_code(code) {}
  [[nodiscard]] ExitCode code() const { return m_code; }

 private:
  ExitCode m_code;
};

}  // namespace gtune
