#pragma once

#include <string>
#include <vector>

// JUnit's XML, which CI systems read as the results of tests.
namespace gtune {

struct JunitCase {
  enum class Outcome { passed, failed, skipped };

  std::string suite;  // the case's class name
  std::string name;
  Outcome outcome = Outcome::passed;
  double seconds = 0;
  std::string kind;     // of a failure
  std::string message;  // of a failure, or why it was skipped
  std::string output;   // of any case
};

/// A whole file, in UTF-8. Characters that XML 1.0 does not allow become '?'.
[[nodiscard]] std::string junit_text(const std::string& name, const std::vector<JunitCase>& cases);

}  // namespace gtune
