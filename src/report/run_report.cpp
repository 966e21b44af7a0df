#include "report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "model/step_metrics.hpp"
#include "model/words.hpp"
#include "report/checked_text.hpp"
#include "report/drawing.hpp"
#include "report/energy_report.hpp"
#include "report/throughput.hpp"
#include "report/timing_text.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      if (out.empty() || out.back() != '#') out += '#';
    } else {
      out += c;
    }
  }
  return out;
}

std::string device_line(const KernelSpec& spec, const RunReport& report) {
  const DeviceFacts& device = report.device;
  std::string line = fmt::format("{} (sm_{}, {} SMs", device.name, device.cc(), device.sm_count);
  const auto& clock = report.result.winner.measurement.timing->sm_clock_mhz;
  if (clock) line += fmt::format(", {:.0f} of {} MHz", *clock, device.max_sm_clock_mhz);
  line += fmt::format(", driver {}, {} {})", report.toolchain.driver, compiler_name(spec.compiler),
                      report.toolchain.nvrtc);
  if (device.replayed) line += ", replayed from a recording";
  return line;
}

std::string counts_line(const RunReport& report) {
  const RunSummary& summary = report.result.summary;
  std::string line = std::to_string(summary.tried);
  if (report.space_size) line += fmt::format(" of {}", *report.space_size);
  line += fmt::format(" configurations in {:.1f} s", summary.elapsed_s);
  const auto measured = static_cast<double>(summary.tried - summary.reused);
  if (summary.elapsed_s > 0 && measured > 0 && !report.from_store) {
    line += fmt::format(" ({:.0f} a second)", measured / summary.elapsed_s);
  }
  if (summary.reused > 0) line += fmt::format(", {} of them stored before", summary.reused);
  for (const auto& [status, count] : summary.by_status) {
    line += fmt::format(", {} {}", count, to_string(status));
  }
  return line;
}

/// How a finalist compares with the winner. One that was eliminated has samples of early rounds
/// alone, whose median may be below the winner's though it was slower in these rounds.
std::string slower_text(double relative_time, bool ties) {
  if (ties) {
    return fmt::format("{:+.2f} %, a tie{}", (relative_time - 1) * 100,
                       relative_time < 1 ? "; the best needs fewer resources" : "");
  }
  if (relative_time < 1) return "about as fast, but eliminated in an earlier round";
  return fmt::format("{:+.2f} %", (relative_time - 1) * 100);
}

Table next_best(const KernelSpec& spec, const RunReport& report) {
  const double best = report.result.winner.measurement.timing->median_ms;
  Table table({text_column()});
  table.title("next best");
  for (const StoredMeasurement& finalist : report.finalists) {
    const Measurement& m = finalist.measurement;
    if (!m.ok() || finalist.id == report.result.winner.id) continue;
    const bool ties = std::any_of(report.result.ties.begin(), report.result.ties.end(),
                                  [&](const auto& tie) { return tie.id == finalist.id; });
    table.row({fmt::format("{} ({})", config_text(spec, m.config),
                           slower_text(m.timing->median_ms / best, ties))});
  }
  return table;
}

Table baseline_table(const RunReport& report) {
  constexpr std::size_t bar_width = 20;
  const double best = report.result.winner.measurement.timing->median_ms;
  Table table({text_column(), text_column()});
  table.title("baselines");
  const auto add = [&](const std::string& name, double ms, const std::string& words) {
    const std::string drawn =
        report.draws ? fmt::format("{:{}}  ", bar(best / ms, bar_width), bar_width) : "";
    table.row({name, drawn + time_text(ms) + words});
  };
  if (report.draws && !report.baselines.empty()) add("(best)", best, "");
  for (const StoredMeasurement& baseline : report.baselines) {
    const Measurement& m = baseline.measurement;
    if (m.ok()) {
      const double ms = m.timing->median_ms;
      add(m.label, ms, fmt::format(", the best is {:.2f} x as fast", ms / best));
    } else {
      table.row({m.label, fmt::format("{}: {}", to_string(m.status), m.reason)});
    }
  }
  return table;
}

/// The speed of the best so far, from the first to the last.
void add_search_drawing(Document& out, const std::vector<double>& best_so_far) {
  constexpr std::size_t most_columns = 40;
  if (best_so_far.empty() || best_so_far.front() == best_so_far.back()) return;
  const double first = 1 / best_so_far.front();
  const double last = 1 / best_so_far.back();
  std::vector<double> shares;
  for (const double ms : best_so_far) shares.push_back((1 / ms - first) / (last - first));
  out.line("search",
           fmt::format("{}  speed of the best so far; the first had {:.3g} % of the last one's",
                       sparkline(shares, most_columns), 100 * first / last));
}

