#pragma once

#include <string>

#include "gate/checked_problem.hpp"
#include "report/document.hpp"

namespace gtune {

/// What `gtune baseline check` prints.
[[nodiscard]] Document gate_report(const GateResult& result);

/// An entry that was measured for a file.
struct SavedProblem {
  ReferenceTime entry;
  std::string sizes;   // see sizes_text
  std::string config;  // without parameters that do not exist
};

/// What `gtune baseline save` prints.
[[nodiscard]] Document saved_report(const std::string& file, const std::string& device,
                                    const std::vector<SavedProblem>& saved);

/// The check as Markdown for a pull request.
[[nodiscard]] std::string gate_markdown(const GateResult& result);

/// The check as a JUnit file: SLOWER and FAILED are failures, UNSURE is skipped.
[[nodiscard]] std::string gate_junit(const GateResult& result);

}  // namespace gtune
