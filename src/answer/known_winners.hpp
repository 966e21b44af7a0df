#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/size_transfer.hpp"
#include "store/database.hpp"

namespace gtune {

/// Candidates if no winner is valid.
using FallbacksOf = std::function<std::vector<Winner>(const std::vector<Winner>&)>;

/// One kernel's winners, read when questions need them: of a few problems, or all. References that
/// it returns stay valid.
class KnownWinners {
 public:
  KnownWinners(const Database& database, const KernelIdentity& kernel, FallbacksOf fallbacks_of);

  [[nodiscard]] const std::vector<TunedProblem>& problems();
  [[nodiscard]] const std::vector<DeviceFacts>& devices() const { return m_devices; }
  [[nodiscard]] const std::vector<Winner>& winners(ProblemId problem);
  /// Of exactly this problem.
  [[nodiscard]] const std::vector<Winner>& winners(const Problem& problem);
  [[nodiscard]] const std::vector<Winner>& fallbacks();

  /// All that is stored of a configuration where a winner or fallback was measured.
  [[nodiscard]] const std::optional<BestRow>& row(const Winner& where, const Config& config);

  /// Times at a winner's problem, of what won there and at the problems nearest to it that are
  /// among `of_kind`.
  [[nodiscard]] const std::vector<ConfigTime>& near_times(
      const Winner& where, const std::vector<const TunedProblem*>& of_kind);

  /// What a winner's problem would lose with another one's best.
  [[nodiscard]] std::optional<double> loss(const Winner& of, const Winner& with);

 private:
  [[nodiscard]] std::optional<BestRow> with_config(BestRow row, const Config& config) const;
  [[nodiscard]] std::vector<Config> near_winners(const Winner& where,
                                                 const std::vector<const TunedProblem*>& of_kind);
  void load(std::vector<ProblemId> wanted);

  const Database& m_database;
  const KernelIdentity& m_kernel;
  FallbacksOf m_fallbacks_of;
  std::optional<std::vector<Winner>> m_fallbacks;
  std::optional<std::vector<TunedProblem>> m_problems;
  std::vector<DeviceFacts> m_devices;
  std::map<ProblemId, std::vector<Winner>> m_winners;
  std::map<std::pair<const Winner*, std::string>, std::optional<BestRow>> m_rows;
  std::map<const Winner*, std::vector<ConfigTime>> m_near_times;
  std::map<std::pair<const Winner*, const Winner*>, std::optional<double>> m_losses;
};

}  // namespace gtune