std::optional<double> value_of(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::nullopt : found->value;
}

/// The few metrics that show at a glance what a kernel is bound by.
std::string metrics_line(const std::vector<Metric>& metrics) {
  // In a kernel that copies to shared memory asynchronously, gld_efficiency covers only the few
  // remaining loads.
  const bool copies = value_of(metrics, "async_requested_bytes").value_or(0) > 0;
  std::string line;
  for (const std::string_view name : {"dram_throughput", "l2_hit_rate", "fma_pipe_utilization",
                                      "achieved_occupancy", "gld_efficiency", "gst_efficiency"}) {
    const auto value = value_of(metrics, name);
    if (!value || (copies && name == "gld_efficiency")) continue;
    line += fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", name, *value);
  }
  return line;
}

const std::vector<Metric>& metrics_of(const RunReport& report, MeasurementId id) {
  static const std::vector<Metric> none;
  const auto found = report.metrics.find(id);
  return found == report.metrics.end() ? none : found->second;
}

Document metrics_part(const std::vector<Metric>& metrics) {
  Document out;
  for (const Metric& metric : metrics) {
    Document each;
    each.data("value", metric.value).data("unit", metric.unit);
    if (!metric.reason.empty()) each.data("reason", metric.reason);
    out.part(std::move(each), metric.name);
  }
  return out;
}

void add_timing(Document& out, const Timing& timing, const RunReport& report) {
  const Throughput speed = throughput(timing.median_ms, report.flops, report.bytes, report.device);
  out.data("median_ms", timing.median_ms)
      .data("min_ms", timing.min_ms)
      .data("p95_ms", timing.p95_ms)
      .data("mean_ms", timing.mean_ms)
      .data("ci_low_ms", timing.ci_low_ms)
      .data("ci_high_ms", timing.ci_high_ms)
      .data("samples", timing.samples_ms.size())
      .data("sm_clock_mhz", timing.sm_clock_mhz)
      .data("timing", timing.mode.text())
      .data("gflops", speed.gflops)
      .data("gbps", speed.gbps)
      .data("share_of_fma_peak", speed.fma_share)
      .data("share_of_copy_bandwidth", speed.dram_share);
}

/// Everything known about one measurement; in JSON only.
Document measurement_part(const StoredMeasurement& stored, const RunReport& report) {
  const Measurement& m = stored.measurement;
  Document out;
  out.data("status", to_string(m.status));
  if (!m.label.empty()) out.data("name", m.label);
  if (!m.config.empty()) out.data("config", m.config);
  if (!m.reason.empty()) out.data("reason", m.reason);
  if (m.timing) add_timing(out, *m.timing, report);
  if (const auto& usage = m.resources) {
    out.data("registers", usage->registers)
        .data("shared_bytes", usage->static_shared_bytes + usage->dynamic_shared_bytes)
        .data("spill_bytes", usage->spill_store_bytes + usage->spill_load_bytes)
        .data("theoretical_occupancy", usage->theoretical_occupancy);
  }
  const std::vector<Metric>& metrics = metrics_of(report, stored.id);
  if (!metrics.empty()) out.part(metrics_part(metrics), "metrics");
  return out;
}

std::vector<Document> measurement_parts(const std::vector<StoredMeasurement>& measurements,
                                        const RunReport& report) {
  std::vector<Document> out;
  for (const StoredMeasurement& each : measurements) out.push_back(measurement_part(each, report));
  return out;
}

Document device_part(const DeviceFacts& device) {
  Document out;
  out.data("name", device.name)
      .data("uuid", device.uuid)
      .data("arch", "sm_" + std::to_string(device.cc()))
      .data("sm_count", device.sm_count)
      .data("max_sm_clock_mhz", device.max_sm_clock_mhz);
  for (const auto& [name, value] : k_device_limits) out.data(name, device.limits.*value);
  return out.data("replayed", device.replayed);
}

Document toolchain_part(const Toolchain& toolchain) {
  return Document()
      .data("driver", toolchain.driver)
      .data("runtime", toolchain.runtime)
      .data("nvrtc", toolchain.nvrtc)
      .data("gtune", toolchain.gtune);
}

