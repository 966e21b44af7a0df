#include "answer/size_rules.hpp"

#include "answer/problems_around.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

bool SizeRules::same_kind(const Problem& a, const Problem& b) const {
  return same_choices(m_spec, a, b);
}

bool SizeRules::is_valid(const Config& config, const Problem& problem,
                         const DeviceFacts& device) const {
  return satisfies(m_spec, problem, config, device);
}

bool SizeRules::know_padding() const { return m_spec.work.padded.has_value(); }

std::optional<double> SizeRules::growth(const Config& config, const Problem& from,
                                        const Problem& to, const DeviceFacts& device) const {
  if (!is_valid(config, to, device)) return std::nullopt;
  const auto there = padded_work(m_spec, to, config, device);
  const auto here = padded_work(m_spec, from, config, device);
  if (!there || !here) return std::nullopt;
  return *there / *here;
}

std::vector<Problem> SizeRules::around(const Problem& problem) const {
  if (!know_padding()) return {};
  return problems_around(m_spec, problem);
}

std::optional<std::size_t> SizeRules::fastest(const std::vector<ConfigTime>& measured,
                                              const Problem& from, const Problem& to,
                                              const DeviceFacts& device) const {
  return expected_fastest(measured,
                          [&](const Config& config) { return growth(config, from, to, device); });
}

}  // namespace gtune
