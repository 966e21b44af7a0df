#pragma once

#include <cstddef>
#include <string>

#include "page/problem_record.hpp"

// The parts of a page about one device and problem, as HTML. Headings are of level 4.
namespace gtune {

/// Which problem of the page a part is about.
struct ProblemPlace {
  std::string id;         // prefix of the ids of its elements
  std::size_t index = 0;  // in the data of the page
};

/// The result in a paragraph: time, share of the limit, what limits it, what to try next, and when
/// and with which driver it was measured.
[[nodiscard]] std::string lead_part(const ProblemRecord& record);
/// The best with its spread, what it is compared with, and how to run it again.
[[nodiscard]] std::string answer_part(const KernelSpec& spec, const ProblemRecord& record,
                                      const ProblemPlace& place);
/// How the search went, and every configuration.
[[nodiscard]] std::string search_part(const KernelSpec& spec, const ProblemRecord& record,
                                      const ProblemPlace& place);
/// Effects of parameters, alone and in pairs.
[[nodiscard]] std::string effects_part(const KernelSpec& spec, const ProblemRecord& record,
                                       const ProblemPlace& place);
/// Whether limits_part() shows several kernels side by side.
[[nodiscard]] inline bool has_metrics_beside(const ProblemRecord& record) {
  return record.subjects.size() > 1;
}
/// The roofline, findings and metrics side by side.
[[nodiscard]] std::string limits_part(const KernelSpec& spec, const ProblemRecord& record,
                                      const ProblemPlace& place);
/// Where in their source the best and the baselines wait; empty if no lines were sampled.
[[nodiscard]] std::string lines_part(const ProblemRecord& record, const SourceTexts& texts,
                                     const ProblemPlace& place);
/// The best time of each run; empty if fewer than two runs have found one.
[[nodiscard]] std::string history_part(const KernelSpec& spec, const ProblemRecord& record,
                                       const ProblemPlace& place);

}  // namespace gtune
