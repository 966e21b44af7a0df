#include <fmt/format.h>

#include <algorithm>

#include "answer/pair_table.hpp"
#include "explain/effects_report.hpp"
#include "model/value_word.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/markup_text.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_most_parameters = 6;

/// The values of a parameter by number, not by cost.
std::vector<ValueEffect> by_value(const ParameterEffect& effect) {
  std::vector<ValueEffect> values = effect.values;
  std::stable_sort(values.begin(), values.end(),
                   [](const ValueEffect& a, const ValueEffect& b) { return a.value < b.value; });
  return values;
}

Figure effects_figure(const ProblemEffects& effects, const ProblemPlace& place) {
  std::vector<Bar> bars;
  Table numbers({text_column("parameter"), text_column("value"), text_column("slowdown")});
  std::string description = "Slowdown of the best configuration with each value:";
  for (std::size_t i = 0; i < effects.parameters.size(); ++i) {
    const ParameterEffect& parameter = effects.parameters[i];
    std::string heading = parameter.name;
    for (const ValueEffect& each : by_value(parameter)) {
      const std::string value = value_text(each.value), cost = cost_text(each.cost);
      numbers.row({parameter.name, value_cell(each.value), Cell(each.cost).said(cost)});
      if (i >= k_most_parameters) continue;
      bars.push_back({value, each.cost, cost, each.cost < 0.0005, std::move(heading)});
      heading.clear();
      description += fmt::format(" {}={} {};", parameter.name, value, cost);
    }
  }
  constexpr double longest = 1;  // twice the time; longer bars are cut
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const ParameterEffect& first = effects.parameters.front();
  const std::string title =
      fmt::format("{} matters most: {} with its worst value", first.name,
                  cost_text(first.values.back().cost));
  const std::string id = place.id + "-effects-chart";
  Figure figure{id, bars_svg(bars, std::clamp(most, 0.05, longest), id, title, description), title,
                "Slowdown of the best configuration with each value, over all values of the other "
                "parameters."};
  if (effects.parameters.size() > k_most_parameters) {
    figure.note += fmt::format(" The {} parameters that matter most; the table has all.",
                               k_most_parameters);
  }
  figure.table = html_of(numbers);
  return figure;
}

/// The two parameters that matter most; the page's script lets the reader choose others.
std::string pair_part(const KernelSpec& spec, const ProblemRecord& record,
                      const ProblemEffects& effects, const ProblemPlace& place) {
  if (effects.parameters.size() < 2) return "";
  std::string out = heading_element(5, place.id + "-pairs", "Two parameters together");
  out += fmt::format("<div data-draw=\"pairs\" data-problem=\"{}\" data-pair=\"{},{}\">\n",
                     place.index, markup_text(effects.parameters[0].name),
                     markup_text(effects.parameters[1].name));
  Document tables = pair_report(spec, pair_tables(record.speeds, effects.parameters[0].name,
                                                  effects.parameters[1].name));
  return out + html_of(tables, 6) + "</div>\n";
}

}  // namespace

std::string effects_part(const KernelSpec& spec, const ProblemRecord& record,
                         const ProblemPlace& place) {
  const std::vector<ProblemEffects> effects = find_effects(record.speeds);
  if (effects.empty() || effects.front().parameters.empty()) return "";
  const ProblemEffects& all = effects.front();
  std::string out = heading_element(4, place.id + "-effects", "What matters");
  out += figure_element(effects_figure(all, place));
  out += pair_part(spec, record, all, place);
  if (all.interactions.empty()) return out;
  out += heading_element(5, place.id + "-interactions", "Values that do not combine");
  return out + html_of(interactions_table(all.interactions));
}

}  // namespace gtune
