#include "answer/best_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/first_mode.hpp"
#include "answer/value_order.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "spec/evaluate.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_named_values = 6;  // of a size, in an error

/// Values of a metric that can be drawn on any axis.
bool is_drawable(double value) {
  return value == 0 || (std::abs(value) > 1e-30 && std::abs(value) < 1e30);
}

void require_size_or_parameter(const KernelSpec& spec, const std::string& text,
                               const std::string& name) {
  if (spec.find_param(name) != nullptr || spec.find_size(name) != nullptr) return;
  std::vector<std::string> known;
  for (const ProblemSize& size : spec.sizes) known.push_back(size.name);
  for (const Parameter& parameter : spec.params) known.push_back(parameter.name);
  throw UserError(ExitCode::usage,
                  fmt::format("--plot {}: '{}' is neither a size nor a parameter{} (there are {})",
                              text, name, did_you_mean(name, known), fmt::join(known, ", ")));
}

std::string usual_name(const std::string& y) {
  if (y == "gbps") return "GB/s";
  return y == "gflops" ? "GFLOP/s" : y;
}

/// Removes what `is_second_best` holds for, unless nothing else is left.
void prefer_others(std::vector<ConfigSpeed>& speeds, bool (*is_second_best)(const ConfigSpeed&)) {
  if (std::all_of(speeds.begin(), speeds.end(), is_second_best)) return;
  std::erase_if(speeds, is_second_best);
}

void require_one_device(const std::vector<ConfigSpeed>& speeds) {
  std::set<std::string> names;
  for (const ConfigSpeed& speed : speeds) names.insert("'" + speed.device.name + "'");
  if (names.size() < 2) return;
  throw UserError(ExitCode::usage, fmt::format("--plot shows one device: give --device {}",
                                               fmt::join(names, " or ")));
}

std::set<std::int64_t> values_of(const std::vector<ConfigSpeed>& speeds, const std::string& size) {
  std::set<std::int64_t> values;
  for (const ConfigSpeed& speed : speeds) values.insert(speed.problem.find(size).value_or(0));
  return values;
}

[[noreturn]] void refuse_several(const std::string& size, const std::set<std::int64_t>& values,
                                 bool has_group) {
  std::string list;
  std::size_t named = 0;
  for (const std::int64_t value : values) {
    if (named++ == most_named_values) break;
    list += (list.empty() ? "" : ", ") + std::to_string(value);
  }
  if (values.size() > most_named_values) list += ", ...";
  throw UserError(
      ExitCode::usage,
      fmt::format("--plot: the stored problems differ in {} ({}): give --{} one value{}", size,
                  list, size, has_group ? "" : ", or add it as a group: X,Y," + size));
}

bool has_its_default(const KernelSpec& spec, const ConfigSpeed& speed, std::size_t size) {
  std::vector<std::int64_t> slots;
  for (const ProblemSize& each : spec.sizes) {
    slots.push_back(speed.problem.find(each.name).value_or(0));
  }
  const Checked usual = spec.sizes[size].default_value.try_evaluate(slots);
  return usual.failure == Failure::none && usual.value == slots[size];
}

/// Keeps the speeds of one value of a size, or of the values that follow from other sizes.
void settle_size(const KernelSpec& spec, std::size_t size, const GivenSizes& given, bool has_group,
                 std::vector<ConfigSpeed>& speeds) {
  const ProblemSize& which = spec.sizes[size];
  const std::set<std::int64_t> values = values_of(speeds, which.name);
  if (values.size() < 2) return;
  const bool follows = !which.default_value.slots().empty();
  if (!given.contains(which.name) && (follows || !given.empty())) {
    std::vector<ConfigSpeed> usual;
    std::copy_if(speeds.begin(), speeds.end(), std::back_inserter(usual),
                 [&](const ConfigSpeed& speed) { return has_its_default(spec, speed, size); });
    if (!usual.empty()) {
      speeds = std::move(usual);
      return;
    }
  }
  refuse_several(which.name, values, has_group);
}

/// A value on an axis; absent if the parameter does not exist in the configuration.
class AxisReader {
 public:
  AxisReader(const KernelSpec& spec, const std::string& name)
      : m_spec(spec), m_name(name), m_parameter(spec.find_param(name)) {}

