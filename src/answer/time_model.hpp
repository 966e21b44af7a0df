#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/size_grid.hpp"
#include "answer/size_rules.hpp"
#include "store/records.hpp"

// The expected time of a launch, from all measurements of a kernel on a device: a sum over parts of
// its work (model/expected_time.inc), each weighted by milliseconds that depend on the
// configuration; corrected by what was measured on problems of similar sizes.
namespace gtune {

inline constexpr std::size_t work_parts = 8;
using PartTimes = std::array<double, work_parts>;

/// The time that a configuration takes for each part of its work.
struct ConfigModel {
  PartTimes ms{};             // per unit of work
  std::int64_t resident = 1;  // blocks that an SM holds
  NodeFactors factors;
};

/// The times of configurations on one device and kind of problem.
struct TimeModel {
  DeviceFacts device;
  Problem kind;  // any problem of the kind
  TimingMode mode = {};
  SizeGrid grid;
  /// In the order of the configurations that were asked for; absent if the instance was not
  /// measured.
  std::vector<std::optional<ConfigModel>> configs;
};

struct ModelTime {
  double ms = 0;
  /// Longer the less was measured, nearby and of the launch, for comparisons: the least of many
  /// uncertain times is usually too low.
  double compared_ms = 0;
};

/// Of a configuration with this work on a device. `spot`: where the problem lies on the model's
/// grid.
[[nodiscard]] ModelTime model_time(const ConfigModel& config, const LaunchWork& work,
                                   const gtune_spot& spot, const DeviceFacts& device);
/// Absent if the configuration's work has no value. It need not be valid for the case. `place`:
/// that of the case's configuration among those of the model, which must know it.
[[nodiscard]] std::optional<ModelTime> model_time(const SizeRules& rules, const TimeModel& model,
                                                  std::size_t place, const Case& of);

/// The configuration that is expected to be the fastest.
struct ExpectedConfig {
  std::size_t place = 0;  // index in the model's configurations
  ModelTime time;
};

/// The fastest of `configs`, which are those of the model; of equals, the one with the smaller
/// values. Absent if none is valid. `on`: the device that must be able to run it. `may_be`: whether
/// the configuration at an index may be chosen.
[[nodiscard]] std::optional<ExpectedConfig> expected_fastest(
    const SizeRules& rules, const TimeModel& model, const std::vector<Config>& configs,
    const Problem& problem, const DeviceFacts& on,
    const std::function<bool(std::size_t)>& may_be = {});

/// All measurements of a kernel on devices of one name, or recordings of them, on one kind of
/// problem and in one timing mode.
class MeasuredGroup {
 public:
  MeasuredGroup(const SizeRules& rules, const ConfigSpeed& first);

  [[nodiscard]] bool has(const ConfigSpeed& speed) const;
  /// Whether measurements on the winner's device and problem, in its mode, are in the group.
  [[nodiscard]] bool has(const Winner& winner) const;
  void add(const ConfigSpeed& speed);
  /// The number of the instance of which the configuration is a launch; absent if no launch of it
  /// was added.
  [[nodiscard]] std::optional<std::size_t> instance_of(const Config& config) const;

  [[nodiscard]] const DeviceFacts& device() const { return m_device; }
  [[nodiscard]] const Problem& kind() const { return m_kind; }
  [[nodiscard]] const TimingMode& mode() const { return m_mode; }
  [[nodiscard]] std::size_t size() const { return m_samples.size(); }

  /// Fits without the measurements of problems for which `is_out` is true.
  [[nodiscard]] TimeModel fit(const std::vector<Config>& configs,
                              const std::function<bool(const Problem&)>& is_out = {}) const;

  /// How far measured times of these configurations are from those expected without their problems:
  /// shares of the expected time, ascending. Splits the problems into `parts` and leaves out each
  /// part once.
  [[nodiscard]] std::vector<double> errors(const std::vector<Config>& configs,
                                           std::size_t parts = 4) const;

 private:
  using Numbers = std::map<std::vector<std::int64_t>, std::size_t>;  // of values
  struct Sample {
    std::size_t problem = 0;
    std::size_t config = 0;
    std::size_t instance = 0;
    std::int64_t resident = 1;
    PartTimes work{};
    double median_ms = 0;
  };
  using Samples = std::vector<const Sample*>;

  [[nodiscard]] bool is_of(const DeviceFacts& device, const TimingMode& mode,
                           const Problem& problem) const;
  using Nearness = std::vector<std::vector<double>>;  // by problem, then by node

  [[nodiscard]] ConfigModel fit_launch(const Config& config, const Samples& of_instance,
                                       const PartTimes& instance, const Nearness& nearness) const;
  [[nodiscard]] static PartTimes fit(const Samples& samples, const PartTimes& before,
                                     double stiffness);
  [[nodiscard]] static PartTimes first_guess(const Samples& samples);
  [[nodiscard]] static Samples spread(const Samples& samples, std::size_t enough);

  const SizeRules* m_rules;
  DeviceFacts m_device;
  Problem m_kind;
  TimingMode m_mode;
  std::vector<Problem> m_problems;  // by number
  Numbers m_configs;
  Numbers m_instances;
  std::vector<std::size_t> m_instance_of;  // by configuration
  Numbers m_problem_numbers;
  std::vector<Sample> m_samples;
};

/// Groups by device name, kind of problem and timing mode. GPUs come before recordings,
/// then in the order of timing modes, then groups with more measurements.
[[nodiscard]] std::vector<MeasuredGroup> group_speeds(const SizeRules& rules,
                                                      const std::vector<ConfigSpeed>& speeds);

[[nodiscard]] std::vector<TimeModel> fit_models(const std::vector<MeasuredGroup>& groups,
                                                const std::vector<Config>& configs);

}  // namespace gtune
