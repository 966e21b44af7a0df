#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// Median times of configurations on tuned problems, from the last measurement of each. GPUs of one
/// model answer for each other.
class MeasuredTimes {
 public:
  explicit MeasuredTimes(const std::vector<ConfigSpeed>& speeds);

  /// Milliseconds of a configuration on a winner's problem and device, or else on another GPU of
  /// its model, in the winner's timing mode; absent if not measured.
  [[nodiscard]] std::optional<double> find(const Winner& where, const Config& config) const;

 private:
  std::map<std::string, double> m_of_gpu;
  std::map<std::string, double> m_of_model;
};

}  // namespace gtune
