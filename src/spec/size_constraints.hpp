#pragma once

#include <cstdint>
#include <vector>

#include "spec/open_sizes.hpp"

namespace gtune {

/// A spec's constraints on one configuration and device, reduced to what sizes decide.
class SizeConstraints {
 public:
  SizeConstraints(const KernelSpec& spec, const OpenSizes& open);

  /// Whether satisfies() holds for the problem with these size_slots().
  [[nodiscard]] bool hold(const std::vector<std::int64_t>& sizes) const;

 private:
  std::vector<Expression> m_open;
  bool m_fail = false;  // for every problem
};

}  // namespace gtune
