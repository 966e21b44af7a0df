#pragma once

#include "authoring/index_outline.hpp"
#include "authoring/spec_draft.hpp"

namespace gtune {

/// A launch as expressions of a spec.
struct LaunchDraft {
  std::vector<std::string> grid;
  std::vector<std::string> block;
  std::string shared;           // bytes; empty: unknown
  bool is_from_source = false;  // grid and block are those of the source's host code
};

/// Drafts the tuned kernel's launch from the host's launch, the kernel's indices, and names, in
/// this order. May add parameters for a block size that the source does not fix.
[[nodiscard]] LaunchDraft draft_launch(const KernelFacts& facts, const IndexOutline& indices,
                                       SpecDraft& draft);

/// Drafts the reference's launch, which may not depend on parameters.
[[nodiscard]] LaunchDraft draft_reference_launch(const KernelFacts& facts, const SpecDraft& draft);

}  // namespace gtune
