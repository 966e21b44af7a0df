#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database.hpp"

namespace gtune {

/// How near an answer is to the question, the nearest first.
enum class Tier { exact, nearest_size, same_architecture, nearest_architecture };

/// "this device and size", "this device, nearest size", ...
[[nodiscard]] std::string_view to_string(Tier tier);

/// What is asked for. Without a device and an architecture: on any device.
struct Question {
  Problem problem;
  std::optional<std::string> device_name;  // in any case
  std::optional<int> compute_capability;   // 90 is 9.0; where the device is not known
  /// Whether a configuration found for another size may be used for this one. The nearest that
  /// may comes before nearer ones that may not.
  std::function<bool(const Config&, const DeviceFacts&)> is_valid;
};

struct Answer {
  Tier tier = Tier::exact;
  BestRow row;
};

/// The best that is known of a kernel, as near to the question as there is: a row for each device
/// where none was named, else one. Empty where nothing is stored for the device, and no
/// architecture was given to fall back to.
[[nodiscard]] std::vector<Answer> find_answers(const Database& database,
                                               const KernelIdentity& kernel,
                                               const Question& question);

}  // namespace gtune
