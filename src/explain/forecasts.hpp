#pragma once

#include <string>
#include <vector>

#include "explain/rule_record.hpp"
#include "explain/subject.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"
#include "store/records.hpp"

// What findings and their steps promised, beside what was measured.
namespace gtune {

/// Two measured configurations that differ in one parameter. The first has a finding; the second
/// has at most half of its cause, and the same other causes. If the finding is that a unit bounds
/// the kernel, the second needs at most 0.8 times the unit's time, and other causes may differ.
struct CheckedBound {
  std::string rule;
  Config with;
  Config without;
  double bound = 0;  // of the finding: the largest share of the time that removing it saves
  double saved = 0;  // share of the time; negative: the second is slower

  /// The saving does not exceed the bound, within the noise of two times.
  [[nodiscard]] bool holds() const;
};

/// A step that a finding suggests, between two measured configurations.
struct CheckedStep {
  std::string rule;
  Config from;
  Config to;
  double saved = 0;  // share of the time; negative: slower
};

struct CheckedForecasts {
  std::vector<CheckedBound> bounds;
  std::vector<CheckedStep> steps;
};

/// The measurements of one device and problem.
struct MeasuredProblem {
  const KernelSpec& spec;
  Problem problem;
  DeviceFacts device;
  std::vector<Subject> counted;     // configurations with metrics
  std::vector<ConfigSpeed> speeds;  // of all configurations
};

/// Checks the findings of each configuration that has metrics.
[[nodiscard]] CheckedForecasts check_forecasts(const MeasuredProblem& measured);

/// The record of each rule that was checked, by name.
[[nodiscard]] std::vector<RuleRecord> records_of(const CheckedForecasts& checked);

}  // namespace gtune
