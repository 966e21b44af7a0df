#include "page/effects_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/effects_report.hpp"
#include "model/value_word.hpp"
#include "page/figure.hpp"
#include "report/document_html.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_most_parameters = 6;
constexpr double k_no_cost = 0.0005;  // rounds to 0.0 %
constexpr double k_flat = 0.02;       // less than this says little

/// The values of a parameter by number, not by cost.
std::vector<ValueEffect> by_value(const ParameterEffect& effect) {
  std::vector<ValueEffect> values = effect.values;
  std::stable_sort(values.begin(), values.end(),
                   [](const ValueEffect& a, const ValueEffect& b) { return a.value < b.value; });
  return values;
}

/// Whether the parameter's values hardly differ.
bool is_flat(const ParameterEffect& effect) { return effect.values.back().cost < k_flat; }

/// Those that the chart shows, of parameters in the order of their cost.
std::vector<ParameterEffect> shown_ones(const std::vector<ParameterEffect>& parameters) {
  std::vector<ParameterEffect> shown;
  for (const ParameterEffect& each : parameters) {
    if (shown.size() < k_most_parameters && !is_flat(each)) shown.push_back(each);
  }
  return shown;
}

/// Which parameters the chart leaves out.
std::string left_out_text(const std::vector<ParameterEffect>& parameters) {
  std::string flat;
  std::size_t others = 0;
  for (const ParameterEffect& each : parameters) {
    if (each.values.size() < 2) continue;
    if (!is_flat(each)) {
      ++others;
    } else {
      flat += (flat.empty() ? "" : ", ") + each.name;
    }
  }
  std::string out;
  if (others > k_most_parameters) {
    out = fmt::format(" The {} parameters that matter most; the table has all.", k_most_parameters);
  }
  if (flat.empty()) return out;
  return out +
         fmt::format(" Left out, as all their values are within {:.0f} %: {}.", 100 * k_flat, flat);
}

Table effects_table(const std::vector<ParameterEffect>& parameters) {
  Table numbers({text_column("parameter"), text_column("value"), text_column("slowdown"),
                 text_column("problems"), text_column("configurations")});
  for (const ParameterEffect& parameter : parameters) {
    for (const ValueEffect& each : by_value(parameter)) {
      numbers.row({parameter.name, value_cell(each.value),
                   Cell(each.cost).said(cost_text(each.cost)), each.problems, each.configurations});
    }
  }
  return numbers;
}

}  // namespace

bool has_comparison(const std::vector<ParameterEffect>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const ParameterEffect& each) { return each.values.size() > 1; });
}

std::string effects_element(const std::vector<ParameterEffect>& parameters, const std::string& id,
                            const std::string& note) {
  const std::vector<ParameterEffect> shown = shown_ones(parameters);
  if (shown.empty()) {
    return paragraph(fmt::format(
        "No parameter matters alone: with each value, a configuration within {:.0f} % of the best "
        "was measured.",
        100 * k_flat));
  }
  std::vector<Bar> bars;
  std::string description = "Slowdown of the best configuration with each value:";
  for (const ParameterEffect& parameter : shown) {
    std::string heading = parameter.name;
    for (const ValueEffect& each : by_value(parameter)) {
      const std::string value = value_text(each.value), cost = cost_text(each.cost);
      bars.push_back({value, each.cost, cost, each.cost < k_no_cost, std::move(heading)});
      heading.clear();
      description += fmt::format(" {}={} {};", parameter.name, value, cost);
    }
  }
  constexpr double shortest = 0.05, longest = 1;  // longer bars are cut
  double most = shortest;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const ParameterEffect& first = shown.front();
  const std::string title = fmt::format("{} matters most: {} with its worst value", first.name,
                                        cost_text(first.values.back().cost));
  return figure_element({id, bars_svg(bars, std::min(most, longest), id, title, description), title,
                         note + left_out_text(parameters), html_of(effects_table(parameters))});
}

}  // namespace gtune
