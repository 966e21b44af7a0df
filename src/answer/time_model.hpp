#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/size_rules.hpp"
#include "store/records.hpp"

// The time that a launch is expected to take, from all measurements of a kernel on a device: a sum
// of parts of its work (model/expected_time.inc), each of which takes so many milliseconds in a
// configuration.
namespace gtune {

inline constexpr std::size_t work_parts = 6;
using PartTimes = std::array<double, work_parts>;

/// What a configuration takes for each part.
struct ConfigModel {
  PartTimes ms{};             // as choices compare them: `doubt` times what is expected
  double doubt = 1;           // above 1: the less, the oftener the configuration was measured
  std::int64_t resident = 1;  // blocks that an SM holds
};

/// What configurations take on one device and kind of problem.
struct TimeModel {
  DeviceFacts device;
  Problem kind;            // any problem of it
  bool l2_flushed = true;  // how it was measured
  /// In the order of the configurations asked for; absent: nothing of that instance was measured
  /// there.
  std::vector<std::optional<ConfigModel>> configs;
};

/// As choices compare it: `doubt` times what is expected; absent where the configuration may not be
/// used there, or its work has no value.
[[nodiscard]] std::optional<double> compared_ms(const SizeRules& rules, const ConfigModel& model,
                                                const Case& of);

/// The configuration that is expected to be the fastest.
struct ExpectedConfig {
  std::size_t place = 0;  // among the model's
  double compared_ms = 0;
  double expected_ms = 0;
};

/// Among `configs`, those of the model; of equals the one with the smaller values. Absent where
/// none may be used. `on`: the device that has to be able to run it. `may_be`: whether the one at
/// that place is asked for.
[[nodiscard]] std::optional<ExpectedConfig> expected_fastest(
    const SizeRules& rules, const TimeModel& model, const std::vector<Config>& configs,
    const Problem& problem, const DeviceFacts& on,
    const std::function<bool(std::size_t)>& may_be = {});

/// All measurements of a kernel on the devices of one name, of one kind of problem.
class MeasuredGroup {
 public:
  MeasuredGroup(const SizeRules& rules, const ConfigSpeed& first);

  [[nodiscard]] bool has(const ConfigSpeed& speed) const;
  void add(const ConfigSpeed& speed);

  [[nodiscard]] const DeviceFacts& device() const { return m_device; }
  [[nodiscard]] const Problem& kind() const { return m_kind; }
  [[nodiscard]] bool l2_flushed() const { return m_l2_flushed; }
  [[nodiscard]] std::size_t size() const { return m_samples.size(); }

  /// Without the measurements of problems that `is_out` is true of.
  [[nodiscard]] TimeModel fit(const std::vector<Config>& configs,
                              const std::function<bool(const Problem&)>& is_out = {}) const;

  /// How far measured times of these configurations' instances are from what is expected without
  /// their problems: shares of the expected time, ascending. In so many parts, each left out once.
  [[nodiscard]] std::vector<double> errors(const std::vector<Config>& configs,
                                           std::size_t parts = 4) const;

 private:
  struct Sample {
    Problem problem;
    Config config;
    Config instance;
    std::int64_t resident = 1;
    PartTimes work{};
    double median_ms = 0;
  };
  using Samples = std::vector<const Sample*>;

  [[nodiscard]] static PartTimes fit(const Samples& samples, const PartTimes& before,
                                     double stiffness);
  [[nodiscard]] static PartTimes first_guess(const Samples& samples);
  [[nodiscard]] static Samples spread(const Samples& samples, std::size_t enough);

  const SizeRules* m_rules;
  DeviceFacts m_device;
  Problem m_kind;
  bool m_l2_flushed;
  std::vector<Sample> m_samples;
};

/// By device name, kind of problem and state of the L2 cache. First those of GPUs, then those of
/// recordings; of each the flushed ones first, then those with more measurements.
[[nodiscard]] std::vector<MeasuredGroup> group_speeds(const SizeRules& rules,
                                                      const std::vector<ConfigSpeed>& speeds);

[[nodiscard]] std::vector<TimeModel> fit_models(const std::vector<MeasuredGroup>& groups,
                                                const std::vector<Config>& configs);

}  // namespace gtune
