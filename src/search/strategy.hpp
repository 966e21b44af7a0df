#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/metric.hpp"
#include "space/search_space.hpp"

namespace gtune {

/// The share by which the next configuration is expected to be faster than the best: small once a
/// strategy knows the space.
struct ExpectedGain {
  double gain = 0;
  double doubted = 0;  // if the model is as wrong as its last predictions were
};

/// Decides which configuration of a space to measure next. Deterministic for a given seed and order
/// of calls. Many configurations may be asked for before the first is told, and they may be told in
/// any order.
class Strategy {
 public:
  virtual ~Strategy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Index of the next configuration to measure, never one given before; nullopt: all given.
  virtual std::optional<std::size_t> ask() = 0;
  /// Marks a configuration chosen elsewhere as given; it will be told like any other. Must not be
  /// called for one that was given.
  virtual void take(std::size_t index) = 0;
  /// Cost in ms of an asked configuration; nullopt: it failed or cannot run.
  virtual void tell(std::size_t index, std::optional<double> cost) = 0;
  /// Absent if the strategy has no model of the costs.
  [[nodiscard]] virtual std::optional<ExpectedGain> expected_gain() const { return std::nullopt; }
  /// A told configuration whose hardware metrics the strategy requests; absent if it needs none
  /// until more is told. Each is requested once.
  [[nodiscard]] virtual std::optional<std::size_t> wants_metrics() { return std::nullopt; }
  /// The requested metrics, by familiar names; empty if they are unavailable.
  virtual void tell_metrics(std::size_t /*index*/, const std::vector<Metric>& /*metrics*/) {}
};

struct StrategyInfo {
  std::string_view name;
  std::string_view help;  // one line
  bool wants_metrics;     // uses hardware metrics if there are any
  /// Strategies without a model of the costs ignore the amounts.
  std::unique_ptr<Strategy> (*make)(const SearchSpace& space, std::uint64_t seed,
                                    const ConfigAmounts& amounts);
};

/// The strategy if the user names none and the budget is smaller than the space.
inline constexpr std::string_view default_strategy = "guided";

[[nodiscard]] const std::vector<StrategyInfo>& strategies();

/// The space must outlive the strategy. Throws UserError (usage) for an unknown name.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(std::string_view name,
                                                      const SearchSpace& space, std::uint64_t seed,
                                                      const ConfigAmounts& amounts = {});

}  // namespace gtune
