#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "authoring/spec_places.hpp"
#include "jit/kernel_request.hpp"
#include "model/device_facts.hpp"
#include "model/plan.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

/// A launch of a checked kernel.
struct CheckedLaunch {
  std::string entry;                   // with the configuration's values
  std::string named;                   // as the spec spells it
  std::string place;                   // in the spec
  std::vector<std::size_t> arguments;  // indices into the kernel's arguments
  std::size_t step = 0;                // index into the planned steps
};

/// A kernel that the check compiles.
struct CheckedKernel {
  std::string what;     // "reference", "baseline naive", "BLOCK=64,UNROLL=1"
  std::string problem;  // as reports show it
  std::string place;    // in the spec
  KernelRequest request;
  std::vector<ArgumentSpec> arguments;
  std::vector<CheckedLaunch> launches;
  /// Plans the steps with the compiler's facts. May throw the UserError of an expression without a
  /// value. Empty for a function on the host.
  std::function<std::vector<StepPlan>(const CompiledFacts&)> steps;
  enum class Role { configuration, baseline, reference, compare } role = Role::configuration;
  Problem sizes = {};  // only of a configuration
  Config config = {};  // only of a configuration
  std::filesystem::path source = {};
};

/// A kernel of the spec for which no compile can be requested, and why.
struct RefusedKernel {
  std::string place;
  std::string line;
  std::string example = {};  // a case that shows it
};

struct KernelsToCheck {
  std::vector<CheckedKernel> kernels;
  std::vector<RefusedKernel> refused;
};

/// A problem and some valid configurations. The first one supplies the parameters that the
/// reference and the baselines leave open.
struct SampledProblem {
  Problem problem;
  std::vector<Config> configs;
};

/// The reference, the compare entries, the baselines and the configurations. A kernel that is the
/// same on several problems is listed once.
[[nodiscard]] KernelsToCheck kernels_to_check(const KernelSpec& spec, const SpecPlaces& places,
                                              const std::vector<SampledProblem>& problems,
                                              const DeviceFacts& device);

}  // namespace gtune
