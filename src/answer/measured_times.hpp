#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// Times of configurations at the problems that were tuned; of each the last measurement.
class MeasuredTimes {
 public:
  explicit MeasuredTimes(const std::vector<ConfigSpeed>& speeds);

  /// Milliseconds of a configuration at a winner's problem, on its device, with the L2 cache as it
  /// was for the winner; absent where it was not measured.
  [[nodiscard]] std::optional<double> find(const Winner& where, const Config& config) const;

 private:
  std::map<std::string, double> m_times;
};

}  // namespace gtune
