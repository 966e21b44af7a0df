#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain/subject.hpp"

namespace gtune {

/// A static fact or a metric of a measurement, with that of another one if there is one.
struct ComparedValue {
  std::string name;
  std::string unit;      // empty: a number of things
  bool counted = false;  // a metric, else a static fact
  std::optional<double> value;
  std::optional<double> versus;

  /// Of the two values; absent where one is missing or the other one is 0.
  [[nodiscard]] std::optional<double> ratio() const;
};

/// The facts and metrics of which at least one has a value: static facts, then metrics, in the
/// order of place_of. `versus` may be null.
[[nodiscard]] std::vector<ComparedValue> compare(const Subject& subject, const Subject* versus);

}  // namespace gtune
