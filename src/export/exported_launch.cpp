#include "export/exported_launch.hpp"

#include "model/error.hpp"

namespace gtune {

const KernelLaunchSpec& exported_launch(const KernelSpec& spec) {
  const KernelLaunchSpec* launch = only_launch(spec.steps);
  if (launch != nullptr) return *launch;
  throw UserError(ExitCode::usage, "kernel '" + spec.name +
                                       "' runs in steps, and an exported file describes one "
                                       "launch: export its configurations (--format json)");
}

}  // namespace gtune
