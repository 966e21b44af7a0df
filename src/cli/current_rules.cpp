#include "cli/current_rules.hpp"

#include "jit/unnamed_parameters.hpp"

namespace gtune {

SizeRules current_rules(const KernelSpec& spec) {
  const KernelSource source(spec.source, spec.compiler);
  return SizeRules(spec, unnamed_parameters(spec, source));
}

}  // namespace gtune
