#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/expected_time.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A coarse grid over the sizes of measured problems, five nodes along each of up to three. At its
/// nodes, a time model is corrected by what was measured around them.
class SizeGrid {
 public:
  static constexpr std::size_t most_nodes = 125;

  /// Without axes: one node, the same for all sizes.
  SizeGrid() = default;
  /// Takes the first three sizes that vary by themselves. With few problems, has no axes.
  SizeGrid(const KernelSpec& spec, const std::vector<Problem>& problems);

  [[nodiscard]] const std::array<gtune_axis, 3>& axes() const { return m_axes; }
  [[nodiscard]] std::size_t nodes() const;
  [[nodiscard]] gtune_spot spot(const Problem& problem) const;
  /// Sizes in the cell that begins at a node, the one of its smallest sizes. `along`: how far from
  /// that node, 0, to the next, 1, on each axis. Absent for a node that is the last on an axis: no
  /// cell begins there.
  [[nodiscard]] std::optional<NamedValues> sizes_in_cell(std::size_t node,
                                                         const std::array<double, 3>& along) const;
  /// By node, how much a measurement on the problem says about it: from 1 at the node down to 0.
  [[nodiscard]] std::vector<double> nearness(const Problem& problem) const;

 private:
  using Octaves = std::array<double, 3>;  // along each axis

  [[nodiscard]] Octaves octaves(const Problem& problem) const;

  std::array<gtune_axis, 3> m_axes{};
  std::vector<std::string> m_sizes;  // of the axes in use, which come first
};

/// By node of a grid, the factors by which a launch takes longer than expected: in thousandths,
/// what they are above 1.
struct NodeFactors {
  std::vector<std::int16_t> expected = {0};
  /// With a doubt that is smaller the more was measured, nearby and of the launch.
  std::vector<std::int16_t> compared = {0};
};

/// What the measurements of a launch say about the nodes.
class Corrections {
 public:
  explicit Corrections(std::size_t nodes) : m_sum(nodes), m_weight(nodes) {}

  void add(const std::vector<double>& nearness, double measured_ms, double expected_ms);
  [[nodiscard]] NodeFactors factors() const;

 private:
  std::vector<double> m_sum;  // of weighted logarithms
  std::vector<double> m_weight;
  std::size_t m_count = 0;  // of measurements
};

}  // namespace gtune
