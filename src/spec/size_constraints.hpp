#pragma once

#include <cstdint>
#include <vector>

#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// A spec's constraints on one configuration and device, reduced to what sizes decide. Takes as
/// long to make as some problems take to check, so it pays for many.
class SizeConstraints {
 public:
  /// `spec` must outlive this object.
  SizeConstraints(const KernelSpec& spec, const Config& config, const DeviceFacts& device);

  /// Whether satisfies() holds for the problem.
  [[nodiscard]] bool hold(const Problem& problem) const;

 private:
  void add(const Expression& condition);

  const KernelSpec& m_spec;
  std::vector<std::int64_t> m_slots;  // with sizes of 0
  std::vector<Expression> m_open;
  bool m_fail = false;  // for every problem
};

}  // namespace gtune
