#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/metric.hpp"
#include "store/records.hpp"

namespace gtune {

struct KernelSpec;

/// What a plot shows: each of `x` and `group` is a size or a parameter.
struct PlotAxes {
  std::string x;
  std::string y;      // "time", "GB/s", "GFLOP/s" or the name of a metric
  std::string group;  // a line for each of its values; empty: one line
};

/// "UNROLL,GB/s" or "UNROLL,GB/s,WIDTH"; "gbps" and "gflops" stand for the rates. Throws
/// UserError (usage) for other text and for names that are neither a size nor a parameter.
[[nodiscard]] PlotAxes parse_plot_axes(const KernelSpec& spec, const std::string& text);

/// The values of the sizes that the user gave.
using GivenSizes = std::map<std::string, std::vector<std::int64_t>>;

/// The speeds that one plot may compare: of the given sizes and of one device, replayed or with a
/// warm L2 cache only if no others are left. If some size is given, the others except those of the
/// axes have their defaults, as far as such problems are stored; without any, only those whose
/// defaults follow from other sizes. Throws UserError (usage) that says what to fix if devices or
/// sizes that are not on an axis still differ.
[[nodiscard]] std::vector<ConfigSpeed> speeds_to_plot(const KernelSpec& spec, const PlotAxes& axes,
                                                      const GivenSizes& given,
                                                      std::vector<ConfigSpeed> speeds);

struct CurvePlace {
  std::int64_t x = 0;
  double y = 0;
  ConfigSpeed best;  // the fastest of all with this x and group
};

struct BestCurve {
  std::optional<std::int64_t> group;
  std::vector<CurvePlace> places;  // by x, words in the order of the spec
};

struct BestCurves {
  PlotAxes axes;
  std::string unit;               // of y, as quantity_text takes it
  std::vector<BestCurve> curves;  // by group, words in the order of the spec
  std::size_t without_y = 0;      // fastest configurations that have no value of y
};

using MetricsOf = std::function<std::vector<Metric>(const ConfigSpeed&)>;

/// The value of y of the fastest configuration for each x and group; configurations in which a
/// parameter of an axis does not exist are left out. `metrics_of` is called for a metric only.
[[nodiscard]] BestCurves best_curves(const KernelSpec& spec, const PlotAxes& axes,
                                     const std::vector<ConfigSpeed>& speeds,
                                     const MetricsOf& metrics_of);

}  // namespace gtune
