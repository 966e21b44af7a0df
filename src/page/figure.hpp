#pragma once

#include <string>

#include "report/chart.hpp"
#include "report/document.hpp"

namespace gtune {

/// A chart in a page: a sentence that says what it shows, the image, and its numbers as a table.
struct Figure {
  std::string id;           // unique in the page
  std::string svg;          // markup
  std::string title;        // plain text
  std::string note = {};    // plain text below the image
  std::string table = {};   // markup
  std::string script = {};  // what the page's script draws here instead; empty: nothing
  std::size_t problem = 0;  // whose data the script draws
};

[[nodiscard]] std::string figure_element(const Figure& figure);

/// The figure of a chart; `description`: its text alternative.
[[nodiscard]] Figure chart_figure(const std::string& id, const Chart& chart,
                                  const std::string& description, const Table& numbers);

/// A bar of a bar chart. All texts may come from someone else's files.
struct Bar {
  std::string name;
  double value = 0;
  std::string text;          // the value with its unit
  bool is_marked = false;    // the bar that the chart is about
  std::string heading = {};  // above the bar
};

/// Horizontal bars from 0. Values beyond `most` are cut, with a mark. `title`, `description`: text
/// alternatives.
[[nodiscard]] std::string bars_svg(const std::vector<Bar>& bars, double most, const std::string& id,
                                   const std::string& title, const std::string& description);

/// "<h3 id=...>": a heading that the table of contents can point to.
[[nodiscard]] std::string heading_element(int level, const std::string& id,
                                          const std::string& text);

[[nodiscard]] std::string paragraph(const std::string& text);

}  // namespace gtune
