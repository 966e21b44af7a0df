#include "report/best_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/throughput.hpp"
#include "report/values_json.hpp"

namespace gtune {
namespace {

/// By device, then by size: the database gives rows as they were stored.
void sort_rows(std::vector<BestRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const BestRow& a, const BestRow& b) {
    if (a.device.name != b.device.name) return a.device.name < b.device.name;
    const auto& left = a.problem.entries();
    const auto& right = b.problem.entries();
    return std::lexicographical_compare(
        left.begin(), left.end(), right.begin(), right.end(),
        [](const auto& x, const auto& y) { return x.second < y.second; });
  });
}

std::string row_text(const std::string& kernel, const BestRow& row) {
  const Measurement& m = row.best.measurement;
  std::string out = fmt::format("{}  {}  {}{}\n", kernel, row.problem.text(), row.device.name,
                                row.device.replayed ? " (replayed from a recording)" : "");
  out += fmt::format("  best      {}\n", m.config.text());
  out += fmt::format("  time      {:.4f} ms (median of {}", m.timing->median_ms,
                     m.timing->samples_ms.size());
  out += fmt::format(", L2 {})\n", row.l2_flushed ? "flushed" : "warm");
  const std::string speed = throughput_of_rates(row.gflops, row.gbps, row.device).text();
  if (!speed.empty()) out += fmt::format("  speed     {}\n", speed);
  out += fmt::format("  checked   {}\n", row.verified ? "right here and on awkward sizes"
                                                     : "right here; not on awkward sizes");
  out += fmt::format("  measured  {}, driver {}, NVRTC {}{}\n", row.best.created,
                     row.toolchain.driver, row.toolchain.nvrtc,
                     row.complete ? "" : ", by a run that did not end");
  return out;
}

nlohmann::json row_json(const BestRow& row) {
  const Measurement& m = row.best.measurement;
  nlohmann::json out = {{"device", row.device.name},
                        {"replayed", row.device.replayed},
                        {"problem", values_json(row.problem)},
                        {"config", values_json(m.config)},
                        {"median_ms", m.timing->median_ms},
                        {"min_ms", m.timing->min_ms},
                        {"p95_ms", m.timing->p95_ms},
                        {"samples", m.timing->samples_ms.size()},
                        {"complete", row.complete},
                        {"checked_on_awkward_sizes", row.verified},
                        {"l2_flushed", row.l2_flushed},
                        {"driver", row.toolchain.driver},
                        {"nvrtc", row.toolchain.nvrtc},
                        {"created", row.best.created}};
  out["gflops"] = row.gflops ? nlohmann::json(*row.gflops) : nlohmann::json(nullptr);
  out["gbps"] = row.gbps ? nlohmann::json(*row.gbps) : nlohmann::json(nullptr);
  return out;
}

}  // namespace

std::string best_text(const std::string& kernel, std::vector<BestRow> rows) {
  sort_rows(rows);
  std::string out;
  for (const BestRow& row : rows) out += row_text(kernel, row);
  return out;
}

nlohmann::json best_json(const std::string& kernel, std::vector<BestRow> rows) {
  sort_rows(rows);
  nlohmann::json out = {{"kernel", kernel}, {"best", nlohmann::json::array()}};
  for (const BestRow& row : rows) out["best"].push_back(row_json(row));
  return out;
}

}  // namespace gtune
