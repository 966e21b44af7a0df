#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/time_model.hpp"
#include "store/database.hpp"

namespace gtune {

/// Finds candidates if no launch of the winners is valid.
using FallbacksOf = std::function<std::vector<Winner>(const std::vector<Winner>&)>;

/// Configurations to choose among, and the model of each group of measurements for them.
struct Candidates {
  std::vector<Config> configs;
  std::vector<TimeModel> models;  // in the order of the groups
};

/// One kernel's winners and measurements, read when first needed. Returned references stay valid.
class KnownWinners {
 public:
  KnownWinners(const Database& database, const KernelIdentity& kernel, const SizeRules& rules,
               FallbacksOf fallbacks_of);

  [[nodiscard]] const std::vector<DeviceFacts>& devices() const { return m_devices; }
  /// The winners of exactly this problem.
  [[nodiscard]] const std::vector<Winner>& winners(const Problem& problem);

  /// Every launch of the instances that won.
  [[nodiscard]] const Candidates& tuned();
  /// Every launch of the fallbacks.
  [[nodiscard]] const Candidates& fallbacks();
  /// 90th percentile of the errors of a group's model: see ExpectedTime.
  [[nodiscard]] std::optional<double> error(std::size_t group);

  /// A measurement of the configuration's instance in a group. Prefers the configuration itself,
  /// then the nearest problem. Absent if nothing of the instance is stored.
  [[nodiscard]] std::optional<BestRow> nearest_row(std::size_t group, const Config& config,
                                                   const Problem& wanted);
  /// Everything stored about a configuration on a winner's device and problem.
  [[nodiscard]] const std::optional<BestRow>& row(const Winner& where, const Config& config);

 private:
  [[nodiscard]] std::optional<BestRow> with_config(BestRow row, const Config& config) const;
  [[nodiscard]] const std::vector<MeasuredGroup>& groups();
  /// One for each problem and GPU model.
  [[nodiscard]] const std::vector<Winner>& model_winners();

  const Database& m_database;
  const KernelIdentity& m_kernel;
  const SizeRules& m_rules;
  FallbacksOf m_fallbacks_of;
  std::vector<DeviceFacts> m_devices;
  std::map<ProblemId, std::vector<Winner>> m_winners;
  std::optional<std::vector<Winner>> m_all_winners;
  std::optional<std::vector<Winner>> m_model_winners;
  std::vector<ConfigSpeed> m_speeds;
  std::optional<std::vector<MeasuredGroup>> m_groups;
  std::optional<Candidates> m_tuned;
  std::optional<Candidates> m_fallbacks;
  std::map<std::size_t, std::optional<double>> m_errors;
  /// By group and instance.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<const ConfigSpeed*>> m_measured;
  std::map<std::pair<const Winner*, std::string>, std::optional<BestRow>> m_rows;
};

}  // namespace gtune
