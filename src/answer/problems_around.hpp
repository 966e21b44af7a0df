#pragma once

#include <cstddef>
#include <vector>

#include "answer/size_grid.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// At most four problems of about the size of `problem`, the same ones every time. Sizes are scaled
/// by up to half an octave either way and keep their divisibility by 2, 4 or 8. Derived sizes
/// follow from them; problems in which one is not allowed are dropped.
[[nodiscard]] std::vector<Problem> problems_around(const KernelSpec& spec, const Problem& problem);

/// Problems of one kind and of any size, the same ones every time. Sizes are spread evenly over
/// octaves; all but the first are, at random, given or left to follow from the others. Problems in
/// which a derived size is not allowed are dropped; there may be none.
[[nodiscard]] std::vector<Problem> problems_of_any_size(const KernelSpec& spec,
                                                        const Problem& of_kind);

/// Problems of one kind, spread evenly over the cell that begins at a node of the grid, the same
/// ones every time; none if no cell begins there. Sizes that are no axes follow from the others;
/// problems in which one is not allowed are dropped.
[[nodiscard]] std::vector<Problem> problems_in_cell(const KernelSpec& spec, const Problem& of_kind,
                                                    const SizeGrid& grid, std::size_t node);

}  // namespace gtune
