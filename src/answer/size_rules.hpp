#pragma once

#include <string>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What a spec says about answering one problem with what was measured on another. Query,
/// leave-one-out and export ask here, so that they choose alike.
class SizeRules {
 public:
  /// Reads `spec` as long as it is used. `launch_only`: parameters that change nothing in the
  /// compiled kernel.
  explicit SizeRules(const KernelSpec& spec, std::vector<std::string> launch_only = {})
      : m_spec(spec), m_launch_only(std::move(launch_only)) {}

  [[nodiscard]] const KernelSpec& spec() const { return m_spec; }
  [[nodiscard]] const std::vector<std::string>& launch_only() const { return m_launch_only; }

  /// Whether results of one problem may answer for the other: all choices, such as TA, are equal.
  [[nodiscard]] bool same_kind(const Problem& a, const Problem& b) const;
  /// Whether the configuration satisfies the constraints.
  [[nodiscard]] bool is_valid(const Case& asked) const;

  /// What is compiled for a configuration: the same one for all that differ in launch-only
  /// parameters alone, which have their first values in it.
  [[nodiscard]] Config instance_of(const Config& config) const;
  /// Every way to launch an instance: itself with all values of the launch-only parameters; itself
  /// alone if there are more than `most_launches`.
  [[nodiscard]] std::vector<Config> launches_of(const Config& config) const;
  static constexpr std::size_t most_launches = 64;
  /// The same of several instances, each once, in their order.
  [[nodiscard]] std::vector<Config> launches_of(const std::vector<Config>& configs) const;

 private:
  const KernelSpec& m_spec;
  std::vector<std::string> m_launch_only;
};

}  // namespace gtune
