#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/markup_text.hpp"

namespace gtune {
namespace {

/// The places of a chart's parts, in pixels.
struct Frame {
  double width = 860;
  double left = 72;
  double legend = 200;  // right of the axes; 0: below them
  double bare = 32;     // right of the axes, without a legend beside them
  double bottom = 52;
  bool has_title = true;
};

/// Narrow enough for the text to be legible on a phone. The page has the title as text.
constexpr Frame inline_frame = {440, 58, 0, 14, 48, false};

constexpr double legend_step = 20;
constexpr double legend_left = 8;  // of one below the axes

constexpr std::size_t most_notes = 200;    // points of an image
constexpr std::size_t most_markers = 600;  // points of an image, on lines that join them

// Bytes of the longest texts.
constexpr std::size_t longest_title = 110;
constexpr std::size_t longest_name = 26;
constexpr std::size_t longest_tick = 16;
constexpr std::size_t longest_note = 160;

/// Okabe and Ito's colours, which the colour-blind can tell apart.
constexpr std::array light_colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#999933"};

/// Filled shapes, from the point that they mark. Their number has no factor in common with that of
/// the colours: the first 56 lines differ in one or the other.
constexpr std::array marker_shapes = {
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",                        // circle
    "m-4-4h8v8h-8z",                                             // square
    "m0-5l5 9h-10z",                                             // triangle
    "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",                         // diamond
    "m0 5l5-9h-10z",                                             // triangle that points down
    "m-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",         // plus
    "m-5-3l2-2l3 3l3-3l2 2l-3 3l3 3l-2 2l-3-3l-3 3l-2-2l3-3z"};  // cross

constexpr const char* dot_shape = "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z";

constexpr const char* style_sheet =
    "text{font:12px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}"
    ".paper{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#777}"
    "polyline{fill:none;stroke:currentColor;stroke-width:2}"
    ".marker{fill:currentColor}.band{fill:currentColor;fill-opacity:.1}";

constexpr const char* dark_style_sheet =
    "text{fill:#ddd}.paper{fill:#161616}.grid{stroke:#383838}.axis{stroke:#999}"
    ".line6{color:#f4f4f4}";

std::string text_element(double x, double y, const std::string& anchor, const std::string& text,
                         std::size_t most) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y,
                     anchor.empty() ? "" : " text-anchor=\"" + anchor + "\"",
                     markup_text(text, most));
}

/// One chart of an image. `points`: those of the whole image.
class ChartWriter {
 public:
  ChartWriter(const Chart& chart, const Frame& frame, double top, std::size_t points)
      : m_chart(chart),
        m_frame(frame),
        m_top(top),
        m_upper(top + (!frame.has_title         ? 12
                       : chart.subtitle.empty() ? 40
                                                : 58)),
        m_lower(top + chart.height - frame.bottom),
        m_right(frame.width - (has_legend() && frame.legend > 0 ? frame.legend : frame.bare)),
        m_has_notes(points <= most_notes),
        m_has_markers(chart.has_markers && points <= most_markers) {}

  [[nodiscard]] std::string svg() const {
    std::string out = (m_frame.has_title ? heading_elements() : "") + x_axis() + y_axis();
    for (std::size_t i = 0; i < m_chart.lines.size(); ++i) {
      out += fmt::format("<g class=\"line{}\">\n", look_of(i) % light_colours.size());
      out += line_elements(m_chart.lines[i], look_of(i)) + "</g>\n";
    }
    for (const ChartLine& line : m_chart.lines) out += label_elements(line);  // above all lines
    if (!has_legend()) return out;
    return out + (m_frame.legend > 0 ? legend_elements() : legend_below());
  }

  [[nodiscard]] bool has_legend() const {
    return std::any_of(m_chart.lines.begin(), m_chart.lines.end(),
                       [](const ChartLine& line) { return !line.name.empty(); });
  }

 private:
  /// Between the ends of an axis, 0..1.
  [[nodiscard]] static double share_of(const ChartAxis& axis, double value) {
    const double inside = std::clamp(value, axis.low, axis.high);
    if (!axis.logarithmic) return (inside - axis.low) / (axis.high - axis.low);
    return std::log(inside / axis.low) / std::log(axis.high / axis.low);
  }
  [[nodiscard]] double x_of(double value) const {
    return m_frame.left + (m_right - m_frame.left) * share_of(m_chart.x, value);
  }
  [[nodiscard]] double y_of(double value) const {
    return m_lower - (m_lower - m_upper) * share_of(m_chart.y, value);
  }

  [[nodiscard]] std::size_t look_of(std::size_t index) const {
    return m_chart.lines[index].look.value_or(index);
  }