/// The time of each step of the winner and its share of their sum, in the spec's order.
Table steps_table(const KernelSpec& spec, const std::vector<Metric>& metrics) {
  const std::vector<StepTime> times = step_times(metrics);
  double sum = 0;
  for (const StepTime& step : times) sum += step.ms;
  Table table({text_column(), text_column(), text_column()});
  table.title("steps, each by itself");
  for (const StepSpec& step : spec.steps) {
    for (const StepTime& time : times) {
      if (time.name != step.name) continue;
      table.row({time.name, time_text(time.ms),
                 sum > 0 ? fmt::format("{:.1f} %", 100 * time.ms / sum) : ""});
    }
  }
  return table;
}

/// The finalists whose energy is known.
std::vector<EnergyPoint> energy_points(const RunReport& report) {
  std::vector<EnergyPoint> points;
  for (const StoredMeasurement& finalist : report.finalists) {
    const auto use = energy_use(metrics_of(report, finalist.id));
    if (!use || !finalist.measurement.ok()) continue;
    points.push_back(
        {finalist.id, finalist.measurement.config, finalist.measurement.timing->median_ms, *use});
  }
  return points;
}

/// What the winner costs, and what the fastest finalist would.
void add_energy(Document& out, const KernelSpec& spec, const RunReport& report) {
  const std::vector<EnergyPoint> points = energy_points(report);
  const auto winner = std::find_if(points.begin(), points.end(), [&](const EnergyPoint& point) {
    return point.id == report.result.winner.id;
  });
  if (winner == points.end()) return;
  out.line("energy", energy_text(winner->use));
  const EnergyPoint& fastest = *best_point(points, Objective::time);
  const EnergyPoint& least = *best_point(points, Objective::energy);
  const bool by_time = report.objective == Objective::time;
  const EnergyPoint& other = by_time ? least : fastest;
  if (other.id != winner->id) {
    out.line(by_time ? "least energy" : "fastest", compared_text(spec, other, *winner));
  }
  if (!by_time && !report.result.ties.empty()) {
    out.line("ties", fmt::format("{} within the spread of the repeats; the best is the fastest",
                                 gtune::counted(report.result.ties.size(), "other finalist")));
  }
  out.table(pareto_table(spec, points));
}

void add_best(Document& out, const KernelSpec& spec, const RunReport& report) {
  const StoredMeasurement& winner = report.result.winner;
  const Timing& timing = *winner.measurement.timing;
  out.line("best", config_text(spec, winner.measurement.config));
  const std::string spread = spread_text(timing);
  const std::string speed =
      throughput(timing.median_ms, report.flops, report.bytes, report.device).text();
  out.line("time", fmt::format("{}{}{}{}{}", time_text(timing.median_ms), spread.empty() ? "" : " ",
                               spread, speed.empty() ? "" : ", ", speed));
  out.line("samples", fmt::format("median of {}, min {}, p95 {}", timing.samples_ms.size(),
                                  time_text(timing.min_ms), time_text(timing.p95_ms)));
  add_energy(out, spec, report);
  out.table(steps_table(spec, metrics_of(report, winner.id)));
  const std::string metrics = metrics_line(metrics_of(report, winner.id));
  if (!metrics.empty()) out.line("metrics", metrics);
  out.part(measurement_part(winner, report), "best");
  // Percentages of time say little about a winner that was not chosen by time.
  if (report.objective == Objective::time) out.table(next_best(spec, report));
  out.parts(measurement_parts(report.finalists, report), "finalists");
  out.parts(measurement_parts(report.result.ties, report), "ties");
  out.fact("checked", "checked_on_awkward_sizes",
           Cell(report.result.verified)
               .said(checked_text(spec, report.result.verified, "awkward sizes: not recorded")));
  out.table(baseline_table(report));
  out.parts(measurement_parts(report.baselines, report), "baselines");
}

/// The most frequent reasons in text, all of them in JSON.
void add_failures(Document& out, const RunReport& report) {
  constexpr std::size_t most_said = 3;
  Table said({text_column()});
  Table all({json_column("status"), json_column("reason"), json_column("count")});
  for (const FailureGroup& group : report.failures) {
    all.row({to_string(group.status), group.reason, group.count});
    if (said.rows().size() == most_said) continue;
    said.row({fmt::format("{} x {}: {}", group.count, to_string(group.status), group.reason)});
  }
  out.table(said.title("failures")).table(all.key("failures"));
}

std::string end_line(double gain) {
  constexpr double least_said = 1e-5;
  return fmt::format("by itself: the next configuration is expected to gain {}{:.1g} %",
                     gain < least_said ? "less than " : "", 100 * std::max(gain, least_said));
}

