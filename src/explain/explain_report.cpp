#include "explain/explain_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/finding_parts.hpp"
#include "explain/value_table.hpp"
#include "report/heading.hpp"
#include "report/quantity.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// "best  TILE=128,..."
std::string named(const KernelSpec& spec, const Subject& subject) {
  const Config& config = subject.measured.config;
  return subject.name + (config.empty() ? "" : "  " + config_text(spec, config));
}

/// Without an intensity, a share of a limit is no place on a roofline.
void add_roof(Document& out, const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  if (!facts.roof) return;
  const std::string share =
      fmt::format("{} of the limit of {}", quantity_text(facts.roof->share, "share"),
                  facts.roof->of_compute ? "FMA units" : "device memory");
  if (facts.intensity.value_or(0) <= 0) {
    out.line("speed", share);
    return;
  }
  std::string intensity = fmt::format("{:.4g} FLOP/byte", *facts.intensity);
  const DeviceLimits& limits = subject.device.limits;
  if (limits.fma_tflops && limits.dram_gbps) {
    intensity += fmt::format(" (FMA units bind from {:.3g} on)",
                             *limits.fma_tflops * 1e3 / *limits.dram_gbps);
  }
  out.line("roofline", intensity + "; " + share);
}

/// A subject's data for JSON.
Document subject_part(const Subject& subject) {
  const StaticFacts& facts = subject.facts;
  Document missing;
  for (const Metric& metric : subject.metrics) {
    if (!metric.value) missing.data(metric.name, metric.reason);
  }
  Document out;
  out.data("name", subject.name)
      .data("config", subject.measured.config)
      .data("median_ms", subject.measured.timing->median_ms)
      .data("flop_per_byte", facts.intensity)
      .part(std::move(missing), "not_counted");
  if (facts.roof) {
    out.part(Document()
                 .data("of", facts.roof->of_compute ? "fma" : "dram")
                 .data("least_ms", facts.roof->least_ms)
                 .data("share", facts.roof->share),
             "roof");
  }
  if (subject.measured.resources) {
    out.data("occupancy_limit", subject.measured.resources->occupancy_limit);
  }
  return out;
}

void add_subject(Document& out, const KernelSpec& spec, const std::string& role,
                 const Subject& subject, const std::string& key) {
  out.line(role, named(spec, subject));
  const auto& usage = subject.measured.resources;
  if (usage && !usage->occupancy_limit.empty() && usage->theoretical_occupancy < 1) {
    const auto& waves = subject.facts.waves;
    out.line("occupancy",
             "limited by " + usage->occupancy_limit +
                 (waves && *waves < 1
                      ? fmt::format("; the grid fills {:.0f} % of what that leaves", 100 * *waves)
                      : ""));
  }
  out.part(subject_part(subject), key);
}

Document explanation_part(const KernelSpec& spec, const Explanation& each) {
  const BestRow& row = each.answer.row;
  Document out(heading(spec, row.problem, row.device.name, row.device.replayed, row.mode));
  out.data("tier", tier_text(each.answer))
      .data("asked", each.answer.asked)
      .data("device", row.device.name)
      .data("replayed", row.device.replayed)
      .data("timing", row.mode.text())
      .data("problem", row.problem);
  if (each.answer.tier != Tier::exact) out.line("asked", problem_text(spec, each.answer.asked));
  if (!is_own_and_exact(each.answer)) {
    out.line("source", source_text(each.answer));
  }
  add_subject(out, spec, "explains", each.subject, "subject");
  if (each.versus) add_subject(out, spec, "against", *each.versus, "versus");
  add_roof(out, each.subject);
  add_values(out, each);
  add_findings(out, each);
  return out;
}

}  // namespace

Document findings_report(const KernelSpec& spec, const Explanation& explanation) {
  Document out;
  add_subject(out, spec, "explains", explanation.subject, "subject");
  add_roof(out, explanation.subject);
  add_findings(out, explanation);
  note_missing_metrics(out, explanation);
  return out;
}

Document explain_report(const KernelSpec& spec, const std::vector<Explanation>& explanations) {
  std::vector<Document> parts;
  for (const Explanation& each : explanations) parts.push_back(explanation_part(spec, each));
  return Document().data("kernel", spec.name).parts(std::move(parts), "explanations");
}

}  // namespace gtune
