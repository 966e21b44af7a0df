#pragma once

#include <string>
#include <vector>

#include "report/chart_axis.hpp"

namespace gtune {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string note = {};  // shown if the mouse is on the point
};

struct ChartLine {
  std::string name;  // in the legend; empty: no entry
  std::vector<ChartPoint> points;
  std::vector<ChartPoint> band = {};  // the outline of an area in the line's colour
};

/// Lines over two axes. All texts may come from someone else's files.
struct Chart {
  std::string title;
  std::string subtitle = {};
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartLine> lines;
  std::string legend = {};  // heading of the legend
  bool has_markers = true;
  double height = 480;  // in pixels
};

/// An SVG image of the charts, one below the other, in light or dark colours as the reader prefers.
/// Lines differ in colour and in the shape of their markers. Values beyond an axis lie on its edge.
/// Images of many points have no notes, and of very many no markers, so 3000 points take about
/// 40 KB. `description`: a text alternative.
[[nodiscard]] std::string svg_of(const std::vector<Chart>& charts, const std::string& description);

}  // namespace gtune
