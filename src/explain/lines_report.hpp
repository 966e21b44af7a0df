#pragma once

#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "explain/source_texts.hpp"
#include "explain/stall_findings.hpp"
#include "model/line_profile.hpp"
#include "report/document.hpp"

namespace gtune {

struct KernelSpec;

/// Where in its source a measured kernel waits.
struct ExplainedLines {
  Answer answer;     // the best on this device and problem, even if another one is explained
  std::string name;  // "best", "naive"
  Measurement measured;
  LineProfile profile;
  std::vector<StallFinding> stalls;  // of the profile
};

/// What its warps wait for; the lines with the most samples: their share, stall reasons,
/// instructions and code; then the source around them.
[[nodiscard]] Document lines_report(const KernelSpec& spec, const std::vector<ExplainedLines>& all,
                                    const SourceTexts& texts);

/// The same of one profile, the source first, without naming the kernel.
[[nodiscard]] Document profile_report(const LineProfile& profile,
                                      const std::vector<StallFinding>& stalls,
                                      const SourceTexts& texts);

}  // namespace gtune
