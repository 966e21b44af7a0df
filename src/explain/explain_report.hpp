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

/// Why a measurement is as fast as it is.
struct Explanation {
  Answer answer;  // the best on this device and problem, whatever the subject is
  Subject subject;
  std::optional<Subject> versus;
  std::vector<Finding> findings;  // of the subject
  std::string tuned_by;           // the command that measures this problem
};

/// Values under headings, those that a finding rests on marked; then the findings.
[[nodiscard]] Document explain_report(const KernelSpec& spec,
                                      const std::vector<Explanation>& explanations);

}  // namespace gtune
