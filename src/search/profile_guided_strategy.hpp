#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "search/guided_strategy.hpp"

namespace gtune {

/// The guided strategy, which in addition learns how the parameters change hardware metrics and
/// prefers configurations that relieve the bottleneck of the fastest one (the idea of J. Filipovic
/// et al., Using hardware performance counters to speed up autotuning convergence on GPUs, 2022,
/// with models that are learnt during the search). Without metrics it is the guided strategy.
class ProfileGuidedStrategy final : public GuidedStrategy {
 public:
  static constexpr std::string_view strategy_name = "profile-guided";

  ProfileGuidedStrategy(const SearchSpace& space, std::uint64_t seed, const ConfigAmounts& amounts);

  [[nodiscard]] std::string_view name() const override { return strategy_name; }
  [[nodiscard]] std::optional<std::size_t> wants_metrics() override;
  void tell_metrics(std::size_t index, const std::vector<Metric>& metrics) override;

 private:
  /// A kernel's work. Amounts are smoother functions of the parameters than shares of time.
  struct Profiled {
    std::size_t index;
    double log_cost;
    double dram_use;       // 0..1 of the time
    double log_bytes;      // through device memory
    double log_issues;     // warp instructions, including bank conflicts
    double log_occupancy;  // achieved
  };

  [[nodiscard]] double preference(std::size_t index) const override;
  [[nodiscard]] double log_cost_of(std::size_t index) const;
  void fit(GaussianProcess& model, double Profiled::*amount);
  void find_bottleneck();

  GaussianProcess m_bytes, m_issues, m_occupancy;
  std::unordered_set<std::size_t> m_wanted;
  std::vector<Profiled> m_profiled;

  // The fastest profiled configuration, and shares of its time.
  const Profiled* m_fastest = nullptr;  // null: too little is known
  double m_issue_use = 0;
  double m_idle = 0;
};

}  // namespace gtune
