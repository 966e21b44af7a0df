#include "cli/current_rules.hpp"

#include "jit/launch_only.hpp"

namespace gtune {

SizeRules current_rules(const KernelSpec& spec) {
  const KernelSource source(spec.source, spec.compiler);
  return SizeRules(spec, launch_only_parameters(spec, source));
}

}  // namespace gtune
