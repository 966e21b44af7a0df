#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/chart_axis.hpp"

namespace gtune {

/// Where a label is: above to the left or to the right of its point, or below it.
enum class LabelSide { left, right, below };

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string note = {};   // shown if the mouse is on the point
  std::string label = {};  // of a limit's last point: along the line
  LabelSide side = LabelSide::left;
};

enum class LineStyle {
  joined,  // markers joined by a line
  points,  // markers alone
  dots,    // small grey markers alone, for what is only a background; in pages
  limit,   // a broken line without markers, for what cannot be exceeded
};

struct ChartLine {
  std::string name;  // in the legend; empty: no entry
  std::vector<ChartPoint> points;
  std::vector<ChartPoint> band = {};  // the outline of an area in the line's colour
  LineStyle style = LineStyle::joined;
  std::optional<std::size_t> look = std::nullopt;  // colour and marker; absent: by its place
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
/// Images of many points have no notes, and lines of very many no markers, so that 3000 joined
/// points take about 40 KB. `description`: a text alternative.
[[nodiscard]] std::string svg_of(const std::vector<Chart>& charts, const std::string& description);

/// The same chart as an element of an HTML page: smaller, without its title and subtitle, and
/// without styles, which are the page's (classes grid, axis, marker, band, limit, dot, label, line0
/// to line7). The legend is below the axes. `id`: unique in the page.
[[nodiscard]] std::string inline_svg_of(const Chart& chart, const std::string& id,
                                        const std::string& description);

/// CSS that gives the classes line0 to line7 their colours.
[[nodiscard]] std::string chart_colours();

}  // namespace gtune
