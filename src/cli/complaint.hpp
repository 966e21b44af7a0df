#pragma once

#include <exception>
#include <string>

#include "model/error.hpp"

namespace gtune {

/// The line that is shown for an exception, and the program's exit code.
struct Complaint {
  std::string line;
  ExitCode code;
};

/// Takes every kind of exception. A line that begins with "unexpected:" means a bug in gtune.
[[nodiscard]] Complaint complaint_about(const std::exception_ptr& error);

}  // namespace gtune
