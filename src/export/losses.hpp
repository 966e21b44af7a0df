#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "answer/measured_times.hpp"
#include "answer/size_rules.hpp"
#include "answer/time_model.hpp"
#include "export/sited_launch.hpp"
#include "store/records.hpp"

namespace gtune {

/// The loss of a group in which no launch is valid.
inline constexpr double unknown_loss = std::numeric_limits<double>::infinity();
/// A launch that was measured to lose more makes way for one that is expected to be faster: no
/// search or export has tried that one yet.
inline constexpr double most_measured_loss = 0.5;

/// A share of the time beyond a problem's best, for display: 0 if it only breaks ties.
[[nodiscard]] double shown_loss(double loss);

/// What groups of launches lose on tuned problems, and on problems around them.
struct LossTable {
  /// The launch of a group that is the fastest on a tuned problem; absent if none is valid.
  struct Fastest {
    std::optional<std::size_t> launch;
    bool is_measured = false;
    double ms = unknown_loss;
  };

  std::vector<std::vector<double>> losses;    // by problem, the tuned ones first, then by group
  std::vector<std::vector<Fastest>> fastest;  // by tuned problem, then by group

  [[nodiscard]] std::size_t tuned() const { return fastest.size(); }
};

using LaunchGroups = std::vector<std::vector<std::size_t>>;

/// Every launch of the instances that won somewhere, with its measured or expected time on each
/// problem.
class Losses {
 public:
  /// The arguments must outlive this object.
  Losses(const std::vector<Winner>& winners, const std::vector<ConfigSpeed>& speeds,
         const SizeRules& rules);

  [[nodiscard]] const std::vector<Config>& launches() const { return m_launches; }
  /// The launches of each instance.
  [[nodiscard]] const LaunchGroups& instances() const { return m_instances; }
  /// Prefers measured times to expected ones.
  [[nodiscard]] LossTable of(const LaunchGroups& groups);

 private:
  struct Site {
    DeviceFacts device;
    std::vector<SitedLaunch> launches;
  };
  /// A problem on a device.
  struct Place {
    std::vector<std::int64_t> sizes;  // as slots
    gtune_spot spot{};                // on the model's grid
    const TimeModel* model = nullptr;
    const Site* site = nullptr;
    MeasuredTimes::Place measured = {};  // empty unless the problem was tuned

    [[nodiscard]] bool allows(std::size_t launch) const;
    /// Whether the place allows it or not.
    [[nodiscard]] double expected_ms(std::size_t launch) const;
    [[nodiscard]] LossTable::Fastest fastest_expected(const std::vector<std::size_t>& group) const;
  };
  /// A problem that was not tuned.
  struct Around {
    Place place;
    std::vector<double> expected = {};  // by launch; not known of those that are not valid
    std::vector<bool> is_valid = {};    // by launch; false as long as nobody asked
    double least = unknown_loss;

    /// The expected time of the group's fastest valid launch. Whether a launch is valid takes
    /// longest to find out, so only the fastest are asked.
    [[nodiscard]] double fastest_of(const std::vector<std::size_t>& group);
  };

  void add_site(const DeviceFacts& device);
  [[nodiscard]] const Site& site_of(const Winner& winner) const;
  void add_around(const Winner& winner);
  static void find_expected(Around& around);
  [[nodiscard]] std::vector<LossTable::Fastest> fastest_of(const LaunchGroups& groups,
                                                           const Winner& winner) const;
  [[nodiscard]] LossTable::Fastest fastest_measured(const std::vector<std::size_t>& group,
                                                    const Winner& winner, const Place& place) const;
  [[nodiscard]] LossTable::Fastest fastest(const std::vector<std::size_t>& group,
                                           const Winner& winner, const Place& place) const;
  /// `model`: null if there is none.
  [[nodiscard]] Place place_of(const Problem& problem, const TimeModel* model,
                               const Site& site) const;
  [[nodiscard]] const TimeModel* model_of(const Winner& winner) const;

  const std::vector<Winner>& m_winners;
  const SizeRules& m_rules;
  MeasuredTimes m_times;
  std::vector<MeasuredGroup> m_groups;
  std::vector<Config> m_launches;
  std::vector<TimeModel> m_models;
  std::deque<Site> m_sites;
  LaunchGroups m_instances;
  std::vector<Around> m_around;  // by problem
};

}  // namespace gtune
