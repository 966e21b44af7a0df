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
  nearest_size,
  same_architecture,
  same_architecture_nearest_size,
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

/// What tuned problems near the asked one lose with each other's best.
struct ExpectedLoss {
  double median = 0;         // 0.03: 3 % slower than their own
  std::size_t problems = 0;  // on which another one's best was measured
};

struct Answer {
  Tier tier = Tier::exact;
  Problem asked;  // empty: nothing in particular
  BestRow row;
  std::optional<ExpectedLoss> expected_loss;  // of the nearest size on the same device
  bool bundled = false;                       // from the bundled results
  std::optional<Config> best_there = {};      // of that problem, where another one is for the asked
};

/// For JSON and CSV: how near an answer is, and whether it is a bundled one.
[[nodiscard]] std::string tier_text(const Answer& answer);

/// For people: "bundled results (same device, nearest size)", "your results (...)".
[[nodiscard]] std::string source_text(const Answer& answer);

/// Of the winners that may answer, that of the nearest problem; of several, one of a GPU before one
/// of a recording, then the fastest. Null where there is none.
[[nodiscard]] const Winner* nearest_winner(const std::vector<Winner>& winners,
                                           const Problem& wanted,
                                           const std::function<bool(const Winner&)>& may_answer);

/// The best known configurations of a kernel, from the nearest tier for each question. If no device
/// was asked for: an answer for each device name, or only from those with the exact size if there
/// are any. Otherwise one answer. Empty if nothing stored is valid for the question, or nothing is
/// stored for the device and no architecture was given. `fallbacks_of`: candidates if no winner is
/// valid.
[[nodiscard]] std::vector<std::vector<Answer>> find_answers(
    const Database& database, const KernelIdentity& kernel, const SizeRules& rules,
    const std::vector<Question>& questions,
    const std::function<std::vector<Winner>(const std::vector<Winner>&)>& fallbacks_of);

}  // namespace gtune
