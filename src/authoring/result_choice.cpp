#include "authoring/result_choice.hpp"

#include <algorithm>
#include <set>

#include "authoring/macro_outline.hpp"
#include "authoring/name_guess.hpp"

namespace gtune {
namespace {

constexpr std::int64_t most_choice = 64;  // a larger number is a size's

/// The numbers in `NAME == 2`, `2 != NAME` and in the cases of `switch (NAME)`.
std::set<std::int64_t> compared_numbers(const Tokens& body, const std::string& name) {
  std::set<std::int64_t> numbers;
  const auto add = [&](std::size_t at) {
    if (const auto value = constant_value({std::string(token_at(body, at))}))
      numbers.insert(*value);
  };
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != name) continue;
    const std::string_view before = at > 0 ? token_at(body, at - 1) : "";
    const bool is_operand = before == "(" || before == "&" || before == "|" || before == "=";
    if (is_operand && is_equality(body, at + 1)) add(at + 3);
    if (at > 2 && is_equality(body, at - 2)) add(at - 3);
    if (at < 2 || !stands_at(body, at - 2, {"switch", "("})) continue;
    const std::size_t end = past_brackets(body, at + 2);
    for (std::size_t each = at; each < end; ++each) {
      if (body[each] == "case") add(each + 1);
    }
  }
  return numbers;
}

}  // namespace

std::optional<std::vector<std::int64_t>> result_choices(const TemplateParameter& parameter,
                                                        const OutlinedKernel& kernel) {
  if (looks_like_optimization(parameter.name)) return std::nullopt;
  if (parameter.is_bool) return std::vector<std::int64_t>{0, 1};
  if (meaning_of(parameter.name, parameter.default_value) != NameMeaning::unclear) {
    return std::nullopt;
  }
  const std::set<std::int64_t> numbers = compared_numbers(kernel.body, parameter.name);
  const bool are_choices = std::ranges::all_of(
      numbers, [](std::int64_t number) { return number >= 0 && number <= most_choice; });
  if (numbers.empty() || !are_choices) return std::nullopt;
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

}  // namespace gtune
