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

/// What is asked for: on any device if neither a device nor an architecture is given.
struct Question {
  Problem problem;
  std::optional<std::string> device_name;  // case-insensitive
  /// A device of the architecture to fall back to if nothing is stored for the device.
  std::optional<DeviceFacts> of_architecture;
};

/// The time that an answer is expected to take on the asked problem, if it was not measured there.
struct ExpectedTime {
  double ms = 0;
  /// 90th percentile of the errors of the model on measured times, each left out of its fit, as a
  /// share of the expected time: 0.1 is 10 %. Absent if there is nothing to compute it from.
  std::optional<double> error;
};

struct Answer {
  Tier tier = Tier::exact;
  Problem asked;  // empty: nothing in particular
  Config config;
  /// Its measurement; if this launch was never measured, one of its instance.
  BestRow row;
  std::optional<ExpectedTime> expected;
  bool bundled = false;   // from the bundled results
  std::string from = {};  // the --also file that holds its measurement; empty: the user's own
};

/// For JSON and CSV: how near an answer is, after the source if it is not the user's own database.
[[nodiscard]] std::string tier_text(const Answer& answer);

/// For people: "bundled results (same device, expected time)", "your results (...)",
/// "team.db (...)".
[[nodiscard]] std::string source_text(const Answer& answer);

/// Whether the answer is the user's own measurement of exactly what was asked.
[[nodiscard]] inline bool is_own_and_exact(const Answer& answer) {
  return answer.tier == Tier::exact && !answer.bundled && answer.from.empty();
}

/// The best known configurations of a kernel, from the nearest tier for each question. For a tuned
/// problem, that is its best; for another, the launch expected to be the fastest, of all launches
/// of instances that won somewhere. If no device was asked for: an answer for each device name, or
/// only for those with the exact size if there are any. Otherwise one answer. Empty if nothing
/// stored is valid for the question, or nothing is stored for the device and no architecture was
/// given. `fallbacks_of`: candidates if nothing that won is valid.
[[nodiscard]] std::vector<std::vector<Answer>> find_answers(
    const Database& database, const KernelIdentity& kernel, const SizeRules& rules,
    const std::vector<Question>& questions,
    const std::function<std::vector<Winner>(const std::vector<Winner>&)>& fallbacks_of);

}  // namespace gtune
