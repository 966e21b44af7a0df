#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/feature_encoder.hpp"
#include "search/gaussian_process.hpp"
#include "search/unasked_strategy.hpp"

namespace gtune {

/// Finds good configurations in few measurements. It starts with configurations that
/// represent the space (support points: S. Mak, V. R. Joseph, 2018) and some at its ends, then fits
/// a model of the logarithm of the cost to what was told and asks for the largest expected
/// improvement (D. R. Jones, M. Schonlau, W. J. Welch, Efficient Global Optimization of Expensive
/// Black-Box Functions, 1998) times the probability of success (M. Schonlau, W. J. Welch, D. R.
/// Jones, Global versus Local Search in Constrained Optimization of Computer Models, 1998), which
/// a second model learns from failures. Pending configurations count as told with their predicted
/// cost (the "kriging believer" of D. Ginsbourger, R. Le Riche, L. Carraro, 2010), which keeps a
/// batch from crowding. To guard against a wrong model, a quarter of the asks are steps of
/// coordinate descent from the best, which can leave a local optimum whatever the model says, and
/// an eighth are far from all that was asked, so that no region stays unseen. A model
/// that saw little of a space is surer than it should be, so the expected gain, which decides when
/// a search ends, is also told with larger errors: those of the last predictions.
class GuidedStrategy : public UnaskedStrategy {
 public:
  static constexpr std::string_view strategy_name = "guided";

  GuidedStrategy(const SearchSpace& space, std::uint64_t seed, const ConfigAmounts& amounts);

  [[nodiscard]] std::string_view name() const override { return strategy_name; }
  void take(std::size_t index) override;
  [[nodiscard]] std::optional<ExpectedGain> expected_gain() const override {
    return m_expected_gain;
  }

 protected:
  struct Told {
    std::size_t index;
    double log_cost;
  };

  /// The factor by which the expected improvement of a configuration is multiplied.
  [[nodiscard]] virtual double preference(std::size_t /*index*/) const { return 1; }
  /// The configurations that ran, the fastest first.
  [[nodiscard]] const std::vector<Told>& told() const { return m_told; }
  [[nodiscard]] const FeatureEncoder& encoder() const { return m_encoder; }

 private:
  [[nodiscard]] std::size_t choose() override;
  void learn(std::size_t index, std::optional<double> log_cost) override;

  struct Candidate {
    std::size_t index;
    double improvement;
  };

  [[nodiscard]] bool models_are_stale() const;
  [[nodiscard]] std::size_t most_representative();
  [[nodiscard]] std::size_t far_from_asked();
  [[nodiscard]] std::size_t most_promising();
  [[nodiscard]] std::optional<std::size_t> step_from_best() const;

  void rebuild();
  void fit_successes();
  void fit_costs();
  void learn_scales_where_due(GaussianProcess& model, std::size_t& learnt_from);
  [[nodiscard]] std::vector<Told> training_set() const;
  void rank_candidates();
  [[nodiscard]] double success_at(std::size_t index) const;
  [[nodiscard]] double expected_improvement(const Prediction& prediction) const;
  [[nodiscard]] double doubt() const;

  FeatureEncoder m_encoder;
  std::vector<std::size_t> m_dimensions;  // those with more than one value
  GaussianProcess m_costs;                // of logarithms of costs
  GaussianProcess m_successes;            // 1: runs, 0: fails

  std::vector<std::vector<double>> m_sample;  // of the space; empty until it is needed
  std::vector<std::size_t> m_asked;           // in order
  std::vector<std::size_t> m_pending;         // asked, not yet told
  std::vector<Told> m_told;                   // those that ran, the fastest first
  std::vector<std::size_t> m_failed;
  std::unordered_map<std::size_t, Prediction> m_predicted;  // pending ones, when asked for
  std::deque<double> m_surprises;  // squared errors of the last predictions, in deviations

  std::vector<Candidate> m_candidates;  // ranked by the last model, the best last
  ExpectedGain m_expected_gain{1, 1};   // the largest; before there is a model, anything
  std::size_t m_tells_since_rebuild = 0;
  std::size_t m_asks_since_rebuild = 0;
  std::size_t m_turn = 0;
  std::size_t m_costs_learnt_from = 0;  // tells at the last learning of scales
  std::size_t m_successes_learnt_from = 0;
};

}  // namespace gtune
