#include "search/guided_strategy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <unordered_set>

namespace gtune {

namespace {

constexpr std::size_t fewest_told = 6;  // that ran; a model of fewer is useless
constexpr std::size_t initial_asks = 8;
// In each round of `turns` asks, two are steps from the best and one lies far from all others. A
// step comes first: while little is told, it gains more than the model.
constexpr std::size_t turns = 8;
constexpr std::size_t first_step = 0;
constexpr std::size_t second_step = 3;
constexpr std::size_t far_away = 7;
constexpr std::size_t most_points = 240;  // in the model; its cost grows with the cube
constexpr std::size_t random_candidates = 1000;
constexpr std::size_t tries = 30;  // random draws from which a choice by distance takes the best
constexpr std::size_t elites = 6;  // fastest configurations whose neighbours are candidates
constexpr int learning_steps = 30;
constexpr std::size_t surprises = 24;     // predictions that decide how far the model is doubted
constexpr double largest_surprise = 9.0;  // one wild miss is not to decide alone

}  // namespace

GuidedStrategy::GuidedStrategy(const SearchSpace& space, std::uint64_t seed,
                               const ConfigAmounts& amounts)
    : UnaskedStrategy(space, seed),
      m_encoder(space, amounts),
      m_dimensions(m_encoder.varying_dimensions()),
      m_costs(m_encoder.groups(), m_encoder.group_count()),
      m_successes(m_encoder.groups(), m_encoder.group_count()) {}

std::size_t GuidedStrategy::choose() {
  if (m_told.size() < fewest_told || m_asked.size() < initial_asks) {
    // First configurations that represent the space, then its ends, so that the model interpolates.
    return m_asked.size() < fewest_told ? most_representative() : far_from_asked();
  }
  if (models_are_stale()) rebuild();
  ++m_asks_since_rebuild;
  const std::size_t turn = m_turn++ % turns;
  if (turn == first_step || turn == second_step) {
    if (const auto step = step_from_best()) return *step;
  }
  return turn == far_away ? far_from_asked() : most_promising();
}

void GuidedStrategy::take(std::size_t index) {
  UnaskedStrategy::take(index);
  m_asked.push_back(index);
  m_pending.push_back(index);
  if (!m_candidates.empty()) m_predicted[index] = m_costs.predict(m_encoder.encode(index));
}

void GuidedStrategy::learn(std::size_t index, std::optional<double> log_cost) {
  std::erase(m_pending, index);
  ++m_tells_since_rebuild;
  const auto predicted = m_predicted.extract(index);
  if (!log_cost) {
    m_failed.push_back(index);
    return;
  }
  if (predicted) {
    const double error = (*log_cost - predicted.mapped().mean) / predicted.mapped().deviation;
    m_surprises.push_back(std::min(error * error, largest_surprise));
    if (m_surprises.size() > surprises) m_surprises.pop_front();
  }
  const Told told = {index, *log_cost};
  const auto slower = [](const Told& a, const Told& b) { return a.log_cost < b.log_cost; };
  m_told.insert(std::upper_bound(m_told.begin(), m_told.end(), told, slower), told);
}

/// The more results there are, the less one more changes the models. With hundreds of
/// configurations outstanding, a new choice is measured only after them, so a refit for each result
/// would gain little and take all of the thread's time.
bool GuidedStrategy::models_are_stale() const {
  constexpr std::size_t results_share = 24;
  constexpr std::size_t many_outstanding = 200;  // more than one GPU with many compilers has
  constexpr std::size_t outstanding_share = 32;
  const std::size_t of_outstanding =
      m_pending.size() < many_outstanding ? 0 : m_pending.size() / outstanding_share;
  const std::size_t interval =
      std::max({std::size_t{1}, (m_told.size() + m_failed.size()) / results_share, of_outstanding});
  return m_candidates.empty() || m_tells_since_rebuild >= interval ||
         m_asks_since_rebuild >= interval;
}

/// The random draw that brings the asked configurations nearest to the whole space in energy
/// distance. The choices begin in the middle and continue in empty regions, but not at the ends.
/// Distances are Euclidean: Manhattan distances would spread each parameter on its own.
std::size_t GuidedStrategy::most_representative() {
  constexpr std::size_t sample_size = 200;
  const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double squares = 0;
    for (std::size_t c = 0; c < a.size(); ++c) squares += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(squares);
  };
  const auto sum_to = [&](const auto& points, const std::vector<double>& point) {
    double sum = 0;
    for (const auto& other : points) sum += distance(point, other);
    return sum;
  };
  while (m_sample.size() < sample_size) {
    m_sample.push_back(m_encoder.encode(m_random.below(m_space.size())));
  }
  std::vector<std::vector<double>> asked;
  for (const std::size_t index : m_asked) asked.push_back(m_encoder.encode(index));
  std::size_t best = m_unasked.draw(m_random);
  double best_gain = -INFINITY;
  for (std::size_t t = 0; t < tries; ++t) {
    const std::size_t index = m_unasked.draw(m_random);
    const std::vector<double> point = m_encoder.encode(index);
    const double gain = sum_to(asked, point) / static_cast<double>(asked.size() + 1) -
                        sum_to(m_sample, point) / static_cast<double>(sample_size);
    if (gain > best_gain) {
      best_gain = gain;
      best = index;
    }
  }
  return best;
}

