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

/// One of its launches.
struct CheckedLaunch {
  std::string entry;                   // with its values
  std::string named;                   // as the spec has it
  std::string place;                   // in the spec
  std::vector<std::size_t> arguments;  // that it takes, of the kernel's
  std::size_t step = 0;                // among the planned ones
};

/// A kernel of a spec that its check compiles.
struct CheckedKernel {
  std::string what;     // "reference", "baseline naive", "BLOCK=64,UNROLL=1"
  std::string problem;  // as reports name it
  std::string place;    // in the spec
  KernelRequest request;
  std::vector<ArgumentSpec> arguments;
  std::vector<CheckedLaunch> launches;
  /// With what the compiler reports. May throw the UserError of an expression that has no value;
  /// empty of a function on the host.
  std::function<std::vector<StepPlan>(const CompiledFacts&)> steps;
  enum class Role { configuration, baseline, reference, compare } role = Role::configuration;
  Problem sizes = {};  // of a configuration: the problem,
  Config config = {};  // and its values
  std::filesystem::path source = {};
};

/// Of the spec's kernels those that cannot even be asked for, and why.
struct RefusedKernel {
  std::string place;
  std::string line;
  std::string example = {};  // a case for which that holds
};

struct KernelsToCheck {
  std::vector<CheckedKernel> kernels;
  std::vector<RefusedKernel> refused;
};

/// A problem with configurations that are valid for it, the first of which the reference and the
/// baselines take where they leave a parameter open.
struct SampledProblem {
  Problem problem;
  std::vector<Config> configs;
};

/// The reference, the compare entries, the baselines and the configurations. Kernels that are the
/// same on several problems are there once.
[[nodiscard]] KernelsToCheck kernels_to_check(const KernelSpec& spec, const SpecPlaces& places,
                                              const std::vector<SampledProblem>& problems,
                                              const DeviceFacts& device);

}  // namespace gtune
