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

/// A larger table would be most of the page.
constexpr std::size_t k_most_pairs = 4096;

std::string pair_table(const KernelSpec& spec, const ProblemRecord& record,
                       const ParameterEffect& row, const ParameterEffect& column) {
  if (row.values.size() * column.values.size() > k_most_pairs) {
    return fmt::format(
        "<p>The table of {} x {} values of {} and {} is drawn by the page's script, and by "
        "<code>gtune query {} --table {},{}</code>.</p>\n",
        row.values.size(), column.values.size(), markup_text(row.name), markup_text(column.name),
        markup_text(spec.name), markup_text(row.name), markup_text(column.name));
  }
  return html_of(pair_report(spec, pair_tables(record.speeds, row.name, column.name)), 6);
}

/// The two parameters that matter most; the page's script lets the reader choose others.
std::string pair_part(const KernelSpec& spec, const ProblemRecord& record,
                      const ProblemEffects& effects, const ProblemPlace& place) {
  std::vector<const ParameterEffect*> varying;
  for (const ParameterEffect& each : effects.parameters) {
    if (each.values.size() > 1) varying.push_back(&each);
  }
  if (varying.size() < 2) return "";
  const ParameterEffect &row = *varying[0], &column = *varying[1];
  std::string out = heading_element(5, place.id + "-pairs", "Two parameters together");
  out += fmt::format("<div data-draw=\"pairs\" data-problem=\"{}\" data-pair=\"{},{}\">\n",
                     place.index, markup_text(row.name), markup_text(column.name));
  return out + pair_table(spec, record, row, column) + "</div>\n";
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
