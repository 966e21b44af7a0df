#include "answer/size_rules.hpp"

#include "answer/problems_around.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune {

bool SizeRules::same_kind(const Problem& a, const Problem& b) const {
  return same_choices(m_spec, a, b);
}

bool SizeRules::is_valid(const Case& asked) const { return satisfies(m_spec, asked); }

bool SizeRules::know_padding() const { return m_spec.work.padded.has_value(); }

std::optional<double> SizeRules::growth(const Case& measured, const Problem& to) const {
  const Case grown{to, measured.config, measured.device};
  if (!is_valid(grown)) return std::nullopt;
  const auto there = padded_work(m_spec, grown);
  const auto here = padded_work(m_spec, measured);
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
  return expected_fastest(measured, [&](const Config& config) {
    return growth({from, config, device}, to);
  });
}

}  // namespace gtune
