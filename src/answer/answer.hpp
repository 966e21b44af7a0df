#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/size_rules.hpp"
#include "store/database.hpp"

namespace gtune {

/// How near an answer is to the question, the nearest first.
enum class Tier {
  exact,
  expected,
  same_architecture,
  same_architecture_expected,
  nearest_architecture,
  fallback,
};

/// What is asked for. Without a device and an architecture: on any device.
struct Question {
  Problem problem;
  std::optional<std::string> device_name;  // in any case
  /// A device of the architecture to fall back to where nothing is stored for the device.
  std::optional<DeviceFacts> of_architecture;
};

/// What an answer that was not measured at the asked problem is expected to take there.
struct ExpectedTime {
  double ms = 0;
  /// Nine of ten measured times are no farther from what is expected without them, as a share of
  /// that: 0.1 is 10 %. Absent where there is nothing to tell it from.
  std::optional<double> error;
};

struct Answer {
  Tier tier = Tier::exact;
  Problem asked;  // empty: nothing in particular
  Config config;
  /// Where it was measured; if it was never launched so, where its instance was.
  BestRow row;
  std::optional<ExpectedTime> expected;
  bool bundled = false;  // from the bundled results
};

/// For JSON and CSV: how near an answer is, and whether it is a bundled one.
[[nodiscard]] std::string tier_text(const Answer& answer);

/// For people: "bundled results (same device, expected time)", "your results (...)".
[[nodiscard]] std::string source_text(const Answer& answer);

/// The best known configurations of a kernel, from the nearest tier for each question: of a problem
/// that was tuned its best, of another one the launch of an instance that won somewhere that is
/// expected to be the fastest. If no device was asked for: an answer for each device name, or only
/// from those with the exact size if there are any. Otherwise one answer. Empty if nothing stored
/// is valid for the question, or nothing is stored for the device and no architecture was given.
/// `fallbacks_of`: candidates if nothing that won is valid.
[[nodiscard]] std::vector<std::vector<Answer>> find_answers(
    const Database& database, const KernelIdentity& kernel, const SizeRules& rules,
    const std::vector<Question>& questions,
    const std::function<std::vector<Winner>(const std::vector<Winner>&)>& fallbacks_of);

}  // namespace gtune
