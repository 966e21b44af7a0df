#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// A static fact or a metric of a measurement, and the same of another one if there is one.
struct ComparedValue {
  std::string name;
  std::string unit;      // empty: a count
  bool counted = false;  // true for a metric, false for a static fact
  std::optional<double> value;
  std::optional<double> versus;

  /// The quotient of the two values; absent if one is missing or `versus` is 0.
  [[nodiscard]] std::optional<double> ratio() const;
};

/// The facts and metrics that have a value in at least one measurement: static facts, then metrics,
/// in the order of place_of. `versus` may be null.
[[nodiscard]] std::vector<ComparedValue> compare(const Subject& subject, const Subject* versus);

}  // namespace gtune
