#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/records.hpp"

namespace gtune {

/// Median times of configurations on tuned problems, from the last measurement of each. GPUs of one
/// model answer for each other.
class MeasuredTimes {
  using ByValues = std::map<std::vector<std::int64_t>, double>;  // of the configuration

 public:
  explicit MeasuredTimes(const std::vector<ConfigSpeed>& speeds);

  /// The times on one problem and device, in one timing mode.
  class Place {
   public:
    /// Milliseconds on the device, or else on another GPU of its model; absent if not measured.
    [[nodiscard]] std::optional<double> find(const Config& config) const;

   private:
    friend class MeasuredTimes;
    const ByValues* m_of_gpu = nullptr;
    const ByValues* m_of_model = nullptr;
  };
  /// Of a winner's problem, device and timing mode. Valid as long as this object.
  [[nodiscard]] Place at(const Winner& winner) const;

 private:
  std::map<std::string, ByValues> m_of_gpu;
  std::map<std::string, ByValues> m_of_model;
};

}  // namespace gtune
