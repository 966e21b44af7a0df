#include "score/score_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gtune {
namespace {

// In pixels.
constexpr double width = 860;
constexpr double panel_height = 320;
constexpr double left = 60;
constexpr double right = 230;  // for the legend
constexpr double top = 36;
constexpr double bottom = 44;

constexpr double lowest_share = 0.4;  // slower results lie on the lower edge

/// Okabe and Ito's colours, which the colour-blind can tell apart.
constexpr std::array colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                "#E69F00", "#56B4E9", "#000000", "#999933"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

/// Evaluations on a logarithmic axis, shares on a linear one.
class Panel {
 public:
  Panel(const SpaceScore& score, double y_offset)
      : m_score(score), m_y_offset(y_offset), m_count(score.strategies.front().curve.size()) {}

  [[nodiscard]] std::string svg() const {
    std::string out = fmt::format(
        "<text x=\"{}\" y=\"{}\" class=\"title\">{}: {} configurations, optimum {:.4g} ms</text>\n",
        left, m_y_offset + 20, escaped(m_score.space), m_score.configurations, m_score.optimum_ms);
    out += axes();
    for (std::size_t s = 0; s < m_score.strategies.size(); ++s) {
      out += curve(m_score.strategies[s], colours[s % colours.size()]);
      const double y_legend = m_y_offset + top + 12 + 18 * static_cast<double>(s);
      out += fmt::format(
          "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{3}\" stroke-width=\"3\"/>"
          "<text x=\"{4}\" y=\"{5}\">{6}</text>\n",
          width - right + 14, width - right + 34, y_legend, colours[s % colours.size()],
          width - right + 40, y_legend + 4, escaped(m_score.strategies[s].strategy));
    }
    return out;
  }

 private:
  [[nodiscard]] double x_of(double evaluation) const {
    const double whole = std::log(std::max<double>(static_cast<double>(m_count), 2));
    return left + (width - left - right) * std::log(evaluation) / whole;
  }
  [[nodiscard]] double y_of(double share) const {
    const double up = (std::max(share, lowest_share) - lowest_share) / (1 - lowest_share);
    return m_y_offset + panel_height - bottom - (panel_height - top - bottom) * up;
  }

  [[nodiscard]] std::string axes() const {
    std::string out;
    for (const int percent : {40, 50, 60, 70, 80, 90, 95, 100}) {
      const double y = y_of(percent / 100.0);
      out += fmt::format(
          "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>"
          "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5} %</text>\n",
          left, width - right, y, left - 6, y + 4, percent);
    }
    for (std::size_t tick = 1; tick <= m_count; tick *= 10) {
      for (const std::size_t n : {tick, 2 * tick, 5 * tick}) {
        if (n > m_count) break;
        out += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" class=\"grid\"/>"
            "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
            x_of(static_cast<double>(n)), m_y_offset + top, m_y_offset + panel_height - bottom,
            m_y_offset + panel_height - bottom + 16, n);
      }
    }
    return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">evaluations</text>\n",
                             (left + width - right) / 2, m_y_offset + panel_height - 8);
  }

  /// The points at which a curve bends; most of it is flat.
  [[nodiscard]] std::vector<std::string> points(const std::vector<CurvePoint>& curve,
                                                double CurvePoint::*quantile) const {
    std::vector<std::string> out;
    for (std::size_t n = 0; n < curve.size(); ++n) {
      const bool inside = n > 0 && n + 1 < curve.size();
      if (inside && curve[n].*quantile == curve[n - 1].*quantile &&
          curve[n].*quantile == curve[n + 1].*quantile) {
        continue;
      }
      out.push_back(
          fmt::format("{:.1f},{:.1f}", x_of(static_cast<double>(n) + 1), y_of(curve[n].*quantile)));
    }
    return out;
  }

  [[nodiscard]] std::string curve(const StrategyScore& score, const char* colour) const {
    std::vector<std::string> band = points(score.curve, &CurvePoint::nine_tenths);
    const auto lower = points(score.curve, &CurvePoint::tenth);
    band.insert(band.end(), lower.rbegin(), lower.rend());
    return fmt::format(
        "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.1\"/>"
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
        fmt::join(band, " "), colour, fmt::join(points(score.curve, &CurvePoint::median), " "),
        colour);
  }

  const SpaceScore& m_score;
  double m_y_offset;
  std::size_t m_count;
};

}  // namespace

std::string score_plot(const std::vector<SpaceScore>& scores) {
  const double height = panel_height * static_cast<double>(scores.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<style>text {{ font: 12px sans-serif }} .title {{ font-weight: bold }} "
      ".grid {{ stroke: #ddd }}</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out += Panel(scores[i], panel_height * static_cast<double>(i)).svg();
  }
  return out + "</svg>\n";
}

}  // namespace gtune
