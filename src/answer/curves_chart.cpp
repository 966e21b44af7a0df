#include "answer/curves_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "answer/value_order.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "report/checked_text.hpp"
#include "report/quantity.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_lines = 16;
constexpr std::size_t most_points = 3000;

std::size_t count_points(const BestCurves& curves) {
  std::size_t points = 0;
  for (const BestCurve& curve : curves.curves) points += curve.places.size();
  return points;
}

void require_readable(const BestCurves& curves) {
  if (curves.curves.size() > most_lines) {
    throw UserError(
        ExitCode::usage,
        fmt::format("--plot: {} has {} values and a plot at most {} lines: choose "
                    "another group, or swap it with {}",
                    curves.axes.group, curves.curves.size(), most_lines, curves.axes.x));
  }
  if (count_points(curves) > most_points) {
    throw UserError(ExitCode::usage,
                    fmt::format("--plot: {} points are too many for a plot, at most {}: narrow the "
                                "sizes",
                                count_points(curves), most_points));
  }
}

/// Whether all points have a default that is computed, as leading dimensions are: not worth a
/// title.
bool is_computed(const KernelSpec& spec, const ProblemSize& size,
                 const std::vector<ConfigSpeed>& speeds) {
  const bool is_plain =
      size.default_value.slots().empty() || spec.find_size(size.default_value.text()) != nullptr;
  return !is_plain && std::all_of(speeds.begin(), speeds.end(), [&](const ConfigSpeed& speed) {
    return !sizes_to_give(spec, speed.problem).find(size.name);
  });
}

/// "cols=rows, element=4": the value that all points share, else the default that all follow.
std::string shared_sizes(const KernelSpec& spec, const PlotAxes& axes,
                         const std::vector<ConfigSpeed>& speeds) {
  std::string text;
  const Problem& first = speeds.front().problem;
  for (const ProblemSize& size : spec.sizes) {
    if (size.name == axes.x || size.name == axes.group) continue;
    if (is_computed(spec, size, speeds)) continue;
    const auto value = first.find(size.name);
    const bool is_shared = std::all_of(speeds.begin(), speeds.end(), [&](const ConfigSpeed& speed) {
      return speed.problem.find(size.name) == value;
    });
    text += (text.empty() ? "" : ", ") + size.name + "=" +
            (is_shared ? std::to_string(value.value_or(0)) : size.default_value.text());
  }
  return text;
}

std::string subtitle_of(const KernelSpec& spec, const PlotAxes& axes,
                        const std::vector<ConfigSpeed>& speeds) {
  const ConfigSpeed& first = speeds.front();
  const std::string timing = first.mode.phrase();
  const std::string sizes = shared_sizes(spec, axes, speeds);
  return first.device.name + (first.device.replayed ? " (replayed from a recording)" : "") +
         (timing.empty() ? "" : ", " + timing) + (sizes.empty() ? "" : "; " + sizes);
}

std::string help_of(const KernelSpec& spec, const std::string& name) {
  if (const Parameter* parameter = spec.find_param(name)) return parameter->help;
  const ProblemSize* size = spec.find_size(name);
  return size == nullptr ? "" : size->help;
}

std::string axis_label(const KernelSpec& spec, const std::string& name) {
  const std::string help = help_of(spec, name);
  return name + (help.empty() ? "" : ": " + help);
}

std::string y_label(const std::string& y) {
  if (y == "GB/s") return "bandwidth";
  return y == "GFLOP/s" ? "speed" : y;
}

/// A metric is that of the fastest, which may not be the best value of the metric.
std::string title_of(const KernelSpec& spec, const PlotAxes& axes) {
  const bool is_speed = axes.y == "time" || axes.y == "GB/s" || axes.y == "GFLOP/s";
  return fmt::format("{}: {} by {}{}", kernel_title(spec),
                     is_speed ? "best " + axes.y : axes.y + " of the fastest configuration", axes.x,
                     axes.group.empty() ? "" : " and " + axes.group);
}

std::vector<std::int64_t> x_values(const KernelSpec& spec, const BestCurves& curves) {
  std::set<std::int64_t> values;
  for (const BestCurve& curve : curves.curves) {
    for (const CurvePlace& place : curve.places) values.insert(place.x);
  }
  return in_order(spec.find_param(curves.axes.x), values);
}

std::string note_of(const KernelSpec& spec, const BestCurves& curves, const CurvePlace& place) {
  return fmt::format("{}: {}", quantity_text(place.y, curves.unit),
                     case_text(spec, place.best.problem, place.best.config));
}

}  // namespace

Chart curves_chart(const KernelSpec& spec, const BestCurves& curves,
                   const std::vector<ConfigSpeed>& speeds) {
  require_readable(curves);
  const PlotAxes& axes = curves.axes;
  const std::vector<std::int64_t> xs = x_values(spec, curves);
  const bool has_words = std::any_of(
      xs.begin(), xs.end(), [](std::int64_t value) { return word_of_value(value).has_value(); });
  const auto position = [&](std::int64_t x) {
    return static_cast<double>(has_words ? std::find(xs.begin(), xs.end(), x) - xs.begin() : x);
  };
  std::vector<double> ys;
  std::vector<ChartLine> lines;
  for (const BestCurve& curve : curves.curves) {
    ChartLine line{curve.group ? value_text(*curve.group) : "", {}};
    for (const CurvePlace& place : curve.places) {
      ys.push_back(place.y);
      line.points.push_back({position(place.x), place.y, note_of(spec, curves, place)});
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::string> words;
  for (const std::int64_t x : xs) words.push_back(value_text(x));
  return {title_of(spec, axes),
          subtitle_of(spec, axes, speeds),
          has_words ? word_axis(axis_label(spec, axes.x), words)
                    : number_axis(axis_label(spec, axes.x), xs),
          quantity_axis(y_label(axes.y), curves.unit, ys),
          std::move(lines),
          axes.group};
}

std::string curves_description(const KernelSpec& spec, const BestCurves& curves) {
  const auto by_y = [](const CurvePlace& a, const CurvePlace& b) { return a.y < b.y; };
  std::string text = fmt::format(
      "The {} of the fastest configuration for each {}{}.", curves.axes.y, curves.axes.x,
      curves.axes.group.empty() ? "" : ", a line for each " + curves.axes.group);
  for (const BestCurve& curve : curves.curves) {
    const auto [least, largest] =
        std::minmax_element(curve.places.begin(), curve.places.end(), by_y);
    text += fmt::format(
        " {} {} ({}={}) to {} ({}={}).",
        curve.group ? curves.axes.group + "=" + value_text(*curve.group) + ": from" : "From",
        quantity_text(least->y, curves.unit), curves.axes.x, value_text(least->x),
        quantity_text(largest->y, curves.unit), curves.axes.x, value_text(largest->x));
  }
  return kernel_title(spec) + ". " + text;
}

}  // namespace gtune
