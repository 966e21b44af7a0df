#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/reference_times.hpp"
#include "gate/change_test.hpp"
#include "model/device_facts.hpp"
#include "model/error.hpp"

namespace gtune {

/// The verdict on one problem.
struct CheckedProblem {
  ReferenceTime reference;
  std::string sizes;  // "M=4096, with a warm L2 cache"
  GateVerdict verdict = GateVerdict::unsure;
  /// These four are known if there were enough rounds for a comparison.
  std::optional<TimeChange> change;
  std::optional<double> before_ms;
  std::optional<double> now_ms;
  int rounds = 0;
  std::string reason;              // of FAILED and UNSURE
  std::vector<std::string> notes;  // what else has changed since the file was saved
  double seconds = 0;              // in a replay, what the measurements took

  /// "sgemm M=4096"
  [[nodiscard]] std::string name() const {
    return reference.kernel + (sizes.empty() ? "" : ' ' + sizes);
  }
};

/// A whole check.
struct GateResult {
  std::string file;
  std::string device;
  bool replayed = false;
  std::string against;  // the earlier source; empty: the times of the file
  GateTerms terms;
  std::vector<CheckedProblem> problems;

  [[nodiscard]] int count(GateVerdict verdict) const;
  /// "12 problems: 10 SAME, 1 FASTER, 1 SLOWER"
  [[nodiscard]] std::string summary() const;
  /// `failed` if a problem is SLOWER or FAILED.
  [[nodiscard]] ExitCode exit_code() const;
};

}  // namespace gtune