/// The random draw with the most distant nearest neighbour among the configurations asked for last
/// (Mitchell's best candidate).
std::size_t GuidedStrategy::far_from_asked() {
  constexpr std::size_t compared = 64;
  std::vector<std::vector<double>> recent;
  for (std::size_t i = m_asked.size() - std::min(m_asked.size(), compared); i < m_asked.size();
       ++i) {
    recent.push_back(m_encoder.encode(m_asked[i]));
  }
  std::size_t farthest = m_unasked.draw(m_random);
  double farthest_distance = -1;
  for (std::size_t t = 0; t < tries && !recent.empty(); ++t) {
    const std::size_t index = m_unasked.draw(m_random);
    const std::vector<double> point = m_encoder.encode(index);
    double nearest = INFINITY;
    for (const auto& other : recent) {
      double distance = 0;
      for (std::size_t c = 0; c < point.size(); ++c) distance += std::abs(point[c] - other[c]);
      nearest = std::min(nearest, distance);
    }
    if (nearest > farthest_distance) {
      farthest_distance = nearest;
      farthest = index;
    }
  }
  return farthest;
}

std::size_t GuidedStrategy::most_promising() {
  while (!m_candidates.empty()) {
    const std::size_t index = m_candidates.back().index;
    m_candidates.pop_back();
    if (m_unasked.contains(index)) return index;
  }
  return m_unasked.draw(m_random);
}

/// The best configuration with one parameter changed: the parameter that was tried least there, to
/// the value with the lowest predicted cost. Absent if all have been asked for.
std::optional<std::size_t> GuidedStrategy::step_from_best() const {
  const auto best = m_space.coordinates(m_told.front().index);
  std::vector<std::uint16_t> row(best.begin(), best.end());
  std::optional<std::size_t> choice;
  std::size_t choice_tried = 0;
  double choice_mean = 0;
  for (const std::size_t d : m_dimensions) {
    std::optional<std::size_t> candidate;
    std::size_t tried = 0;
    double candidate_mean = INFINITY;
    for (std::size_t value = 0; value < m_space.dimensions()[d].values.size(); ++value) {
      if (value == best[d]) continue;
      row[d] = static_cast<std::uint16_t>(value);
      const std::optional<std::size_t> index = m_space.find(row);
      if (!index) continue;
      if (!m_unasked.contains(*index)) {
        ++tried;
        continue;
      }
      const double mean = m_costs.predict(m_encoder.encode(*index)).mean;
      if (!candidate || mean < candidate_mean) {
        candidate = index;
        candidate_mean = mean;
      }
    }
    row[d] = best[d];
    const bool preferred =
        !choice || tried < choice_tried || (tried == choice_tried && candidate_mean < choice_mean);
    if (candidate && preferred) {
      choice = candidate;
      choice_tried = tried;
      choice_mean = candidate_mean;
    }
  }
  return choice;
}

void GuidedStrategy::rebuild() {
  if (!m_failed.empty()) fit_successes();
  fit_costs();
  rank_candidates();
  m_tells_since_rebuild = 0;
  m_asks_since_rebuild = 0;
}

/// The model's training data: if there is too much, the fastest and an even choice of the rest.
/// Slow configurations only need to be known as slow: differences above the median are compressed.
/// Failures count as the slowest if they were to be expected; one amid successes says nothing about
/// costs.
std::vector<GuidedStrategy::Told> GuidedStrategy::training_set() const {
  constexpr double slow_share = 0.2;
  constexpr double expected_failure = 0.3;
  const double middle = m_told[m_told.size() / 2].log_cost;
  std::vector<Told> all;
  for (const Told& told : m_told) {
    const double above = std::max(told.log_cost - middle, 0.0);
    all.push_back({told.index, told.log_cost - (1 - slow_share) * above});
  }
  const double slowest = all.back().log_cost;
  for (const std::size_t index : m_failed) {
    if (success_at(index) < expected_failure) all.push_back({index, slowest});
  }
  if (all.size() <= most_points) return all;

  const std::size_t fastest = most_points / 2;
  std::vector<Told> chosen(all.begin(), all.begin() + fastest);
  const std::size_t rest = all.size() - fastest;
  const std::size_t wanted = most_points - fastest;
  for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(all[fastest + i * rest / wanted]);
  return chosen;
}

