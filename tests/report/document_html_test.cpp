#include "report/document_html.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

TEST(DocumentHtml, ShowsWhatTextShows) {
  Document report("A <title>");
  report.fact("time", "median_ms", Cell(2.5).said("2.5 ms")).data("hidden", 7);
  report.note("a note");
  EXPECT_EQ(html_of(report, 3),
            "<h3>A &lt;title&gt;</h3>\n<dl>\n<div><dt>time</dt><dd>2.5 ms</dd></div>\n</dl>\n"
            "<p>a note</p>\n");
}

TEST(DocumentHtml, FactsMayEndALineAfterAComma) {
  EXPECT_EQ(html_of(Document().line("best", "A=1,B=<2>"), 3),
            "<dl>\n<div><dt>best</dt><dd>A=1,<wbr>B=&lt;2&gt;</dd></div>\n</dl>\n");
}

TEST(DocumentHtml, CellsCarryTheirUnscaledNumber) {
  Table table({text_column("name"), text_column("time"), json_column("hidden")});
  table.title("times").row({"a&b", Cell(0.0025).said("2.5 us"), 1});
  const std::string html = html_of(table);
  EXPECT_NE(html.find("<caption>times</caption>"), std::string::npos) << html;
  EXPECT_NE(html.find("<th scope=\"row\">a&amp;b</th>"), std::string::npos) << html;
  EXPECT_EQ(html.find("data-value=\"\""), std::string::npos);
  EXPECT_NE(html.find("<td class=\"number\" data-value=\"0.0025\">2.5 us</td>"), std::string::npos)
      << html;
  EXPECT_EQ(html.find("hidden"), std::string::npos);
}

TEST(DocumentHtml, PutsGroupsUnderTheirHeadings) {
  Table table({text_column("name"), text_column("value")});
  table.groups({"first", "empty", "last"}).row({"x", 1}, 2).row({"y", 2}, 0);
  const std::string html = html_of(table);
  EXPECT_LT(html.find("first"), html.find(">y<"));
  EXPECT_LT(html.find(">y<"), html.find("last"));
  EXPECT_EQ(html.find("empty"), std::string::npos);
}

TEST(DocumentHtml, LeavesOutPartsForMachines) {
  Document report;
  report.part(Document().data("key", 1), "machine");
  report.table(Table({json_column("a")}).key("k").row({1}));
  EXPECT_EQ(html_of(report, 2), "");
}

TEST(DocumentHtml, ATableOfOneColumnIsAList) {
  Table table({text_column()});
  table.title("next best").row({"<b>"});
  EXPECT_EQ(html_of(table), "<p>next best:</p>\n<ul>\n<li>&lt;b&gt;</li>\n</ul>\n");
}

}  // namespace
}  // namespace gtune::test
