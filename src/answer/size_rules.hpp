#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/launch_work.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/launch_only.hpp"

namespace gtune {

/// A spec's rules for answering one problem with measurements of another. Query, leave-one-out and
/// export share them, so that they choose alike.
class SizeRules {
 public:
  /// `spec` must outlive this object. `unnamed`: see LaunchOnly.
  explicit SizeRules(const KernelSpec& spec, const std::vector<std::string>& unnamed = {})
      : m_spec(spec), m_launch_only(spec, unnamed), m_work_terms(spec) {}

  [[nodiscard]] const KernelSpec& spec() const { return m_spec; }

  /// Whether results of one problem may answer for the other: all sizes with choices, such as TA,
  /// are equal.
  [[nodiscard]] bool same_kind(const Problem& a, const Problem& b) const;
  /// Whether the configuration satisfies the constraints.
  [[nodiscard]] bool is_valid(const Case& asked) const;
  [[nodiscard]] const WorkTerms& work_terms() const { return m_work_terms; }
  /// Absent if the launch's work has no value.
  [[nodiscard]] std::optional<LaunchWork> work(const Case& of) const;

  /// The configuration with its launch-only parameters at their first values. It identifies the
  /// instance: equal for all configurations that differ only in these parameters.
  [[nodiscard]] Config instance_of(const Config& config) const;
  /// Every launch of a configuration's instance, with all values of the launch-only parameters;
  /// only `config` if there are more than `most_launches`.
  [[nodiscard]] std::vector<Config> launches_of(const Config& config) const;
  static constexpr std::size_t most_launches = 64;
  /// The same for several configurations, in their order; each instance is listed once.
  [[nodiscard]] std::vector<Config> launches_of(const std::vector<Config>& configs) const;

 private:
  const KernelSpec& m_spec;
  LaunchOnly m_launch_only;
  WorkTerms m_work_terms;
};

}  // namespace gtune
