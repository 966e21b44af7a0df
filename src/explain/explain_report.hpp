#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "explain/finding.hpp"
#include "explain/subject.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// An explanation of a measurement's speed.
struct Explanation {
  Answer answer;  // the best on this device and problem, even if the subject is another one
  Subject subject;
  std::optional<Subject> versus;
  std::vector<Finding> findings;  // of the subject
  std::string tuned_by;           // the command that measures this problem
};

/// Values under headings, with the evidence of findings marked, then the findings.
[[nodiscard]] Document explain_report(const KernelSpec& spec,
                                      const std::vector<Explanation>& explanations);

/// The findings alone, for a report that shows values in another way.
[[nodiscard]] Document findings_report(const KernelSpec& spec, const Explanation& explanation);

}  // namespace gtune
