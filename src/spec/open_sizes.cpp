#include "spec/open_sizes.hpp"

#include <algorithm>

#include "spec/evaluate.hpp"

namespace gtune {

OpenSizes::OpenSizes(const KernelSpec& spec, const Config& config, const DeviceFacts& device) {
  const std::vector<std::int64_t> slots = slot_values(spec, {Problem(), config, device});
  m_known.assign(slots.begin(), slots.end());
  std::fill_n(m_known.begin(), spec.sizes.size(), std::nullopt);
}

std::vector<std::int64_t> size_slots(const KernelSpec& spec, const Problem& problem) {
  std::vector<std::int64_t> slots;
  for (const ProblemSize& size : spec.sizes) {
    slots.push_back(problem.find(size.name).value_or(0));
  }
  return slots;
}

}  // namespace gtune
