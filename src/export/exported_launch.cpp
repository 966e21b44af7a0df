#include "export/exported_launch.hpp"

#include "model/error.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

const KernelLaunchSpec& exported_launch(const KernelSpec& spec) {
  const KernelLaunchSpec* launch = only_launch(spec.steps);
  if (launch != nullptr && needs_facts(spec, spec.steps)) {
    throw UserError(ExitCode::usage, "the launch of kernel '" + spec.name +
                                         "' depends on what the compiler reports, which an "
                                         "exported file does not know: export its configurations "
                                         "(--format json)");
  }
  if (launch != nullptr) return *launch;
  throw UserError(ExitCode::usage, "kernel '" + spec.name +
                                       "' runs in steps, and an exported file describes one "
                                       "launch: export its configurations (--format json)");
}

}  // namespace gtune
