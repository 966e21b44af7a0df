#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "model/named_values.hpp"

// What was measured at one problem, taken over to another: the tiles that divide one evenly leave
// another with more idle lanes, which the spec's padded work tells without a measurement.
namespace gtune {

/// So many tuned problems nearest to one, itself included, give the configurations to choose among.
inline constexpr std::size_t near_problems = 32;

/// Places of problems, the nearest to `to` first, equally near ones by their sizes.
[[nodiscard]] std::vector<std::size_t> by_distance(const std::vector<const Problem*>& problems,
                                                   const Problem& to);
/// The configurations to choose among for another size than `to`'s own best: each once, of the
/// `near_problems` problems nearest to `to` where something won. `won_at`: what won at the problem
/// of a place, null if nothing did; asked of the nearest first, and of no more than it takes.
[[nodiscard]] std::vector<Config> near_configs(
    const std::vector<const Problem*>& problems, const Problem& to,
    const std::function<const Config*(std::size_t)>& won_at);

/// A configuration and its time, at one problem.
struct ConfigTime {
  Config config;
  double median_ms = 0;
};

/// Padded work at the asked problem over that where times were measured; absent where the
/// configuration may not be used, or the work cannot be computed.
using WorkGrowth = std::function<std::optional<double>(const Config&)>;

/// Which is expected to be the fastest where its time grows as its padded work does; of equals the
/// one that was faster, then that with the smaller values. Absent where none may be used.
[[nodiscard]] std::optional<std::size_t> expected_fastest(const std::vector<ConfigTime>& measured,
                                                          const WorkGrowth& growth);

}  // namespace gtune
