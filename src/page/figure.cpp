#include "page/figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/document_html.hpp"
#include "report/markup_text.hpp"

namespace gtune {
namespace {

// In pixels.
constexpr double k_width = 440;
constexpr double k_names = 150;  // where bars begin
constexpr double k_texts = 88;   // right of the longest bar
constexpr double k_row = 22;
constexpr double k_heading = 26;
constexpr std::size_t k_longest_name = 23;
constexpr std::size_t k_longest_text = 40;

std::string bar_elements(const Bar& bar, double y, double most) {
  const double share = most > 0 ? std::clamp(bar.value / most, 0.0, 1.0) : 0;
  const double width = std::max(1.0, (k_width - k_names - k_texts) * share);
  const double end = k_names + width;
  std::string out = fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>"
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\"/>",
      k_names - 8, y + 4, markup_text(bar.name, k_longest_name), bar.is_marked ? "bar own" : "bar",
      k_names, y - 7, width);
  if (bar.value > most) {
    out += fmt::format("<path class=\"cut\" d=\"M{:.1f} {:.1f}l4-14M{:.1f} {:.1f}l4-14\"/>",
                       end - 10, y + 7, end - 6, y + 7);
  }
  return out + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", end + 6, y + 4,
                           markup_text(bar.text, k_longest_text));
}

}  // namespace

std::string figure_element(const Figure& figure) {
  std::string out = fmt::format("<figure id=\"{}\"", markup_text(figure.id));
  if (!figure.script.empty()) {
    out += fmt::format(" data-draw=\"{}\" data-problem=\"{}\"", figure.script, figure.problem);
  }
  out += ">\n<figcaption>" + markup_text(figure.title) + "</figcaption>\n";
  out += "<div class=\"plot\">" + figure.svg + "</div>\n";
  if (!figure.note.empty()) out += "<p class=\"note\">" + markup_text(figure.note) + "</p>\n";
  if (!figure.table.empty()) {
    out += "<details class=\"numbers\"><summary>The numbers of this chart</summary>\n" +
           figure.table + "</details>\n";
  }
  return out + "</figure>\n";
}

Figure chart_figure(const std::string& id, const Chart& chart, const std::string& description,
                    const Table& numbers) {
  return {id, inline_svg_of(chart, id, description), chart.title, chart.subtitle, html_of(numbers)};
}

std::string bars_svg(const std::vector<Bar>& bars, double most, const std::string& id,
                     const std::string& title, const std::string& description) {
  double y = 14;
  std::string content;
  for (const Bar& bar : bars) {
    if (!bar.heading.empty()) {
      y += y > k_row ? k_heading - k_row + 6 : 0;
      content += fmt::format("<text class=\"heading\" x=\"0\" y=\"{:.1f}\">{}</text>\n", y + 4,
                             markup_text(bar.heading, 3 * k_longest_name));
      y += k_row;
    }
    content += bar_elements(bar, y, most);
    y += k_row;
  }
  return fmt::format(
             "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">\n"
             "<title id=\"{2}-t\">{3}</title>\n<desc id=\"{2}-d\">{4}</desc>\n",
             k_width, y, id, markup_text(title), markup_text(description)) +
         content + "</svg>\n";
}

std::string heading_element(int level, const std::string& id, const std::string& text) {
  return fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", level, markup_text(id), wrapping_text(text));
}

std::string paragraph(const std::string& text) { return "<p>" + markup_text(text) + "</p>\n"; }

}  // namespace gtune
