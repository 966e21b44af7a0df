#include <fmt/format.h>

#include "explain/lines_report.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/markup_text.hpp"

namespace gtune {

std::string lines_part(const ProblemRecord& record, const SourceTexts& texts,
                       const ProblemPlace& place) {
  if (record.sampled.empty()) return "";
  std::string out = heading_element(4, place.id + "-lines", "Where it waits");
  out += paragraph(
      "A sampled warp counts for the line and the kind of instruction that it is at, and for the "
      "reason why it does not issue its next one (selected: it does). A share of the samples is a "
      "share of the warps' time: not of the kernel's, nor of the instructions executed.");
  for (const SampledKernel& each : record.sampled) {
    out += fmt::format("<details class=\"lines\"{}><summary>{}</summary>\n{}</details>\n",
                       &each == &record.sampled.front() ? " open" : "", markup_text(each.name),
                       html_of(profile_report(each.profile, each.stalls, texts), 5));
  }
  return out;
}

}  // namespace gtune
