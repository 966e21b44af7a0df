#pragma once

#include <exception>
#include <string>

#include "model/error.hpp"

namespace gtune {

/// The one line that is shown of an exception, and the program's exit code.
struct Complaint {
  std::string line;
  ExitCode code;
};

/// Of every kind of exception. A line that begins with "unexpected:" is a bug of gtune.
[[nodiscard]] Complaint complaint_about(const std::exception_ptr& error);

}  // namespace gtune
