#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "authoring/exclusion_reasons.hpp"
#include "authoring/sample_configs.hpp"
#include "jit/kernel_request.hpp"
#include "space/enumerate.hpp"
#include "spec/kernel_spec.hpp"

// Checks a spec without a GPU.
namespace gtune {

struct CheckSettings {
  std::string arch = "sm_90";
  std::size_t configs = 8;  // how many are compiled
};

struct CheckMistake {
  std::string at;    // "file:line:column"; empty: no single place
  std::string line;  // what is wrong and what was expected
  std::string log;   // the compiler's output; empty: no compiler was run
};

/// A kernel that was compiled.
struct CheckedCompile {
  std::string what;  // "reference", "baseline naive", "BLOCK=64,UNROLL=1"
  std::string problem;
  std::string entry;  // with its template arguments
  bool ok = false;
  std::optional<double> compile_ms;  // only for the first kernel of a compile
  ResourceUsage resources;
  std::optional<std::string> cannot_launch;  // why, or why that is not known
  bool timed_out = false;                    // the compile
};

/// Valid configurations that cannot be launched on this architecture, all for the same reason.
struct LaunchFault {
  std::string reason;
  std::uint64_t count = 0;
  Config example;
  std::vector<std::string> keys = {};  // of the spec's part (see CaseError)
};

struct SpecCheck {
  std::filesystem::path file;
  std::string kernel;   // empty: the spec cannot be read
  std::string problem;  // with all sizes
  std::string arch;
  std::vector<CheckMistake> mistakes;
  std::vector<std::string> unread;  // tables that were not checked because of mistakes
  std::vector<CheckedCompile> compiles;
  std::uint64_t combinations = 0;
  std::uint64_t valid = 0;
  std::vector<Exclusion> excluded;
  std::vector<ExclusionReason> exclusion_reasons;
  std::vector<LaunchFault> launch_faults;
  std::uint64_t launches_tried = 0;  // number of valid configurations examined
  std::vector<std::string> idle_parameters;
  std::vector<UnusedValues> unused_values;
  std::vector<std::string> notes;

  [[nodiscard]] bool passed() const { return mistakes.empty(); }
};

/// Compiles all requests and returns a result for each. The requests ask for details.
using CompileAll = std::function<std::vector<CompileResult>(std::vector<KernelRequest>)>;

/// Checks a spec as far as its mistakes allow. Throws UserError (usage) if the file cannot be read
/// or the architecture is unknown.
[[nodiscard]] SpecCheck check_spec(const std::filesystem::path& file,
                                   std::span<const std::filesystem::path> kernel_folders,
                                   const CheckSettings& settings, const CompileAll& compile_all);

}  // namespace gtune