/// Regression on 1 for what ran and 0 for what failed gives a probability of success.
void GuidedStrategy::fit_successes() {
  std::vector<std::vector<double>> points;
  std::vector<double> targets;
  const auto add = [&](std::size_t index, double target) {
    points.push_back(m_encoder.encode(index));
    targets.push_back(target);
  };
  const auto evenly = [](std::size_t count, auto&& use) {
    const std::size_t used = std::min(count, most_points / 2);
    for (std::size_t i = 0; i < used; ++i) use(i * count / used);
  };
  evenly(m_told.size(), [&](std::size_t i) { add(m_told[i].index, 1); });
  evenly(m_failed.size(), [&](std::size_t i) { add(m_failed[i], 0); });
  m_successes.fit(points, targets);
  learn_scales_where_due(m_successes, m_successes_learnt_from);
}

double GuidedStrategy::success_at(std::size_t index) const {
  if (m_failed.empty()) return 1;
  return std::clamp(m_successes.predict(m_encoder.encode(index)).mean, 0.02, 1.0);
}

/// Learns scales whenever there is 15 % more to learn from than the last time.
void GuidedStrategy::learn_scales_where_due(GaussianProcess& model, std::size_t& learnt_from) {
  const std::size_t tells = m_told.size() + m_failed.size();
  if (tells * 100 < learnt_from * 115) return;
  learnt_from = tells;
  model.learn_scales(learning_steps, m_random);
}

void GuidedStrategy::fit_costs() {
  std::vector<std::vector<double>> points;
  std::vector<double> targets;
  for (const Told& told : training_set()) {
    points.push_back(m_encoder.encode(told.index));
    targets.push_back(told.log_cost);
  }
  m_costs.fit(points, targets);
  learn_scales_where_due(m_costs, m_costs_learnt_from);
  if (m_pending.empty()) return;
  // Only the latest, if so many are pending that the model would take seconds.
  const std::size_t counted = std::min(m_pending.size(), most_points);
  for (const std::size_t index : std::span(m_pending).last(counted)) {
    points.push_back(m_encoder.encode(index));
    targets.push_back(m_costs.predict(points.back()).mean);
  }
  m_costs.fit(points, targets);
}

void GuidedStrategy::rank_candidates() {
  m_candidates.clear();
  ExpectedGain& most = m_expected_gain;
  most = {};
  const double doubted = doubt();
  std::unordered_set<std::size_t> seen;
  const auto add = [&](std::size_t index) {
    if (m_unasked.contains(index) && seen.insert(index).second) {
      Prediction prediction = m_costs.predict(m_encoder.encode(index));
      const double success = success_at(index);
      const double gain = success * expected_improvement(prediction);
      m_candidates.push_back({index, gain * preference(index)});
      most.gain = std::max(most.gain, gain);
      prediction.deviation *= doubted;
      most.doubted = std::max(most.doubted, success * expected_improvement(prediction));
    }
  };
  const auto worse = [](const Candidate& a, const Candidate& b) {
    return a.improvement != b.improvement ? a.improvement < b.improvement : a.index > b.index;
  };
  if (m_unasked.size() <= random_candidates) {
    for (std::size_t i = 0; i < m_unasked.size(); ++i) add(m_unasked.at(i));
  } else {
    for (std::size_t i = 0; i < random_candidates; ++i) add(m_unasked.draw(m_random));
  }
  for (std::size_t i = 0; i < std::min(elites, m_told.size()); ++i) {
    for (const auto index : m_space.neighbours(m_told[i].index, Neighbourhood::any)) add(index);
  }
  // Two rounds of climbing from the most promising.
  for (int round = 0; round < 2; ++round) {
    std::sort(m_candidates.begin(), m_candidates.end(), worse);
    std::vector<std::size_t> tops;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, m_candidates.size()); ++i) {
      tops.push_back(m_candidates[m_candidates.size() - 1 - i].index);
    }
    for (const std::size_t top : tops) {
      for (const auto index : m_space.neighbours(top, Neighbourhood::any)) add(index);
    }
  }
  std::sort(m_candidates.begin(), m_candidates.end(), worse);
}

/// How many times as wrong as the model expected its last predictions were, in the root mean
/// square; at least 1.
double GuidedStrategy::doubt() const {
  if (m_surprises.empty()) return 1;
  const double sum = std::accumulate(m_surprises.begin(), m_surprises.end(), 0.0);
  return std::max(1.0, std::sqrt(sum / static_cast<double>(m_surprises.size())));
}

double GuidedStrategy::expected_improvement(const Prediction& prediction) const {
  const double z = (m_told.front().log_cost - prediction.mean) / prediction.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return prediction.deviation * (z * below + density);
}

}  // namespace gtune
