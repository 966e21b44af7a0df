#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A configuration and a device, with the sizes of the problem open. Reduces expressions to what
/// sizes decide, which takes as long as some evaluations, so it pays for many problems.
class OpenSizes {
 public:
  OpenSizes(const KernelSpec& spec, const Config& config, const DeviceFacts& device);

  /// An expression of integers that has the same value for every problem.
  [[nodiscard]] Expression reduced(const Expression& expression) const {
    return expression.given(m_known);
  }

 private:
  std::vector<std::optional<std::int64_t>> m_known;  // by slot
};

/// The slots that a reduced expression reads. A size that the problem has not is 0.
[[nodiscard]] std::vector<std::int64_t> size_slots(const KernelSpec& spec, const Problem& problem);

}  // namespace gtune
