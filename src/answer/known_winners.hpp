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

/// Candidates if no launch of what won is valid.
using FallbacksOf = std::function<std::vector<Winner>(const std::vector<Winner>&)>;

/// Configurations to choose among, and what each group of measurements says of them.
struct Candidates {
  std::vector<Config> configs;
  std::vector<TimeModel> models;  // in the order of the groups
};

/// One kernel's winners and measurements, read when questions need them. References that it returns
/// stay valid.
class KnownWinners {
 public:
  KnownWinners(const Database& database, const KernelIdentity& kernel, const SizeRules& rules,
               FallbacksOf fallbacks_of);

  [[nodiscard]] const std::vector<DeviceFacts>& devices() const { return m_devices; }
  /// Of exactly this problem.
  [[nodiscard]] const std::vector<Winner>& winners(const Problem& problem);

  /// Every launch of the instances that won, and of the fallbacks.
  [[nodiscard]] const Candidates& tuned();
  [[nodiscard]] const Candidates& fallbacks();
  /// How far nine of ten measured times are at most from what a group's other measurements expect,
  /// as a share of that; absent where there is nothing to tell it from.
  [[nodiscard]] std::optional<double> error(std::size_t group);

  /// Where an instance was measured in a group, with its stored configuration: first the given
  /// configuration itself, then the nearest problem. Absent where nothing is stored of it.
  [[nodiscard]] std::optional<BestRow> nearest_row(std::size_t group, const Config& config,
                                                   const Problem& wanted);
  /// All that is stored of a configuration where a winner was measured.
  [[nodiscard]] const std::optional<BestRow>& row(const Winner& where, const Config& config);

 private:
  [[nodiscard]] std::optional<BestRow> with_config(BestRow row, const Config& config) const;
  [[nodiscard]] const std::vector<MeasuredGroup>& groups();
  [[nodiscard]] const std::vector<Winner>& all_winners();

  const Database& m_database;
  const KernelIdentity& m_kernel;
  const SizeRules& m_rules;
  FallbacksOf m_fallbacks_of;
  std::vector<DeviceFacts> m_devices;
  std::map<ProblemId, std::vector<Winner>> m_winners;
  std::optional<std::vector<Winner>> m_all_winners;
  std::vector<ConfigSpeed> m_speeds;
  std::optional<std::vector<MeasuredGroup>> m_groups;
  std::optional<Candidates> m_tuned;
  std::optional<Candidates> m_fallbacks;
  std::map<std::size_t, std::optional<double>> m_errors;
  /// Measurements of an instance, by group.
  std::map<std::pair<std::size_t, std::string>, std::vector<const ConfigSpeed*>> m_measured;
  std::map<std::pair<const Winner*, std::string>, std::optional<BestRow>> m_rows;
};

}  // namespace gtune
