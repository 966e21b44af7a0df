#include "authoring/default_sizes.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "authoring/source_tokens.hpp"
#include "model/plan.hpp"
#include "spec/expression.hpp"
#include "spec/scope.hpp"

namespace gtune {
namespace {

/// Of a size that is one of so many dimensions: the first of one dimension, and so on.
constexpr std::array<std::int64_t, 9> by_dimensions = {1048576, 1024, 256, 64, 32, 16, 8, 8, 4};

class DefaultSizes {
 public:
  DefaultSizes(const SpecDraft& draft, const SizeUse& use) : m_draft(draft), m_use(use) {
    const std::size_t extents = count_extents(false);
    // The stride between matrices of a batch: a matrix's number of elements.
    m_has_matrices = extents > 2;
    const std::size_t dimensions = dimensions_of(extents);
    m_usual = by_dimensions.at(dimensions - 1);
    m_fitting = first_that_fits(std::span(by_dimensions).subspan(dimensions - 1));
  }

  [[nodiscard]] std::int64_t of(const DraftSize& size) const {
    if (size.value) return *size.value;
    const Tokens shared = source_tokens(m_use.shared_bytes);
    const bool is_of_shared = std::ranges::find(shared, size.name) != shared.end();
    const std::int64_t extent = is_of_shared ? m_fitting : m_usual;
    return m_has_matrices && m_use.is_stride(size) ? extent * extent : extent;
  }

 private:
  [[nodiscard]] std::size_t count_extents(bool of_strides) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(m_draft.sizes(), [&](const DraftSize& size) {
          return size.is_extent && !size.value && m_use.is_stride(size) == of_strides;
        }));
  }

  /// A size may be the extent along several dimensions of the grid or of a buffer.
  [[nodiscard]] std::size_t dimensions_of(std::size_t extents) const {
    const std::size_t all = extents + (m_has_matrices ? 0 : count_extents(true));
    // 65535 blocks along y or z are allowed: 64 * 64, or 32 * 32 * 32.
    const std::size_t factors = factors_of_blocks();
    const std::size_t least = factors > 2 ? 5 : factors > 1 ? 4 : 1;
    return std::clamp(std::max({all, m_use.grid.size(), m_use.buffer_dimensions}), least,
                      by_dimensions.size());
  }

  /// The most sizes that multiply to the blocks along y or z.
  [[nodiscard]] std::size_t factors_of_blocks() const {
    std::size_t most = 1;
    for (std::size_t axis = 1; axis < m_use.grid.size(); ++axis) {
      const Tokens tokens = source_tokens(m_use.grid[axis]);
      if (tokens.empty() || tokens.front() == "ceil_div") continue;
      const auto sizes = std::ranges::count_if(m_draft.sizes(), [&](const DraftSize& size) {
        return std::ranges::find(tokens, size.name) != tokens.end();
      });
      most = std::max(most, static_cast<std::size_t>(sizes));
    }
    return most;
  }

  /// The first of these sizes with which dynamic shared memory fits; the last if none fits.
  [[nodiscard]] std::int64_t first_that_fits(std::span<const std::int64_t> sizes) const {
    Scope scope;
    for (const DraftSize& size : m_draft.sizes()) scope.add_slot(size.name);
    for (const DraftParameter& param : m_draft.params()) scope.add_slot(param.name);
    Expression bytes;
    try {
      bytes = Expression::parse(m_use.shared_bytes, scope);
    } catch (const ExpressionError&) {  // names something other than sizes and parameters
      return sizes.front();
    }
    for (const std::int64_t size : sizes) {
      const Checked value = bytes.try_evaluate(slots_with(size));
      if (value.failure == Failure::none && value.value <= shared_without_opt_in) return size;
    }
    return sizes.back();
  }

  /// Values for an expression: this one for open sizes, the largest of each parameter.
  [[nodiscard]] std::vector<std::int64_t> slots_with(std::int64_t open) const {
    std::vector<std::int64_t> slots;
    for (const DraftSize& size : m_draft.sizes()) slots.push_back(size.value.value_or(open));
    for (const DraftParameter& param : m_draft.params()) {
      const bool has_numbers = param.words.empty() && !param.values.empty();
      slots.push_back(has_numbers ? std::ranges::max(param.values) : 0);
    }
    return slots;
  }

  const SpecDraft& m_draft;
  const SizeUse& m_use;
  bool m_has_matrices = false;
  std::int64_t m_usual = 0;
  std::int64_t m_fitting = 0;  // for sizes that shared memory grows with
};

}  // namespace

std::vector<std::int64_t> default_sizes(const SpecDraft& draft, const SizeUse& use) {
  const DefaultSizes defaults(draft, use);
  std::vector<std::int64_t> values;
  values.reserve(draft.sizes().size());
  for (const DraftSize& size : draft.sizes()) values.push_back(defaults.of(size));
  return values;
}

}  // namespace gtune
