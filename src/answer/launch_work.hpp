#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spec/expression_set.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/open_sizes.hpp"

namespace gtune {

/// The work of a launch, as far as its spec states it.
struct LaunchWork {
  std::int64_t padded = 1;   // in the spec's unit; equals `bytes` if the spec states none
  std::int64_t traffic = 0;  // bytes that all blocks load and store; 0 if the spec does not say
  std::int64_t blocks = 1;   // of the grid; 1 if known_grid() is null
  std::int64_t bytes = 0;    // of all buffers except workspace
};

/// The expressions of a spec from which the work of its launches follows.
class WorkTerms {
 public:
  explicit WorkTerms(const KernelSpec& spec);

  /// For one configuration and device, to be given size_slots() instead of slot_values().
  [[nodiscard]] WorkTerms reduced(const OpenSizes& open) const;
  /// Absent if an expression has no value, or there is no work.
  [[nodiscard]] std::optional<LaunchWork> work(const std::vector<std::int64_t>& slots) const;

 private:
  std::vector<std::int64_t> m_element_bytes;  // by buffer
  std::size_t m_grid = 0;                     // its dimensions
  bool m_has_padded = false;
  bool m_has_traffic = false;
  std::vector<Expression> m_terms;  // counts of buffers, grid, padded work, traffic
  ExpressionSet m_all;              // of them
};

/// The buffers counted in LaunchWork::bytes.
[[nodiscard]] std::vector<const BufferSpec*> moved_buffers(const KernelSpec& spec);

/// The grid counted in LaunchWork::blocks; null if there is not exactly one launch, or if it
/// depends on facts known only after a compile.
[[nodiscard]] const std::vector<Expression>* known_grid(const KernelSpec& spec);

}  // namespace gtune
