#include "page/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "explain/subject.hpp"
#include "page/figure.hpp"
#include "report/quantity.hpp"
#include "report/timing_text.hpp"

namespace gtune {
namespace {

/// A measurement on the roofline. Intensities are FLOP per byte.
struct RoofPoint {
  std::string name;
  bool is_baseline = false;
  bool is_best = false;
  double intensity = 0;  // at device memory
  std::optional<double> at_l2;
  std::optional<double> at_l1;
  double gflops = 0;
  double ms = 0;
};

/// With the bytes that were counted; without them, if `or_stated`, with those that the spec states.
std::optional<RoofPoint> roof_point(const Subject& subject, bool or_stated) {
  const auto gflops = subject.facts.speed.gflops;
  if (!gflops || *gflops <= 0) return std::nullopt;
  const double ms = subject.measured.timing->median_ms;
  const auto counted = [&](const char* metric) -> std::optional<double> {
    const auto bytes = subject.metric(metric);
    return bytes && *bytes > 0 ? std::optional(*gflops * ms * 1e6 / *bytes) : std::nullopt;
  };
  std::optional<double> intensity = counted("dram_bytes");
  if (!intensity && or_stated) intensity = subject.facts.intensity;
  if (intensity.value_or(0) <= 0) return std::nullopt;
  return RoofPoint{.name = subject.name,
                   .is_baseline = subject.measured.phase == Phase::baseline,
                   .intensity = *intensity,
                   .at_l2 = counted("l2_bytes"),
                   .at_l1 = counted("l1_bytes"),
                   .gflops = *gflops,
                   .ms = ms};
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

/// A measured limit: of a memory in GB/s, of a unit in GFLOP/s.
struct Ceiling {
  std::string name;
  double rate = 0;
  const char* unit = nullptr;

  [[nodiscard]] std::string text() const {
    constexpr int digits = 3;  // room in the legend
    return name + ", " + quantity_text(rate, unit, digits);
  }
};

/// The ceilings that are known, of which the first of each kind always is.
struct Ceilings {
  std::vector<Ceiling> memories;  // from the slowest
  std::vector<Ceiling> units;

  explicit Ceilings(const DeviceLimits& limits) {
    const auto add = [](std::vector<Ceiling>& to, const char* name, std::optional<double> rate,
                        const char* unit) {
      if (rate) to.push_back({name, *rate, unit});
    };
    const auto in_giga = [](std::optional<double> tera) {
      return tera ? std::optional(*tera * 1e3) : std::nullopt;
    };
    add(memories, "device memory", limits.dram_gbps, "GB/s");
    add(memories, "L2", limits.l2_gbps, "GB/s");
    add(memories, "L1", limits.l1_gbps, "GB/s");
    add(units, "FMA units", in_giga(limits.fma_tflops), "GFLOP/s");
    add(units, "tensor cores", in_giga(limits.tensor_tflops), "GFLOP/s");
  }

  [[nodiscard]] double highest() const {
    double rate = 0;
    for (const Ceiling& each : units) rate = std::max(rate, each.rate);
    return rate;
  }
  [[nodiscard]] double fastest_memory() const {
    double rate = 0;
    for (const Ceiling& each : memories) rate = std::max(rate, each.rate);
    return rate;
  }
};

/// What a chart shows: intensities and speeds.
struct RoofRange {
  double low = 0, high = 0, slowest = 0, fastest = 0;

  /// All points, and where each memory's limit meets each unit's.
  RoofRange(const Ceilings& ceilings, const std::vector<RoofPoint>& points) {
    low = high = ceilings.units.front().rate / ceilings.memories.front().rate;
    slowest = fastest = ceilings.units.front().rate;
    for (const Ceiling& unit : ceilings.units) {
      for (const Ceiling& memory : ceilings.memories) include(unit.rate / memory.rate, unit.rate);
    }
    for (const RoofPoint& each : points) {
      include(each.intensity, each.gflops);
      if (each.at_l2) include(*each.at_l2, each.gflops);
      if (each.at_l1) include(*each.at_l1, each.gflops);
    }
    constexpr double margin = 3;    // beyond the outermost, a factor
    constexpr double label = 0.18;  // beside the outermost point: a share of the axis
    const double beside = std::max(margin, std::pow(high / low, label));
    low /= margin;
    high *= beside;
    slowest /= margin;
    fastest *= margin;
  }

 private:
  void include(double intensity, double gflops) {
    low = std::min(low, intensity);
    high = std::max(high, intensity);
    slowest = std::min(slowest, gflops);
    fastest = std::max(fastest, gflops);
  }
};

ChartAxis logarithmic_axis(const std::string& label, double low, double high, double size) {
  ChartAxis axis{label, true, low, high, {}};
  for (const double at : decimal_steps(low / size, high / size)) {
    axis.ticks.push_back({at * size, fmt::format("{:.6g}", at)});
  }
  return axis;
}

/// A memory's limit up to the highest of the units.
ChartLine memory_line(const Ceiling& memory, const Ceilings& ceilings, const RoofRange& range) {
  const double begin = std::max(range.low, range.slowest / memory.rate);
  const double end = ceilings.highest() / memory.rate;
  return {memory.text(),
          {{begin, begin * memory.rate}, {end, end * memory.rate, "", memory.name}},
          {},
          LineStyle::limit};
}

/// A unit's limit from where the fastest memory allows it.
ChartLine unit_line(const Ceiling& unit, const Ceilings& ceilings, const RoofRange& range) {
  const double begin = std::max(range.low, unit.rate / ceilings.fastest_memory());
  return {unit.text(),
          {{begin, unit.rate}, {range.high, unit.rate, "", unit.name}},
          {},
          LineStyle::limit};
}

std::vector<ChartLine> limit_lines(const Ceilings& ceilings, const RoofRange& range) {
  std::vector<ChartLine> lines;
  for (const Ceiling& each : ceilings.memories) lines.push_back(memory_line(each, ceilings, range));
  for (const Ceiling& each : ceilings.units) lines.push_back(unit_line(each, ceilings, range));
  return lines;
}

ChartPoint chart_point(const RoofPoint& point, double intensity, const std::string& where) {
  return {intensity, point.gflops,
          fmt::format("{}: {}, {:.3g} FLOP/byte{}, {}", point.name,
                      quantity_text(point.gflops, "GFLOP/s"), intensity,
                      where.empty() ? "" : " at " + where, time_text(point.ms))};
}

/// Labels of points that may be next to each other: the outer ones aside, one between them below.
void put_apart(std::vector<ChartPoint>& points) {
  const auto [left, right] =
      std::minmax_element(points.begin(), points.end(),
                          [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  for (ChartPoint& point : points) point.side = LabelSide::below;
  left->side = LabelSide::left;
  right->side = LabelSide::right;
}

/// One kernel's bytes at L1, L2 and device memory, joined (Yang, Kurth, Williams 2019). The best's
/// are labelled.
ChartLine levels_line(const std::string& name, const RoofPoint& point) {
  ChartLine line{name, {}, {}, LineStyle::joined};
  const auto add = [&](std::optional<double> intensity, const char* where) {
    if (!intensity) return;
    line.points.push_back(chart_point(point, *intensity, where));
    if (point.is_best) line.points.back().label = where;
  };
  add(point.at_l1, "L1");
  add(point.at_l2, "L2");
  add(point.intensity, "memory");
  put_apart(line.points);
  return line;
}

/// Colour and marker of the best on every page. Those of the baselines follow.
constexpr std::size_t k_look_of_best = 0;

/// Other configurations, each baseline (beyond a few, all together), and the best above them.
std::vector<ChartLine> point_lines(const std::vector<RoofPoint>& points) {
  constexpr std::ptrdiff_t most_baselines = 4;
  const auto baselines = std::count_if(points.begin(), points.end(),
                                       [](const RoofPoint& each) { return each.is_baseline; });
  const bool is_each_alone = baselines <= most_baselines;
  ChartLine others{"other configurations", {}, {}, LineStyle::dots};
  ChartLine together{"baselines", {}, {}, LineStyle::points, k_look_of_best + 1};
  std::vector<ChartLine> alone, best;
  const auto line_of = [](const std::string& name, const RoofPoint& point, std::size_t look) {
    ChartLine line{name, {chart_point(point, point.intensity, "")}, {}, LineStyle::points};
    if (point.at_l1 || point.at_l2) line = levels_line(name, point);
    line.look = look;
    return line;
  };
  for (const RoofPoint& each : points) {
    if (each.is_best) {
      best.push_back(line_of("best", each, k_look_of_best));
    } else if (each.is_baseline && is_each_alone) {
      alone.push_back(line_of(each.name, each, k_look_of_best + 1 + alone.size()));
    } else {
      ChartLine& line = each.is_baseline ? together : others;
      line.points.push_back(chart_point(each, each.intensity, ""));
    }
  }
  std::vector<ChartLine> lines = {std::move(others), std::move(together)};
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  std::move(alone.begin(), alone.end(), std::back_inserter(lines));
  std::move(best.begin(), best.end(), std::back_inserter(lines));
  return lines;
}

bool has_levels(const std::vector<RoofPoint>& points) {
  return std::any_of(points.begin(), points.end(),
                     [](const RoofPoint& each) { return each.at_l1 || each.at_l2; });
}

Table roof_table(const std::vector<RoofPoint>& points) {
  std::vector<Column> columns = {text_column("kernel"), text_column("FLOP/byte")};
  if (has_levels(points)) {
    columns.push_back(text_column("at L2"));
    columns.push_back(text_column("at L1"));
  }
  columns.push_back(text_column("speed"));
  columns.push_back(text_column("time"));
  Table numbers(std::move(columns));
  const auto intensity = [](std::optional<double> value) {
    return value ? Cell(*value).said(quantity_text(*value, "", 3)) : Cell();
  };
  for (const RoofPoint& each : points) {
    std::vector<Cell> cells = {each.is_best ? "best: " + each.name : each.name,
                               intensity(each.intensity)};
    if (has_levels(points)) {
      cells.push_back(intensity(each.at_l2));
      cells.push_back(intensity(each.at_l1));
    }
    cells.push_back(Cell(each.gflops).said(quantity_text(each.gflops, "GFLOP/s")));
    cells.push_back(Cell(each.ms).said(time_text(each.ms)));
    numbers.row(std::move(cells));
  }
  return numbers;
}

/// The text alternative.
std::string roof_description(const Ceilings& ceilings, const std::vector<RoofPoint>& points) {
  std::string limits;
  for (const auto* kind : {&ceilings.memories, &ceilings.units}) {
    for (const Ceiling& each : *kind) {
      limits += fmt::format("{}{} {}", limits.empty() ? "" : ", ", each.name,
                            quantity_text(each.rate, each.unit));
    }
  }
  std::string out = "Roofline. Limits: " + limits + ".";
  for (const RoofPoint& each : points) {
    out += fmt::format(" {}: {:.3g} FLOP/byte", each.is_best ? "best" : each.name, each.intensity);
    if (each.at_l2) out += fmt::format(", {:.3g} at L2", *each.at_l2);
    if (each.at_l1) out += fmt::format(", {:.3g} at L1", *each.at_l1);
    out += ", " + quantity_text(each.gflops, "GFLOP/s") + ".";
  }
  return out;
}

std::string roof_note(const ProblemRecord& record, const Ceilings& ceilings,
                      const std::vector<RoofPoint>& points) {
  std::string note = record.counted.empty()
                         ? "Bytes are those that the spec states: no counted ones are stored."
                         : "Bytes are those counted at device memory; each measurement with stored "
                           "metrics is a point.";
  if (has_levels(points)) {
    note +=
        " For the best and the baselines, points joined by a line are one kernel with its bytes at "
        "L1, at L2 and at device memory. Shared memory is not part of them.";
  }
  if (ceilings.units.size() > 1) note += " The limit of tensor cores is that of TF32.";
  return note;
}

Figure roofline_figure(const ProblemRecord& record, const std::vector<RoofPoint>& points,
                       const ProblemPlace& place) {
  const Ceilings ceilings(record.best.row.device.limits);
  const RoofRange range(ceilings, points);
  const Subject& best = record.subjects.front();
  const std::string title =
      best.facts.roof ? fmt::format("The best reaches {} of the limit of {}",
                                    quantity_text(best.facts.roof->share, "share"),
                                    best.facts.roof->of_compute ? "FMA units" : "device memory")
                      : "Speed by arithmetic intensity";
  std::vector<ChartLine> lines = limit_lines(ceilings, range);
  for (ChartLine& line : point_lines(points)) lines.push_back(std::move(line));
  const SharedUnit unit = shared_unit(range.fastest, "GFLOP/s");
  Chart chart{title, "", logarithmic_axis("FLOP/byte", range.low, range.high, 1),
              logarithmic_axis("speed, " + unit.word, range.slowest, range.fastest, unit.size),
              std::move(lines)};
  chart.height = 320;
  Figure figure = chart_figure(place.id + "-roofline-chart", chart,
                               roof_description(ceilings, points), roof_table(points));
  figure.note = roof_note(record, ceilings, points);
  return figure;
}

}  // namespace

std::string roofline(const ProblemRecord& record, const ProblemPlace& place) {
  const DeviceFacts& device = record.best.row.device;
  const std::vector<RoofPoint> points = roof_points(record);
  const bool has_limits = device.limits.fma_tflops && device.limits.dram_gbps;
  if (points.empty() || !has_limits) return "";
  return heading_element(5, place.id + "-roofline", "Roofline") +
         figure_element(roofline_figure(record, points, place));
}

}  // namespace gtune
