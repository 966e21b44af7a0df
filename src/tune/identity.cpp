#include "tune/identity.hpp"

#include "jit/include_scanner.hpp"
#include "system/hash.hpp"

namespace gtune {

KernelIdentity identity_of(const KernelSpec& spec) {
  KernelIdentity identity;
  identity.name = spec.name;
  identity.source_hash = source_hash(spec.source, spec.options);
  identity.spec_hash = hex_digest(spec.text);
  for (const auto& size : spec.sizes) identity.problem_names.push_back(size.name);
  for (const auto& parameter : spec.params) identity.parameter_names.push_back(parameter.name);
  return identity;
}

}  // namespace gtune
