#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/one_line.hpp"

namespace gtune {
namespace {

// In pixels.
constexpr double chart_width = 860;
constexpr double left_margin = 72;
constexpr double right_margin = 200;  // for the legend
constexpr double bare_margin = 32;    // without one
constexpr double bottom_margin = 52;
constexpr double legend_step = 20;

constexpr std::size_t most_notes = 200;    // points of an image
constexpr std::size_t most_markers = 600;  // points of an image

// Bytes of the longest texts.
constexpr std::size_t longest_title = 110;
constexpr std::size_t longest_name = 24;
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

constexpr const char* style_sheet =
    "text{font:12px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}"
    ".paper{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#777}"
    "polyline{fill:none;stroke:currentColor;stroke-width:2}"
    ".marker{fill:currentColor}.band{fill:currentColor;fill-opacity:.1}";

constexpr const char* dark_style_sheet =
    "text{fill:#ddd}.paper{fill:#161616}.grid{stroke:#383838}.axis{stroke:#999}"
    ".line6{color:#f4f4f4}";

/// The text as the content of an element: cut, on one line, and without characters that XML lacks.
std::string xml_text(const std::string& text, std::size_t most) {
  std::string out;
  for (const char c : one_line(text, most)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  for (const char* absent : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {  // U+FFFE, U+FFFF
    for (std::size_t at = out.find(absent); at != std::string::npos; at = out.find(absent)) {
      out.replace(at, 3, "?");
    }
  }
  return out;
}

std::string text_element(double x, double y, const std::string& anchor, const std::string& text,
                         std::size_t most) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y,
                     anchor.empty() ? "" : " text-anchor=\"" + anchor + "\"", xml_text(text, most));
}

/// One chart of an image. `points`: those of the whole image.
class ChartWriter {
 public:
  ChartWriter(const Chart& chart, double top, std::size_t points)
      : m_chart(chart),
        m_top(top),
        m_upper(top + (chart.subtitle.empty() ? 40 : 58)),
        m_lower(top + chart.height - bottom_margin),
        m_right(chart_width - (has_legend() ? right_margin : bare_margin)),
        m_has_notes(points <= most_notes),
        m_has_markers(chart.has_markers && points <= most_markers) {}

  [[nodiscard]] std::string svg() const {
    std::string out = heading_elements() + x_axis() + y_axis();
    for (std::size_t i = 0; i < m_chart.lines.size(); ++i) {
      out += fmt::format("<g class=\"line{}\">\n", i % light_colours.size());
      out += line_elements(m_chart.lines[i], i) + "</g>\n";
    }
    return has_legend() ? out + legend_elements() : out;
  }

 private:
  [[nodiscard]] bool has_legend() const {
    return std::any_of(m_chart.lines.begin(), m_chart.lines.end(),
                       [](const ChartLine& line) { return !line.name.empty(); });
  }

  /// Between the ends of an axis, 0..1.
  [[nodiscard]] static double share_of(const ChartAxis& axis, double value) {
    const double inside = std::clamp(value, axis.low, axis.high);
    if (!axis.logarithmic) return (inside - axis.low) / (axis.high - axis.low);
    return std::log(inside / axis.low) / std::log(axis.high / axis.low);
  }
  [[nodiscard]] double x_of(double value) const {
    return left_margin + (m_right - left_margin) * share_of(m_chart.x, value);
  }
  [[nodiscard]] double y_of(double value) const {
    return m_lower - (m_lower - m_upper) * share_of(m_chart.y, value);
  }

  [[nodiscard]] std::string heading_elements() const {
    std::string out = fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"title\">{}</text>\n",
                                  left_margin, m_top + 24, xml_text(m_chart.title, longest_title));
    if (m_chart.subtitle.empty()) return out;
    return out + text_element(left_margin, m_top + 43, "", m_chart.subtitle, longest_title);
  }

