#include "page/effects_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/effects_report.hpp"
#include "model/value_word.hpp"
#include "report/document_html.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_most_parameters = 6;
constexpr double k_no_cost = 0.0005;  // rounds to 0.0 %

/// The values of a parameter by number, not by cost.
std::vector<ValueEffect> by_value(const ParameterEffect& effect) {
  std::vector<ValueEffect> values = effect.values;
  std::stable_sort(values.begin(), values.end(),
                   [](const ValueEffect& a, const ValueEffect& b) { return a.value < b.value; });
  return values;
}

}  // namespace

bool has_comparison(const std::vector<ParameterEffect>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const ParameterEffect& each) { return each.values.size() > 1; });
}

Figure effects_figure(const std::vector<ParameterEffect>& parameters, const std::string& id,
                      const std::string& note) {
  std::vector<Bar> bars;
  Table numbers({text_column("parameter"), text_column("value"), text_column("slowdown"),
                 text_column("problems")});
  std::string description = "Slowdown of the best configuration with each value:";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::string heading = parameters[i].name;
    for (const ValueEffect& each : by_value(parameters[i])) {
      const std::string value = value_text(each.value), cost = cost_text(each.cost);
      numbers.row(
          {parameters[i].name, value_cell(each.value), Cell(each.cost).said(cost), each.problems});
      if (i >= k_most_parameters) continue;
      bars.push_back({value, each.cost, cost, each.cost < k_no_cost, std::move(heading)});
      heading.clear();
      description += fmt::format(" {}={} {};", parameters[i].name, value, cost);
    }
  }
  constexpr double shortest = 0.05, longest = 1;  // longer bars are cut
  double most = shortest;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const ParameterEffect& first = parameters.front();
  const std::string title = fmt::format("{} matters most: {} with its worst value", first.name,
                                        cost_text(first.values.back().cost));
  Figure figure{id, bars_svg(bars, std::min(most, longest), id, title, description), title, note,
                html_of(numbers)};
  if (parameters.size() > k_most_parameters) {
    figure.note +=
        fmt::format(" The {} parameters that matter most; the table has all.", k_most_parameters);
  }
  return figure;
}

}  // namespace gtune