  [[nodiscard]] std::string heading_elements() const {
    std::string out =
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"title\">{}</text>\n", m_frame.left,
                    m_top + 24, markup_text(m_chart.title, longest_title));
    if (m_chart.subtitle.empty()) return out;
    return out + text_element(m_frame.left, m_top + 43, "", m_chart.subtitle, longest_title);
  }

  [[nodiscard]] std::string x_axis() const {
    std::string out;
    for (const AxisTick& tick : m_chart.x.ticks) {
      const double x = x_of(tick.at);
      out +=
          fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, m_upper, m_lower);
      out += text_element(x, m_lower + 17, "middle", tick.text, longest_tick);
    }
    out += fmt::format("<path class=\"axis\" d=\"M{} {:.1f}H{:.1f}\"/>\n", m_frame.left, m_lower,
                       m_right);
    return out + text_element((m_frame.left + m_right) / 2, m_lower + 40, "middle", m_chart.x.label,
                              longest_title);
  }

  [[nodiscard]] std::string y_axis() const {
    std::string out;
    for (const AxisTick& tick : m_chart.y.ticks) {
      const double y = y_of(tick.at);
      out +=
          fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{:.1f}\"/>\n", m_frame.left, y, m_right);
      out += text_element(m_frame.left - 7, y + 4, "end", tick.text, longest_tick);
    }
    const double middle = (m_upper + m_lower) / 2;
    return out + fmt::format(
                     "<text transform=\"translate(16 {:.1f}) rotate(-90)\" "
                     "text-anchor=\"middle\">{}</text>\n",
                     middle, markup_text(m_chart.y.label, longest_title / 2));
  }

  [[nodiscard]] std::string places(const std::vector<ChartPoint>& points) const {
    std::string out;
    for (const ChartPoint& point : points) {
      out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", x_of(point.x), y_of(point.y));
    }
    return out;
  }

  /// Whether a line joins the points.
  [[nodiscard]] static bool is_joined(LineStyle style) {
    return style == LineStyle::joined || style == LineStyle::limit;
  }

  [[nodiscard]] std::string line_elements(const ChartLine& line, std::size_t look) const {
    std::string out;
    if (!line.band.empty()) {
      out += "<polygon class=\"band\" points=\"" + places(line.band) + "\"/>\n";
    }
    if (is_joined(line.style) && line.points.size() > 1) {
      out += fmt::format("<polyline{} points=\"{}\"/>\n",
                         line.style == LineStyle::limit ? " class=\"limit\"" : "",
                         places(line.points));
    }
    return has_markers(line.style) ? out + marker_elements(line, look) : out;
  }

  [[nodiscard]] bool has_markers(LineStyle style) const {
    return style == LineStyle::joined ? m_has_markers : style != LineStyle::limit;
  }

  /// Without notes, all of a line are one element.
  [[nodiscard]] std::string marker_elements(const ChartLine& line, std::size_t look) const {
    std::string out, together;
    for (const ChartPoint& point : line.points) {
      const std::string shape = marker_shape(line.style, look, x_of(point.x), y_of(point.y));
      if (m_has_notes && !point.note.empty()) {
        out += marker_element(line.style, shape, markup_text(point.note, longest_note)) + "\n";
      } else {
        together += shape;
      }
    }
    return together.empty() ? out : out + marker_element(line.style, together, "") + "\n";
  }

  [[nodiscard]] static std::string marker_shape(LineStyle style, std::size_t look, double x,
                                                double y) {
    return fmt::format(
        "M{:.1f} {:.1f}{}", x, y,
        style == LineStyle::dots ? dot_shape : marker_shapes[look % marker_shapes.size()]);
  }

  /// `note`: as markup.
  [[nodiscard]] static std::string marker_element(LineStyle style, const std::string& shape,
                                                  const std::string& note) {
    return fmt::format("<path class=\"{}\" d=\"{}\"{}", style == LineStyle::dots ? "dot" : "marker",
                       shape, note.empty() ? "/>" : "><title>" + note + "</title></path>");
  }

  [[nodiscard]] std::string label_elements(const ChartLine& line) const {
    if (line.style == LineStyle::limit) return label_along(line);
    std::string out;
    for (const ChartPoint& point : line.points) {
      if (point.label.empty()) continue;
      // Not above: there may be the limit that the point nearly reaches.
      constexpr double aside = 9, level = 4, below = 17;
      const double x = x_of(point.x), y = y_of(point.y);
      switch (point.side) {
        case LabelSide::left:
          out += label_element(x - aside, y, 0, level, "end", point.label);
          break;
        case LabelSide::right:
          out += label_element(x + aside, y, 0, level, "start", point.label);
          break;
        case LabelSide::below:
          out += label_element(x, y, 0, below, "middle", point.label);
          break;
      }
    }
    return out;
  }

  /// The label of a limit's last point lies above the line in its direction. On a slanted one, it
  /// keeps away from the level one above.
  [[nodiscard]] std::string label_along(const ChartLine& line) const {
    const ChartPoint& last = line.points.back();
    if (last.label.empty() || line.points.size() < 2) return "";
    const ChartPoint& before = line.points[line.points.size() - 2];
    const double x = x_of(last.x), y = y_of(last.y);
    constexpr double degrees = 57.29577951308232;  // of a radian
    const double across = x - x_of(before.x), down = y - y_of(before.y);
    const double length = std::hypot(across, down), back = down < 0 ? 20 : 0;
    return label_element(x - back * across / length, y - back * down / length,
                         degrees * std::atan2(down, across), -4, "end", last.label);
  }

  /// `turn` in degrees; `below`: how far below its point, before it is turned.
  [[nodiscard]] static std::string label_element(double x, double y, double turn, double below,
                                                 const char* anchor, const std::string& text) {
    return fmt::format(
        "<text class=\"label\" transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" "
        "y=\"{:.0f}\" text-anchor=\"{}\">{}</text>\n",
        x, y, turn, below, anchor, markup_text(text, longest_name));
  }

  [[nodiscard]] std::string legend_elements() const {
    const double x = m_right + 18;
    double y = m_upper + 8;
    std::string out;
    if (!m_chart.legend.empty()) {
      out += text_element(x, y + 4, "", m_chart.legend, longest_name);
      y += legend_step;
    }
    for (std::size_t i = 0; i < m_chart.lines.size(); ++i, y += legend_step) {
      out += legend_sample(i, x, y) +
             text_element(x + 32, y + 4, "", m_chart.lines[i].name, longest_name);
    }
    return out;
  }

  /// In two columns, over the whole width.
  [[nodiscard]] std::string legend_below() const {
    std::string out;
    for (std::size_t i = 0; i < m_chart.lines.size(); ++i) {
      const std::size_t row = i / 2;
      const double x = legend_left + (i % 2 == 0 ? 0 : (m_frame.width - legend_left) / 2);
      const double y = m_lower + m_frame.bottom + 8 + legend_step * static_cast<double>(row);
      out += legend_sample(i, x, y) +
             text_element(x + 32, y + 4, "", m_chart.lines[i].name, longest_name);
    }
    return out;
  }

  /// The line and its marker, as they are drawn.
  [[nodiscard]] std::string legend_sample(std::size_t index, double x, double y) const {
    const LineStyle style = m_chart.lines[index].style;
    const std::size_t look = look_of(index);
    std::string out = fmt::format("<g class=\"line{}\">", look % light_colours.size());
    if (is_joined(style)) {
      out += fmt::format("<polyline{} points=\"{:.1f},{:.1f} {:.1f},{:.1f}\"/>",
                         style == LineStyle::limit ? " class=\"limit\"" : "", x, y, x + 24, y);
    }
    if (has_markers(style)) {
      out += marker_element(style, marker_shape(style, look, x + 12, y), "");
    }
    return out + "</g>";
  }

  const Chart& m_chart;
  Frame m_frame;
  double m_top;
  double m_upper;  // ends of the y axis
  double m_lower;
  double m_right;  // end of the x axis
  bool m_has_notes;
  bool m_has_markers;
};

