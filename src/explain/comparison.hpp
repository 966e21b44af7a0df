#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// A static fact or a metric of a measurement, beside that of another one where there is one.
struct ComparedValue {
  std::string name;
  std::string unit;      // empty: a number of things
  bool counted = false;  // a metric, else a static fact
  std::optional<double> value;
  std::optional<double> versus;

  /// Of the two values; absent where one is missing or the other one is 0.
  [[nodiscard]] std::optional<double> ratio() const;
};

/// What at least one of them has a value of: the static facts, then the metrics, in the order of
/// place_of. `versus` may be null.
[[nodiscard]] std::vector<ComparedValue> compare(const Subject& subject, const Subject* versus);

}  // namespace gtune
