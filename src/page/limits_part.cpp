#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/explain_report.hpp"
#include "explain/side_by_side.hpp"
#include "page/figure.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"
#include "report/quantity.hpp"
#include "report/timing_text.hpp"

namespace gtune {
namespace {

/// A measurement on the roofline.
struct RoofPoint {
  std::string name;
  bool is_baseline = false;
  bool is_best = false;
  double intensity = 0;  // FLOP per byte
  double gflops = 0;
  double ms = 0;
};

/// With the bytes that were counted; without them, if `or_stated`, with those that the spec states.
std::optional<RoofPoint> roof_point(const Subject& subject, bool or_stated) {
  const auto gflops = subject.facts.speed.gflops;
  if (!gflops || *gflops <= 0) return std::nullopt;
  const double ms = subject.measured.timing->median_ms;
  const auto bytes = subject.metric("dram_bytes");
  RoofPoint point{subject.name, subject.measured.phase == Phase::baseline, false, 0, *gflops, ms};
  if (bytes && *bytes > 0) {
    point.intensity = *gflops * ms * 1e6 / *bytes;
  } else if (or_stated && subject.facts.intensity) {
    point.intensity = *subject.facts.intensity;
  }
  return point.intensity > 0 ? std::optional(point) : std::nullopt;
}

std::vector<RoofPoint> roof_points(const ProblemRecord& record) {
  std::vector<RoofPoint> points;
  const bool is_counted = !record.counted.empty();
  for (const Subject& each : is_counted ? record.counted : record.subjects) {
    auto point = roof_point(each, !is_counted);
    if (!point) continue;
    const Config& best = record.best.row.best.measurement.config;
    point->is_best = !point->is_baseline && each.measured.config == best;
    points.push_back(std::move(*point));
  }
  return points;
}

ChartAxis logarithmic_axis(const std::string& label, double low, double high, double size) {
  ChartAxis axis{label, true, low, high, {}};
  for (const double at : decimal_steps(low / size, high / size)) {
    axis.ticks.push_back({at * size, fmt::format("{:.6g}", at)});
  }
  return axis;
}

std::vector<ChartLine> limit_lines(const DeviceFacts& device, double low, double high) {
  const double peak = *device.fma_tflops * 1e3, bandwidth = *device.dram_gbps;
  const double ridge = std::clamp(peak / bandwidth, low, high);
  const auto limit = [](std::string name, ChartPoint from, ChartPoint to) {
    return ChartLine{std::move(name), {std::move(from), std::move(to)}, {}, LineStyle::limit};
  };
  return {limit("memory, " + quantity_text(bandwidth, "GB/s"), {low, low * bandwidth},
                {ridge, ridge * bandwidth}),
          limit("FMA, " + quantity_text(peak, "GFLOP/s"), {ridge, peak}, {high, peak})};
}

/// Other configurations, each baseline (beyond a few, all together), and the best.
std::vector<ChartLine> point_lines(const std::vector<RoofPoint>& points) {
  constexpr std::ptrdiff_t most_baselines = 4;
  const auto baselines = std::count_if(points.begin(), points.end(),
                                       [](const RoofPoint& each) { return each.is_baseline; });
  std::vector<ChartLine> lines;
  const auto add = [&](const std::string& name, const RoofPoint& point) {
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const ChartLine& each) { return each.name == name; });
    if (line == lines.end()) {
      line = lines.insert(lines.end(), ChartLine{name, {}, {}, LineStyle::points});
    }
    line->points.push_back({point.intensity, point.gflops,
                            fmt::format("{}: {}, {:.3g} FLOP/byte, {}", point.name,
                                        quantity_text(point.gflops, "GFLOP/s"), point.intensity,
                                        time_text(point.ms))});
  };
  for (const RoofPoint& each : points) {
    if (!each.is_best && !each.is_baseline) add("other configurations", each);
  }
  for (const RoofPoint& each : points) {
    if (each.is_baseline) add(baselines <= most_baselines ? each.name : "baselines", each);
  }
  for (const RoofPoint& each : points) {
    if (each.is_best) add("best", each);  // last, above the others
  }
  return lines;
}

