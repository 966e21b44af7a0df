#include "authoring/impossible_problems.hpp"

#include "spec/awkward_problems.hpp"
#include "spec/evaluate.hpp"

namespace gtune {

ImpossibleProblems::ImpossibleProblems(const KernelSpec& spec, const DeviceFacts& device)
    : m_spec(spec),
      m_device(device),
      m_possible(spec.check.also.size()),
      m_reasons(spec.check.also.size()) {}

void ImpossibleProblems::try_all(const Problem& problem, const SearchSpace& space) {
  for (std::size_t entry = 0; entry < m_possible.size(); ++entry) {
    for (std::size_t i = 0; i < space.size() && !m_possible[entry]; ++i) {
      const Config config = space.config(i);
      const auto outcome =
          awkward_problem(m_spec, m_spec.check.also[entry], {problem, config, m_device});
      const auto* impossible = std::get_if<ImpossibleSize>(&outcome);
      m_possible[entry] = impossible == nullptr;
      if (impossible == nullptr || m_reasons[entry]) continue;
      m_reasons[entry] = {entry, impossible->name, impossible->why,
                          existing_values(m_spec, config).text()};
    }
  }
}

std::vector<ImpossibleProblem> ImpossibleProblems::found() const {
  std::vector<ImpossibleProblem> found;
  for (std::size_t entry = 0; entry < m_possible.size(); ++entry) {
    if (!m_possible[entry] && m_reasons[entry]) found.push_back(*m_reasons[entry]);
  }
  return found;
}

}  // namespace gtune