  [[nodiscard]] std::optional<std::int64_t> read(const ConfigSpeed& speed) const {
    if (m_parameter == nullptr) return speed.problem.find(m_name);
    return existing_values(m_spec, speed.config).find(m_name);
  }
  /// What to sort by.
  [[nodiscard]] std::int64_t rank(std::int64_t value) const { return rank_of(m_parameter, value); }

 private:
  const KernelSpec& m_spec;
  std::string m_name;
  const Parameter* m_parameter;
};

struct ValueOfY {
  std::optional<double> value;
  std::string unit;
};

ValueOfY value_of_y(const std::string& y, const ConfigSpeed& speed, const MetricsOf& metrics_of) {
  if (y == "time") return {speed.median_ms, "ms"};
  if (y == "GB/s") return {speed.gbps, y};
  if (y == "GFLOP/s") return {speed.gflops, y};
  for (const Metric& metric : metrics_of(speed)) {
    if (metric.name == y) return {metric.value, metric.unit};
  }
  return {};
}

}  // namespace

PlotAxes parse_plot_axes(const KernelSpec& spec, const std::string& text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  const bool has_empty =
      std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
  if (has_empty || names.size() < 2 || names.size() > 3) {
    throw UserError(ExitCode::usage,
                    "--plot " + text + ": expected X,Y or X,Y,GROUP, such as " +
                        (spec.params.empty() ? spec.sizes.front().name : spec.params.front().name) +
                        ",time");
  }
  PlotAxes axes{names[0], usual_name(names[1]), names.size() == 3 ? names[2] : ""};
  require_size_or_parameter(spec, text, axes.x);
  if (!axes.group.empty()) require_size_or_parameter(spec, text, axes.group);
  if (axes.x == axes.group) {
    throw UserError(ExitCode::usage, "--plot " + text + ": X and GROUP are the same");
  }
  return axes;
}

std::vector<ConfigSpeed> speeds_to_plot(const KernelSpec& spec, const PlotAxes& axes,
                                        const GivenSizes& given, std::vector<ConfigSpeed> speeds) {
  std::erase_if(speeds, [&](const ConfigSpeed& speed) {
    return std::any_of(given.begin(), given.end(), [&](const auto& size) {
      const std::int64_t value = speed.problem.find(size.first).value_or(0);
      return std::find(size.second.begin(), size.second.end(), value) == size.second.end();
    });
  });
  prefer_others(speeds, [](const ConfigSpeed& speed) { return speed.device.replayed; });
  require_one_device(speeds);
  keep_first_mode(speeds);
  for (std::size_t i = 0; i < spec.sizes.size(); ++i) {
    const std::string& name = spec.sizes[i].name;
    if (name == axes.x || name == axes.group) continue;
    settle_size(spec, i, given, !axes.group.empty(), speeds);
  }
  return speeds;
}

BestCurves best_curves(const KernelSpec& spec, const PlotAxes& axes,
                       const std::vector<ConfigSpeed>& speeds, const MetricsOf& metrics_of) {
  const AxisReader x_reader(spec, axes.x), group_reader(spec, axes.group);
  using Ranks = std::pair<std::int64_t, std::int64_t>;  // of the group, then of x
  std::map<Ranks, CurvePlace> places;
  std::map<Ranks, std::int64_t> groups;
  for (const ConfigSpeed& speed : speeds) {
    const auto x = x_reader.read(speed);
    const auto group = axes.group.empty() ? 0 : group_reader.read(speed);
    if (!x || !group) continue;
    const Ranks ranks(group_reader.rank(*group), x_reader.rank(*x));
    groups[ranks] = *group;
    const auto [place, is_new] = places.emplace(ranks, CurvePlace{*x, 0, speed});
    if (!is_new && speed.median_ms < place->second.best.median_ms) place->second.best = speed;
  }
  BestCurves out{axes, "", {}, 0};
  std::optional<std::int64_t> current;
  for (auto& [ranks, place] : places) {
    const ValueOfY y = value_of_y(axes.y, place.best, metrics_of);
    if (!y.value || !is_drawable(*y.value)) {
      ++out.without_y;
      continue;
    }
    if (current != ranks.first) {
      out.curves.push_back({axes.group.empty() ? std::nullopt : std::optional(groups[ranks]), {}});
      current = ranks.first;
    }
    out.unit = y.unit;
    place.y = *y.value;
    out.curves.back().places.push_back(std::move(place));
  }
  return out;
}

}  // namespace gtune
