#include "cli/problem_filter.hpp"

#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_text.hpp"
#include "spec/scope.hpp"

namespace gtune {

ProblemFilter::ProblemFilter(const KernelSpec& spec, const std::string& option,
                             const std::string& text)
    : m_spec(spec), m_what(option + " '" + text + "'") {
  if (text.empty()) return;
  Scope sizes;
  for (const ProblemSize& size : spec.sizes) sizes.add_slot(size.name);
  try {
    m_condition = Expression::parse(text, sizes);
  } catch (const ExpressionError& error) {
    throw UserError(ExitCode::usage, m_what + ": " + error.what() +
                                         "; expected a condition over sizes of " + spec.name);
  }
}

bool ProblemFilter::holds(const Problem& problem) const {
  const Checked value = m_condition.try_evaluate(slot_values(m_spec, {problem, {}, {}}));
  if (value.failure != Failure::none) {
    throw UserError(ExitCode::usage, m_what + " has no value for " + problem_text(m_spec, problem) +
                                         ": " + std::string(to_string(value.failure)));
  }
  return value.value != 0;
}

}  // namespace gtune