/// "4 winners of bundled results, 3 of earlier runs".
void add_priors(Document& out, const std::map<std::string, int>& priors) {
  std::string text;
  Document counts;
  for (const auto& [origin, count] : priors) {
    std::string words = origin;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += fmt::format("{}{}{} of {}", text.empty() ? "" : ", ", count,
                        !text.empty() ? ""
                        : count == 1  ? " winner"
                                      : " winners",
                        words);
    counts.data(origin, count);
  }
  if (!text.empty()) out.line("tried first", text);
  if (!priors.empty()) out.part(std::move(counts), "tried_first");
}

void add_counts(Document& out, const RunReport& report) {
  const RunSummary& summary = report.result.summary;
  out.fact("tried", "tried",
           Cell(summary.tried)
               .said(counts_line(report) +
                     (report.from_store ? "; this is the stored result of an earlier run" : "")));
  add_priors(out, report.priors);
  if (summary.ended_at_gain) {
    out.fact("ended", "ended_at_gain",
             Cell(*summary.ended_at_gain).said(end_line(*summary.ended_at_gain)));
  }
  Document counts;
  for (const auto& [status, count] : summary.by_status) {
    counts.data(std::string(to_string(status)), count);
  }
  out.part(std::move(counts), "statuses");
  out.data("reused", summary.reused)
      .data("elapsed_s", summary.elapsed_s)
      .data("from_store", report.from_store)
      .data("configurations", report.space_size);
  add_failures(out, report);
}

void add_devices(Document& out, const RunReport& report) {
  if (report.gpu_busy) {
    out.fact(
        "GPU busy", "gpu_busy",
        Cell(*report.gpu_busy).said(fmt::format("{:.0f} % of the search", 100 * *report.gpu_busy)));
  }
  if (!report.devices.empty()) {
    Table devices({text_column(), json_column("worker"), json_column("uuid"),
                   json_column("measured"), json_column("dropped_out")});
    devices.title("measured on").key("devices");
    for (const DeviceShare& share : report.devices) {
      devices.row({fmt::format("{} ({}): {}{}", share.worker, share.uuid, share.measured,
                               share.dropped_out ? ", dropped out" : ""),
                   share.worker, share.uuid, share.measured, share.dropped_out});
    }
    out.table(std::move(devices));
  }
  out.data("workers_lost", report.workers_lost);
  if (report.workers_lost > 0) {
    out.line("replaced", report.workers_lost == 1
                             ? "1 worker process"
                             : fmt::format("{} worker processes", report.workers_lost));
  }
}

void add_objective(Document& out, Objective objective) {
  if (objective == Objective::time) {
    out.data("objective", to_string(objective));
    return;
  }
  const bool is_energy = objective == Objective::energy;
  out.fact("objective", "objective",
           Cell(to_string(objective))
               .said(fmt::format("the least {} of a launch among the finalists, which are the best "
                                 "by time",
                                 is_energy ? "energy" : "energy x time (edp)")));
}

}  // namespace

std::vector<FailureGroup> group_failures(const std::vector<StoredMeasurement>& measurements) {
  std::map<std::pair<Status, std::string>, FailureGroup> groups;
  for (const StoredMeasurement& stored : measurements) {
    const Measurement& m = stored.measurement;
    if (m.status == Status::ok) continue;
    FailureGroup& group = groups[{m.status, without_numbers(m.reason)}];
    if (group.count++ == 0) {
      group.status = m.status;
      group.reason = m.reason;
    }
  }
  std::vector<FailureGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FailureGroup& a, const FailureGroup& b) { return a.count > b.count; });
  return sorted;
}

Document run_report(const KernelSpec& spec, const RunReport& report) {
  Document out;
  out.note(fmt::format("{}  {}", kernel_title(spec), problem_text(spec, report.problem)));
  out.data("kernel", spec.name).data("problem", report.problem).data("interrupted", false);
  if (!spec.check.has_results()) out.data("reference", "none");
  out.part(device_part(report.device), "device");
  out.part(toolchain_part(report.toolchain), "toolchain");
  out.data("strategy", report.strategy).data("budget", report.budget).data("seed", report.seed);
  add_best(out, spec, report);
  add_objective(out, report.objective);
  add_counts(out, report);
  if (report.draws) add_search_drawing(out, report.best_so_far);
  out.line("device", device_line(spec, report));
  add_devices(out, report);
  out.data("finished", report.result.finished);
  out.fact("stored in", "database", report.database.string());
  out.fact("run again", "run_again", report.run_again);
  return out;
}

}  // namespace gtune
