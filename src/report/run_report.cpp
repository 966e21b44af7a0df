#include "report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "report/throughput.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

using nlohmann::json;

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

std::string time_text(double ms) {
  return ms < 1 ? fmt::format("{:.2f} us", ms * 1000) : fmt::format("{:.4f} ms", ms);
}

/// Half the width of the median's confidence interval; from few samples there is none.
std::string spread_text(const Timing& timing) {
  constexpr std::size_t fewest = 6;
  if (timing.samples_ms.size() < fewest) return "";
  return fmt::format(" +- {:.2f} %",
                     (timing.ci_high_ms - timing.ci_low_ms) / 2 / timing.median_ms * 100);
}

std::string device_line(const RunReport& report) {
  const DeviceFacts& device = report.device;
  std::string line = fmt::format("{} (sm_{}, {} SMs", device.name, device.cc(), device.sm_count);
  const auto& clock = report.result.winner.measurement.timing->sm_clock_mhz;
  if (clock) line += fmt::format(", {:.0f} of {} MHz", *clock, device.max_sm_clock_mhz);
  line += fmt::format(", driver {}, NVRTC {})", report.toolchain.driver, report.toolchain.nvrtc);
  if (device.replayed) line += ", replayed from a recording";
  return line;
}

std::string counts_line(const RunReport& report) {
  const RunSummary& summary = report.result.summary;
  std::string line = fmt::format("{} of {} configurations in {:.1f} s", summary.tried,
                                 report.space_size, summary.elapsed_s);
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

void add_finalists(std::string& out, const RunReport& report) {
  const double best = report.result.winner.measurement.timing->median_ms;
  for (const StoredMeasurement& finalist : report.finalists) {
    const Measurement& m = finalist.measurement;
    if (!m.ok() || finalist.id == report.result.winner.id) continue;
    const bool ties = std::any_of(report.result.ties.begin(), report.result.ties.end(),
                                  [&](const auto& tie) { return tie.id == finalist.id; });
    out += fmt::format("  {} ({:+.2f} %{})\n", m.config.text(),
                       (m.timing->median_ms / best - 1) * 100, ties ? ", a tie" : "");
  }
}

void add_baselines(std::string& out, const RunReport& report) {
  const double best = report.result.winner.measurement.timing->median_ms;
  for (const StoredMeasurement& baseline : report.baselines) {
    const Measurement& m = baseline.measurement;
    if (!m.ok()) {
      out += fmt::format("  {:<12}{}: {}\n", m.label, to_string(m.status), m.reason);
      continue;
    }
    out += fmt::format("  {:<12}{}, the best is {:.2f} x as fast\n", m.label,
                       time_text(m.timing->median_ms), m.timing->median_ms / best);
  }
}

void add_devices(std::string& out, const RunReport& report) {
  if (!report.devices.empty()) out += "measured on\n";
  for (const DeviceShare& share : report.devices) {
    out += fmt::format("  {} ({}): {}{}\n", share.worker, share.uuid, share.measured,
                       share.dropped_out ? ", dropped out" : "");
  }
}

std::optional<double> value_of(const std::vector<Metric>& metrics, std::string_view name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == metrics.end() ? std::nullopt : found->value;
}

/// The few that say at a glance what a kernel is bound by.
std::string metrics_line(const std::vector<Metric>& metrics) {
  // It is of the few loads of a kernel that has all else copied to shared memory asynchronously.
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

json metrics_json(const std::vector<Metric>& metrics) {
  json out = json::object();
  for (const Metric& metric : metrics) {
    out[metric.name] = {{"value", metric.value ? json(*metric.value) : json(nullptr)},
                        {"unit", metric.unit}};
    if (!metric.reason.empty()) out[metric.name]["reason"] = metric.reason;
  }
  return out;
}

json timing_json(const Timing& timing) {
  return {{"median_ms", timing.median_ms},
          {"min_ms", timing.min_ms},
          {"p95_ms", timing.p95_ms},
          {"mean_ms", timing.mean_ms},
          {"ci_low_ms", timing.ci_low_ms},
          {"ci_high_ms", timing.ci_high_ms},
          {"samples", timing.samples_ms.size()},
          {"sm_clock_mhz", timing.sm_clock_mhz ? json(*timing.sm_clock_mhz) : json(nullptr)},
          {"l2_flushed", timing.l2_flushed}};
}

json number_or_null(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

const std::vector<Metric>& metrics_of(const RunReport& report, MeasurementId id) {
  static const std::vector<Metric> none;
  const auto found = report.metrics.find(id);
  return found == report.metrics.end() ? none : found->second;
}

json measurement_json(const StoredMeasurement& stored, const RunReport& report) {
  const Measurement& m = stored.measurement;
  json out = {{"status", to_string(m.status)}};
  if (!m.label.empty()) out["name"] = m.label;
  if (!m.config.empty()) out["config"] = values_json(m.config);
  if (!m.reason.empty()) out["reason"] = m.reason;
  if (m.timing) {
    out.update(timing_json(*m.timing));
    const Throughput speed =
        throughput(m.timing->median_ms, report.flops, report.bytes, report.device);
    out["gflops"] = number_or_null(speed.gflops);
    out["gbps"] = number_or_null(speed.gbps);
    out["share_of_fma_peak"] = number_or_null(speed.fma_share);
    out["share_of_copy_bandwidth"] = number_or_null(speed.dram_share);
  }
  if (m.resources) {
    out["registers"] = m.resources->registers;
    out["shared_bytes"] = m.resources->static_shared_bytes + m.resources->dynamic_shared_bytes;
    out["spill_bytes"] = m.resources->spill_store_bytes + m.resources->spill_load_bytes;
    out["theoretical_occupancy"] = m.resources->theoretical_occupancy;
  }
  const std::vector<Metric>& metrics = metrics_of(report, stored.id);
  if (!metrics.empty()) out["metrics"] = metrics_json(metrics);
  return out;
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

std::string report_text(const RunReport& report) {
  const Measurement& best = report.result.winner.measurement;
  const Timing& timing = *best.timing;
  std::string out = fmt::format("{}  {}\n", report.kernel, report.problem.text());
  out += fmt::format("device      {}\n", device_line(report));
  out += fmt::format("best        {}\n", best.config.text());
  out += fmt::format("time        {}{} (median of {}, min {}, p95 {})\n",
                     time_text(timing.median_ms), spread_text(timing), timing.samples_ms.size(),
                     time_text(timing.min_ms), time_text(timing.p95_ms));
  const std::string speed =
      throughput(timing.median_ms, report.flops, report.bytes, report.device).text();
  if (!speed.empty()) out += fmt::format("speed       {}\n", speed);
  const std::string metrics = metrics_line(metrics_of(report, report.result.winner.id));
  if (!metrics.empty()) out += fmt::format("metrics     {}\n", metrics);
  if (report.finalists.size() > 1) out += "next best\n";
  add_finalists(out, report);
  out += fmt::format("checked     {}\n", report.result.verified
                                             ? "right here and on awkward sizes"
                                             : "right here; awkward sizes: not recorded");
  if (!report.baselines.empty()) out += "baselines\n";
  add_baselines(out, report);
  out += fmt::format("tried       {}{}\n", counts_line(report),
                     report.from_store ? "; this is the stored result of an earlier run" : "");
  constexpr std::size_t most_reasons = 3;
  for (std::size_t i = 0; i < std::min(most_reasons, report.failures.size()); ++i) {
    const FailureGroup& group = report.failures[i];
    out += fmt::format("  {} x {}: {}\n", group.count, to_string(group.status), group.reason);
  }
  if (report.gpu_busy) {
    out += fmt::format("GPU busy    {:.0f} % of the search\n", *report.gpu_busy * 100);
  }
  add_devices(out, report);
  if (report.workers_lost > 0) {
    out += fmt::format("  {} worker processes had to be replaced\n", report.workers_lost);
  }
  out += fmt::format("stored in   {}\n", report.database.string());
  out += fmt::format("run again   {}\n", report.run_again);
  return out;
}

nlohmann::json report_json(const RunReport& report) {
  json failures = json::array();
  for (const FailureGroup& group : report.failures) {
    failures.push_back(
        {{"status", to_string(group.status)}, {"reason", group.reason}, {"count", group.count}});
  }
  json counts = json::object();
  for (const auto& [status, count] : report.result.summary.by_status) {
    counts[std::string(to_string(status))] = count;
  }
  json baselines = json::array();
  for (const StoredMeasurement& baseline : report.baselines) {
    baselines.push_back(measurement_json(baseline, report));
  }
  json ties = json::array();
  for (const StoredMeasurement& tie : report.result.ties) {
    ties.push_back(measurement_json(tie, report));
  }
  json finalists = json::array();
  for (const StoredMeasurement& finalist : report.finalists) {
    finalists.push_back(measurement_json(finalist, report));
  }
  const DeviceFacts& device = report.device;
  json out = {{"kernel", report.kernel},
              {"problem", values_json(report.problem)},
              {"device",
               {{"name", device.name},
                {"uuid", device.uuid},
                {"arch", "sm_" + std::to_string(device.cc())},
                {"sm_count", device.sm_count},
                {"max_sm_clock_mhz", device.max_sm_clock_mhz},
                {"fma_tflops", number_or_null(device.fma_tflops)},
                {"dram_gbps", number_or_null(device.dram_gbps)},
                {"replayed", device.replayed}}},
              {"toolchain",
               {{"driver", report.toolchain.driver},
                {"runtime", report.toolchain.runtime},
                {"nvrtc", report.toolchain.nvrtc},
                {"gtune", report.toolchain.gtune}}},
              {"strategy", report.strategy},
              {"budget", report.budget},
              {"seed", report.seed},
              {"best", measurement_json(report.result.winner, report)},
              {"ties", ties},
              {"finalists", finalists},
              {"checked_on_awkward_sizes", report.result.verified},
              {"baselines", baselines},
              {"configurations", report.space_size},
              {"tried", report.result.summary.tried},
              {"reused", report.result.summary.reused},
              {"statuses", counts},
              {"failures", failures},
              {"elapsed_s", report.result.summary.elapsed_s},
              {"workers_lost", report.workers_lost},
              {"from_store", report.from_store},
              {"finished", report.result.finished},
              {"database", report.database.string()},
              {"run_again", report.run_again}};
  if (report.gpu_busy) out["gpu_busy"] = *report.gpu_busy;
  for (const DeviceShare& share : report.devices) {
    out["devices"].push_back({{"worker", share.worker},
                              {"uuid", share.uuid},
                              {"measured", share.measured},
                              {"dropped_out", share.dropped_out}});
  }
  return out;
}

}  // namespace gtune
