#include <fmt/format.h>

#include "answer/pair_table.hpp"
#include "explain/effects_report.hpp"
#include "page/effects_figure.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/markup_text.hpp"

namespace gtune {
namespace {

/// The two parameters that matter most; the page's script lets the reader choose others.
std::string pair_part(const KernelSpec& spec, const ProblemRecord& record,
                      const ProblemEffects& effects, const ProblemPlace& place) {
  std::vector<std::string> names;
  for (const ParameterEffect& each : effects.parameters) {
    if (each.values.size() > 1) names.push_back(each.name);
  }
  if (names.size() < 2) return "";
  std::string out = heading_element(5, place.id + "-pairs", "Two parameters together");
  out += fmt::format("<div data-draw=\"pairs\" data-problem=\"{}\" data-pair=\"{},{}\">\n",
                     place.index, markup_text(names[0]), markup_text(names[1]));
  Document tables = pair_report(spec, pair_tables(record.speeds, names[0], names[1]));
  return out + html_of(tables, 6) + "</div>\n";
}

}  // namespace

std::string effects_part(const KernelSpec& spec, const ProblemRecord& record,
                         const ProblemPlace& place) {
  const std::vector<ProblemEffects> effects = find_effects(record.speeds);
  if (effects.empty() || !has_comparison(effects.front().parameters)) return "";
  const ProblemEffects& all = effects.front();
  std::string out = heading_element(4, place.id + "-effects", "What matters");
  out += effects_element(all.parameters, place.id + "-effects-chart",
                         "Slowdown of the best configuration with each value, over all values of "
                         "the other parameters.");
  out += pair_part(spec, record, all, place);
  if (all.interactions.empty()) return out;
  out += heading_element(5, place.id + "-interactions", "Values that do not combine");
  return out + html_of(interactions_table(all.interactions));
}

}  // namespace gtune
