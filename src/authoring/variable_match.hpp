#pragma once

#include <string>
#include <vector>

#include "authoring/argument_match.hpp"
#include "jit/elf_objects.hpp"
#include "model/plan.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// Compares the buffers that have a `symbol` with the variables of a compiled kernel. `plans`: the
/// sizes of the spec's buffers.
[[nodiscard]] std::vector<ArgumentMistake> match_variables(
    const std::vector<ArgumentSpec>& arguments, const std::vector<ArgumentPlan>& plans,
    const std::vector<ElfObject>& variables);

}  // namespace gtune
