#include "explain/explain_report.hpp"
#include "explain/side_by_side.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "page/roofline.hpp"
#include "report/document_html.hpp"

namespace gtune {

std::string limits_part(const KernelSpec& spec, const ProblemRecord& record,
                        const ProblemPlace& place) {
  std::string out = heading_element(4, place.id + "-limits", "What limits it");
  out += html_of(findings_report(spec, record.explanation), 5);
  if (!record.baseline_findings.empty()) {
    Document baselines("What limits the baselines");
    for (const BaselineFinding& each : record.baseline_findings) {
      baselines.line(each.name, each.finding.summary);
    }
    out += html_of(baselines, 5);
  }
  out += roofline(record, place);
  if (has_metrics_beside(record)) {
    out += heading_element(5, place.id + "-metrics", "Best, finalists and baselines side by side");
    out += paragraph(
        "In parentheses: the factor from the best, where it is 2 or more. A finalist is named by "
        "what differs from the best. The end of the page says what the names mean.");
    out += "<div class=\"beside\">\n" + html_of(side_by_side(spec, record.subjects)) + "</div>\n";
  }
  return out;
}

}  // namespace gtune
