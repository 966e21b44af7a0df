#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "model/named_values.hpp"
#include "spec/kernel_spec.hpp"

// What was measured at one problem, taken over to another: the tiles that divide one evenly leave
// another with more idle lanes, which the spec's padded work tells without a measurement.
namespace gtune {

/// So many tuned problems nearest to one, itself included, give the configurations to choose among.
inline constexpr std::size_t near_problems = 32;

/// Places of problems, the nearest to `to` first, equally near ones by their sizes.
[[nodiscard]] std::vector<std::size_t> by_distance(const std::vector<const Problem*>& problems,
                                                   const Problem& to);
/// The first `near_problems` of these.
[[nodiscard]] std::vector<std::size_t> nearest_few(const std::vector<const Problem*>& problems,
                                                   const Problem& to);

/// A configuration and its time, at one problem.
struct ConfigTime {
  Config config;
  double median_ms = 0;
};

/// Padded work at the asked problem over that where times were measured; absent where the
/// configuration may not be used, or the work cannot be computed.
using WorkGrowth = std::function<std::optional<double>(const Config&)>;

/// That growth on a device, by a spec that says its padded work.
[[nodiscard]] std::optional<double> padded_growth(const KernelSpec& spec, const Config& config,
                                                  const Problem& from, const Problem& to,
                                                  const DeviceFacts& device);

/// Which is expected to be the fastest where its time grows as its padded work does; of equals the
/// one that was faster, then that with the smaller values. Absent where none may be used.
[[nodiscard]] std::optional<std::size_t> expected_fastest(const std::vector<ConfigTime>& measured,
                                                          const WorkGrowth& growth);

}  // namespace gtune