std::string line_colours(std::size_t lines) {
  std::string out;
  for (std::size_t i = 0; i < std::min(lines, light_colours.size()); ++i) {
    out += fmt::format(".line{}{{color:{}}}", i, light_colours[i]);
  }
  return out;
}

std::string style_element(const std::vector<Chart>& charts) {
  std::size_t most_lines = 0;
  for (const Chart& chart : charts) most_lines = std::max(most_lines, chart.lines.size());
  return std::string("<style>") + style_sheet + line_colours(most_lines) +
         "\n@media (prefers-color-scheme:dark){" + dark_style_sheet + "}</style>\n";
}

}  // namespace

std::string svg_of(const std::vector<Chart>& charts, const std::string& description) {
  double height = 0;
  std::size_t points = 0;
  for (const Chart& chart : charts) {
    height += chart.height;
    for (const ChartLine& line : chart.lines) points += line.points.size();
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"name description\">\n",
      Frame().width, height);
  out += fmt::format("<title id=\"name\">{}</title>\n<desc id=\"description\">{}</desc>\n",
                     markup_text(charts.empty() ? "" : charts.front().title, longest_title),
                     markup_text(description, 10 * longest_title));
  out += style_element(charts) + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  double top = 0;
  for (const Chart& chart : charts) {
    out += ChartWriter(chart, Frame(), top, points).svg();
    top += chart.height;
  }
  return out + "</svg>\n";
}

std::string inline_svg_of(const Chart& chart, const std::string& id,
                          const std::string& description) {
  std::size_t points = 0;
  for (const ChartLine& line : chart.lines) points += line.points.size();
  const ChartWriter writer(chart, inline_frame, 0, points);
  const double rows =
      writer.has_legend() ? std::ceil(static_cast<double>(chart.lines.size()) / 2) : 0;
  return fmt::format(
             "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">\n"
             "<title id=\"{2}-t\">{3}</title>\n<desc id=\"{2}-d\">{4}</desc>\n",
             inline_frame.width, chart.height + legend_step * rows, id,
             markup_text(chart.title, longest_title),
             markup_text(description, 10 * longest_title)) +
         writer.svg() + "</svg>\n";
}

std::string chart_colours() { return line_colours(light_colours.size()); }

}  // namespace gtune