  [[nodiscard]] std::string x_axis() const {
    std::string out;
    for (const AxisTick& tick : m_chart.x.ticks) {
      const double x = x_of(tick.at);
      out +=
          fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", x, m_upper, m_lower);
      out += text_element(x, m_lower + 17, "middle", tick.text, longest_tick);
    }
    out += fmt::format("<path class=\"axis\" d=\"M{} {:.1f}H{:.1f}\"/>\n", left_margin, m_lower,
                       m_right);
    return out + text_element((left_margin + m_right) / 2, m_lower + 40, "middle", m_chart.x.label,
                              longest_title);
  }

  [[nodiscard]] std::string y_axis() const {
    std::string out;
    for (const AxisTick& tick : m_chart.y.ticks) {
      const double y = y_of(tick.at);
      out +=
          fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{:.1f}\"/>\n", left_margin, y, m_right);
      out += text_element(left_margin - 7, y + 4, "end", tick.text, longest_tick);
    }
    const double middle = (m_upper + m_lower) / 2;
    return out + fmt::format(
                     "<text transform=\"translate(16 {:.1f}) rotate(-90)\" "
                     "text-anchor=\"middle\">{}</text>\n",
                     middle, xml_text(m_chart.y.label, longest_title / 2));
  }

  [[nodiscard]] std::string places(const std::vector<ChartPoint>& points) const {
    std::string out;
    for (const ChartPoint& point : points) {
      out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", x_of(point.x), y_of(point.y));
    }
    return out;
  }

  [[nodiscard]] std::string line_elements(const ChartLine& line, std::size_t index) const {
    std::string out;
    if (!line.band.empty()) {
      out += "<polygon class=\"band\" points=\"" + places(line.band) + "\"/>\n";
    }
    if (line.points.size() > 1) out += "<polyline points=\"" + places(line.points) + "\"/>\n";
    if (!m_has_markers) return out;
    const std::string shape = marker_shapes[index % marker_shapes.size()];
    for (const ChartPoint& point : line.points) {
      out += fmt::format("<path class=\"marker\" d=\"M{:.1f} {:.1f}{}\"", x_of(point.x),
                         y_of(point.y), shape);
      out += !m_has_notes || point.note.empty()
                 ? "/>\n"
                 : "><title>" + xml_text(point.note, longest_note) + "</title></path>\n";
    }
    return out;
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
      out += fmt::format("<g class=\"line{}\"><polyline points=\"{:.1f},{:.1f} {:.1f},{:.1f}\"/>",
                         i % light_colours.size(), x, y, x + 24, y);
      if (m_has_markers) {
        out += fmt::format("<path class=\"marker\" d=\"M{:.1f} {:.1f}{}\"/>", x + 12, y,
                           marker_shapes[i % marker_shapes.size()]);
      }
      out += "</g>" + text_element(x + 32, y + 4, "", m_chart.lines[i].name, longest_name);
    }
    return out;
  }

  const Chart& m_chart;
  double m_top;
  double m_upper;  // ends of the y axis
  double m_lower;
  double m_right;  // end of the x axis
  bool m_has_notes;
  bool m_has_markers;
};

std::string style_element(const std::vector<Chart>& charts) {
  std::size_t most_lines = 0;
  for (const Chart& chart : charts) most_lines = std::max(most_lines, chart.lines.size());
  std::string out = std::string("<style>") + style_sheet;
  for (std::size_t i = 0; i < std::min(most_lines, light_colours.size()); ++i) {
    out += fmt::format(".line{}{{color:{}}}", i, light_colours[i]);
  }
  return out + "\n@media (prefers-color-scheme:dark){" + dark_style_sheet + "}</style>\n";
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
      chart_width, height);
  out += fmt::format("<title id=\"name\">{}</title>\n<desc id=\"description\">{}</desc>\n",
                     xml_text(charts.empty() ? "" : charts.front().title, longest_title),
                     xml_text(description, 10 * longest_title));
  out += style_element(charts) + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  double top = 0;
  for (const Chart& chart : charts) {
    out += ChartWriter(chart, top, points).svg();
    top += chart.height;
  }
  return out + "</svg>\n";
}

}  // namespace gtune
