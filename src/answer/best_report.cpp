#include "answer/best_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/checked_text.hpp"
#include "report/heading.hpp"
#include "report/quantity.hpp"
#include "report/spec_columns.hpp"
#include "report/throughput.hpp"
#include "report/timing_text.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// Adds the source and the expected time. Text omits what the heading implies.
void add_source(Document& out, const Answer& answer) {
  out.data("tier", tier_text(answer)).data("asked", answer.asked);
  if (!is_own_and_exact(answer)) out.line("source", source_text(answer));
  if (!answer.expected) {
    out.data("expected_ms", {}).data("expected_error", {});
    return;
  }
  const auto& [ms, error] = *answer.expected;
  const std::string within =
      error ? fmt::format(" (nine of ten measured times are within {:.0f} % of what is expected)",
                          100 * *error)
            : " (a guess: only one size was measured)";
  out.fact("expect", "expected_ms", Cell(ms).said(quantity_text(ms, "ms", 3) + within));
  out.data("expected_error", error);
}

void add_time(Document& out, const BestRow& row) {
  const Timing& timing = *row.best.measurement.timing;
  const std::string samples = samples_text(timing);
  out.fact("time", "median_ms",
           Cell(timing.median_ms)
               .said(fmt::format("{} ({}{}{})", quantity_text(timing.median_ms, "ms", 5), samples,
                                 samples.empty() ? "" : ", ", row.mode.text())));
  // Without samples, only the median is known.
  const bool known = !timing.samples_ms.empty();
  out.data("min_ms", known ? Cell(timing.min_ms) : Cell())
      .data("p95_ms", known ? Cell(timing.p95_ms) : Cell())
      .data("samples", timing.samples_ms.size())
      .data("timing", row.mode.text());
  const std::string speed = throughput_of_rates(row.gflops, row.gbps, row.device).text();
  if (!speed.empty()) out.line("speed", speed);
  out.data("gflops", row.gflops).data("gbps", row.gbps);
}

Document answer_part(const KernelSpec& spec, const Answer& answer) {
  const BestRow& row = answer.row;
  Document out(heading(spec, answer.asked, row.device.name, row.device.replayed, row.mode));
  out.data("device", row.device.name)
      .data("replayed", row.device.replayed)
      .data("problem", row.problem);
  if (!spec.check.has_results()) out.data("reference", "none");
  add_source(out, answer);
  out.fact("best", "config", Cell(answer.config).said(config_text(spec, answer.config)));
  if (answer.tier != Tier::exact) {
    out.line("tuned at", problem_text(spec, row.problem) + ", where the following was measured");
  }
  const Config& measured = row.best.measurement.config;
  out.data("measured_config", measured);
  if (!(measured == answer.config)) {
    out.line("launched",
             config_text(spec, measured) + " is what was measured: the same compiled instance");
  }
  add_time(out, row);
  out.fact("checked", "checked_on_awkward_sizes",
           Cell(row.verified).said(checked_text(spec, row.verified, "not on awkward sizes")));
  out.fact(
      "measured", "created",
      Cell(row.best.created)
          .said(fmt::format("{}, driver {}, NVRTC {}{}", row.best.created, row.toolchain.driver,
                            row.toolchain.nvrtc,
                            row.complete ? "" : ", not the winner of a finished run for time")));
  out.data("driver", row.toolchain.driver)
      .data("nvrtc", row.toolchain.nvrtc)
      .data("complete", row.complete);
  return out;
}

/// The time on the asked problem: measured or expected.
std::string time_text(const Answer& answer) {
  const std::string how = answer.row.mode == TimingMode{} ? "" : ", " + answer.row.mode.text();
  if (answer.tier == Tier::exact) {
    return quantity_text(answer.row.best.measurement.timing->median_ms, "ms", 5) + how;
  }
  return answer.expected ? "expected " + quantity_text(answer.expected->ms, "ms", 3) + how : "-";
}

/// The measured speed on the asked problem.
std::string speed_text(const Answer& answer) {
  if (answer.tier != Tier::exact) return "-";
  const BestRow& row = answer.row;
  return throughput_of_rates(row.gflops, row.gbps, row.device).text();
}

Table csv_rows(const KernelSpec& spec, const std::vector<Answer>& answers) {
  Table table({csv_column("tier"), csv_column("device"), csv_column("replayed"),
               size_columns(spec, "asked_"), size_columns(spec), parameter_columns(spec),
               csv_column("median_ms"), csv_column("gflops"), csv_column("gbps"),
               csv_column("timing"), csv_column("checked"), csv_column("complete")});
  for (const Answer& answer : answers) {
    const BestRow& row = answer.row;
    table.row({tier_text(answer), row.device.name, row.device.replayed, answer.asked, row.problem,
               answer.config, row.best.measurement.timing->median_ms, row.gflops, row.gbps,
               row.mode.text(), row.verified, row.complete});
  }
  return table;
}

}  // namespace

Document best_report(const KernelSpec& spec, const std::vector<Answer>& answers) {
  std::vector<Document> best;
  for (const Answer& answer : answers) best.push_back(answer_part(spec, answer));
  return Document()
      .data("kernel", spec.name)
      .parts(std::move(best), "best")
      .table(csv_rows(spec, answers));
}

Document best_table(const KernelSpec& spec, const std::vector<Answer>& answers) {
  const auto device_of = [](const Answer& answer) {
    return answer.row.device.name + (answer.row.device.replayed ? " (replayed)" : "");
  };
  // What all rows share is said once, in the title.
  const auto all_share = [&](const auto& text_of_it) {
    return std::ranges::all_of(answers, [&](const Answer& each) {
      return text_of_it(each) == text_of_it(answers.front());
    });
  };
  const bool one_device = all_share(device_of);
  const bool one_source = all_share(source_text);
  const auto unless = [](bool shared, const char* label) {
    return shared ? csv_column("") : text_column(label);
  };
  Table table({text_column("problem"), unless(one_device, "device"), unless(one_source, "source"),
               text_column("time"), text_column("speed"), text_column("best")});
  for (const Answer& answer : answers) {
    table.row({problem_text(spec, answer.asked), device_of(answer), source_text(answer),
               time_text(answer), speed_text(answer), config_text(spec, answer.config)});
  }
  Document out(fmt::format("{}  {} problems{}{}", kernel_title(spec), answers.size(),
                           one_device ? "  " + device_of(answers.front()) : "",
                           one_source ? "  " + source_text(answers.front()) : ""));
  return out.table(std::move(table)).note("for more about a problem, name its sizes");
}

}  // namespace gtune