Table roof_table(const std::vector<RoofPoint>& points) {
  Table numbers(
      {text_column("kernel"), text_column("FLOP/byte"), text_column("speed"), text_column("time")});
  for (const RoofPoint& each : points) {
    numbers.row({each.is_best ? "best: " + each.name : each.name,
                 Cell(each.intensity).said(quantity_text(each.intensity, "", 3)),
                 Cell(each.gflops).said(quantity_text(each.gflops, "GFLOP/s")),
                 Cell(each.ms).said(time_text(each.ms))});
  }
  return numbers;
}

Figure roofline_figure(const ProblemRecord& record, const std::vector<RoofPoint>& points,
                       const ProblemPlace& place) {
  constexpr double margin = 3;  // beyond the outermost points, a factor
  const DeviceFacts& device = record.best.row.device;
  const double peak = *device.fma_tflops * 1e3, ridge = peak / *device.dram_gbps;
  double low = ridge, high = ridge, slowest = peak, fastest = peak;
  for (const RoofPoint& each : points) {
    low = std::min(low, each.intensity);
    high = std::max(high, each.intensity);
    slowest = std::min(slowest, each.gflops);
    fastest = std::max(fastest, each.gflops);
  }
  low /= margin;
  high *= margin;
  const Subject& best = record.subjects.front();
  const std::string title =
      best.facts.roof ? fmt::format("The best reaches {} of the limit of {}",
                                    quantity_text(best.facts.roof->share, "share"),
                                    best.facts.roof->of_compute ? "FMA units" : "device memory")
                      : "Speed by arithmetic intensity";
  std::vector<ChartLine> lines = limit_lines(device, low, high);
  for (ChartLine& line : point_lines(points)) lines.push_back(std::move(line));
  std::string description =
      fmt::format("Roofline. Limits: {} and {}.", quantity_text(*device.dram_gbps, "GB/s"),
                  quantity_text(peak, "GFLOP/s"));
  for (const RoofPoint& each : points) {
    description += fmt::format(" {}: {:.3g} FLOP/byte, {}.", each.is_best ? "best" : each.name,
                               each.intensity, quantity_text(each.gflops, "GFLOP/s"));
  }
  const SharedUnit unit = shared_unit(fastest, "GFLOP/s");
  Chart chart{
      title, "", logarithmic_axis("FLOP/byte", low, high, 1),
      logarithmic_axis("speed, " + unit.word, slowest / margin, fastest * margin, unit.size),
      std::move(lines)};
  chart.height = 320;
  Figure figure =
      chart_figure(place.id + "-roofline-chart", chart, description, roof_table(points));
  figure.note = record.counted.empty()
                    ? "Bytes are those that the spec states: no counted ones are stored."
                    : "Bytes are those counted at device memory; each measurement with stored "
                      "metrics is a point.";
  return figure;
}

std::string roofline(const ProblemRecord& record, const ProblemPlace& place) {
  const DeviceFacts& device = record.best.row.device;
  const std::vector<RoofPoint> points = roof_points(record);
  if (points.empty()) {
    return paragraph(
        "No roofline: the spec states no floating-point operations ([work] flops), so only the "
        "bandwidth says how near the kernel is to a limit.");
  }
  if (!device.fma_tflops || !device.dram_gbps) {
    return paragraph("No roofline: the limits of this device are not measured.");
  }
  return figure_element(roofline_figure(record, points, place));
}

}  // namespace

std::string limits_part(const KernelSpec& spec, const ProblemRecord& record,
                        const ProblemPlace& place) {
  std::string out = heading_element(4, place.id + "-limits", "What limits it");
  out += html_of(findings_report(spec, record.explanation), 5);
  out += heading_element(5, place.id + "-roofline", "Roofline");
  out += roofline(record, place);
  if (record.subjects.size() > 1) {
    out += heading_element(5, place.id + "-metrics", "Best, finalists and baselines side by side");
    out += paragraph(
        "In parentheses: the factor from the best, where it is 2 or more. gtune metrics describes "
        "the "
        "names.");
    out += html_of(side_by_side(record.subjects));
  }
  return out;
}

}  // namespace gtune
