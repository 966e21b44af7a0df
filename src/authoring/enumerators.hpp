#pragma once

#include <string>
#include <vector>

#include "authoring/source_outline.hpp"

namespace gtune {

/// The values of a kernel's template parameter that is an enumeration, as an entry spells them:
/// "ns::Mode::fast". Empty if `types` lacks its type.
[[nodiscard]] std::vector<std::string> enumerators_of(const TemplateParameter& parameter,
                                                      const OutlinedKernel& kernel,
                                                      const TypeOutline& types);

/// "(::ns::Mode)" if a number for this parameter needs a cast, because its type may be an
/// enumeration whose values are unknown; otherwise empty.
[[nodiscard]] std::string cast_to_type_of(const TemplateParameter& parameter,
                                          const OutlinedKernel& kernel, const TypeOutline& types);

}  // namespace gtune
