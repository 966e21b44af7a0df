#pragma once

#include "authoring/index_outline.hpp"
#include "authoring/spec_draft.hpp"

namespace gtune {

/// A launch as a spec says it: expressions.
struct LaunchDraft {
  std::vector<std::string> grid;
  std::vector<std::string> block;
  std::string shared;            // empty: not known
  bool is_the_programs = false;  // read from the host code, all of it
};

/// Of the tuned kernel: from the host's launch, the kernel's indices, and names, in this order. May
/// add parameters for a block that the source leaves to the launch.
[[nodiscard]] LaunchDraft draft_launch(const KernelFacts& facts, const IndexOutline& indices,
                                       SpecDraft& draft);

/// Of the reference, whose launch may not depend on parameters.
[[nodiscard]] LaunchDraft draft_reference_launch(const KernelFacts& facts, const SpecDraft& draft);

}  // namespace gtune
