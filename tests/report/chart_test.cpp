#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace gtune::test {
namespace {

std::string ticks_of(const ChartAxis& axis) {
  std::string text;
  for (const AxisTick& tick : axis.ticks) {
    text += (text.empty() ? "" : " | ") + tick.text;
    EXPECT_GE(tick.at, axis.low) << axis.label;
    EXPECT_LE(tick.at, axis.high) << axis.label;
  }
  return text;
}

TEST(ChartAxis, OfNumbersIsLogarithmicOverMoreThanAFactorOf16) {
  EXPECT_FALSE(number_axis("n", {1, 2, 16}).logarithmic);
  EXPECT_TRUE(number_axis("n", {1, 2, 17}).logarithmic);
  EXPECT_FALSE(number_axis("n", {0, 2, 1000}).logarithmic);
  EXPECT_FALSE(number_axis("n", {-4, 1000}).logarithmic);
}

TEST(ChartAxis, HasRoundTicks) {
  EXPECT_EQ(ticks_of(number_axis("n", {16, 1, 2, 4})), "1 | 2 | 4 | 16");
  EXPECT_EQ(ticks_of(number_axis("n", {1000, 1001, 1999})),
            "1000 | 1200 | 1400 | 1600 | 1800 | 2000");
  EXPECT_EQ(ticks_of(number_axis("n", {1 << 10, 1 << 20})),
            "1024 | 2048 | 4096 | 8192 | 16 Ki | 32 Ki | 64 Ki | 128 Ki | 256 Ki | 512 Ki | 1 Mi");
  EXPECT_EQ(ticks_of(number_axis("n", {100, 300, 20000})),
            "100 | 200 | 500 | 1000 | 2000 | 5000 | 10 k | 20 k");
  EXPECT_EQ(ticks_of(word_axis("w", {"slow", "fast"})), "slow | fast");
}

TEST(ChartAxis, OfAQuantitySaysItsUnit) {
  const ChartAxis time = quantity_axis("time", "ms", {0.0031, 0.0187});
  EXPECT_EQ(time.label, "time, us");
  EXPECT_EQ(ticks_of(time), "0 | 5 | 10 | 15 | 20");
  EXPECT_EQ(quantity_axis("speed", "GFLOP/s", {50'000, 1'000}).label, "speed, TFLOP/s");
  EXPECT_EQ(ticks_of(quantity_axis("hits", "percent", {93, 99.5})), "92 | 94 | 96 | 98 | 100");
  EXPECT_EQ(quantity_axis("count", "", {1, 2}).label, "count");
  EXPECT_EQ(ticks_of(quantity_axis("time", "ms", {0.01, 2})),
            "0.01 | 0.02 | 0.05 | 0.1 | 0.2 | 0.5 | 1 | 2");
}

TEST(ChartAxis, HasTicksForAllValuesThatAreStored) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (const std::vector<std::int64_t>& values : std::vector<std::vector<std::int64_t>>{
           {0}, {7}, {-most - 1, most}, {1, most}, {most - 1, most}, {1, std::int64_t{1} << 62}}) {
    EXPECT_FALSE(ticks_of(number_axis("n", values)).empty());
  }
  for (const std::vector<double>& values : std::vector<std::vector<double>>{
           {0}, {5}, {-5}, {-1e30, 1e30}, {1e-30, 1e30}, {1, 1 + 1e-12}, {-2, -1.9}}) {
    const ChartAxis axis = quantity_axis("y", "", values);
    EXPECT_FALSE(ticks_of(axis).empty());
    EXPECT_LT(axis.low, axis.high);
  }
}

Chart chart_of(std::size_t lines, std::size_t points) {
  std::vector<std::int64_t> xs;
  for (std::size_t i = 0; i < points; ++i) xs.push_back(static_cast<std::int64_t>(i));
  Chart chart{"t", "s", number_axis("x", xs), quantity_axis("y", "", {0, 1}), {}};
  for (std::size_t i = 0; i < lines; ++i) {
    ChartLine line{"line", {}};
    for (const std::int64_t x : xs) {
      line.points.push_back({static_cast<double>(x), 0.5, std::string(200, 'n')});
    }
    chart.lines.push_back(line);
  }
  return chart;
}

TEST(Chart, EscapesHostileTexts) {
  const std::string hostile = "</text><script>a('\"&')\x1b[1m\xEF\xBF\xBF\xFF";
  Chart chart = chart_of(1, 2);
  chart.title = chart.subtitle = chart.x.label = chart.y.label = chart.legend = hostile;
  chart.x.ticks[0].text = chart.lines[0].name = chart.lines[0].points[0].note = hostile;
  const std::string svg = svg_of({chart}, hostile);
  EXPECT_EQ(svg.find("<script"), std::string::npos) << svg;
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;script&gt;a(&#39;&quot;&amp;&#39;) [1m??"),
            std::string::npos)
      << svg;
  EXPECT_TRUE(std::none_of(svg.begin(), svg.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte < 0x20 && c != '\n');
  }));
}

TEST(Chart, StaysSmall) {
  for (const auto& [lines, points] :
       {std::pair<std::size_t, std::size_t>{16, 12}, {16, 37}, {1, 200}, {3, 1000}, {16, 187}}) {
    EXPECT_LT(svg_of({chart_of(lines, points)}, "d").size(), 62'000U) << lines << ' ' << points;
  }
}

TEST(Chart, HasTextAlternativesAndBothColourSchemes) {
  const std::string svg = svg_of({chart_of(2, 3)}, "what it shows");
  for (const char* part : {"<svg ", "<title id=\"name\">t</title>", "role=\"img\"",
                           "<desc id=\"description\">what it shows</desc>",
                           "prefers-color-scheme:dark", ".line1{color:"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << '\n' << svg;
  }
}

TEST(Chart, LabelsALimitAlongItsLine) {
  Chart chart = chart_of(1, 2);
  chart.lines[0].style = LineStyle::limit;
  chart.lines[0].points = {{0, 0.25}, {1, 0.75, "", "a limit"}};
  const std::string rising = inline_svg_of(chart, "c", "d");
  const std::string label = rising.substr(rising.find("<text class=\"label\""));
  EXPECT_NE(label.substr(0, label.find('\n')).find("rotate(-"), std::string::npos) << label;
  chart.lines[0].points[0].y = 0.75;
  EXPECT_NE(inline_svg_of(chart, "c", "d").find("rotate(0.0)"), std::string::npos);
}

TEST(Chart, PointsKeepTheirMarkersHoweverManyTheyAre) {
  Chart chart = chart_of(1, 3000);
  const auto count_markers = [&] {
    const std::string svg = svg_of({chart}, "d");
    return std::ranges::count(svg.substr(svg.find("class=\"marker\"")), 'z');
  };
  chart.lines[0].style = LineStyle::points;
  EXPECT_EQ(count_markers(), 3001);  // one in the legend
  EXPECT_LT(svg_of({chart}, "d").size(), 150'000U);
}

TEST(Chart, ALineKeepsTheLookThatItIsGiven) {
  Chart chart = chart_of(3, 2);
  chart.lines.back().look = 0;
  const std::string svg = inline_svg_of(chart, "c", "d");
  EXPECT_EQ(svg.find("class=\"line2\""), std::string::npos);
}

TEST(Chart, MarksLinesByColourAndShape) {
  const std::string svg = svg_of({chart_of(9, 1)}, "");
  std::vector<std::string> looks;
  for (std::size_t at = svg.find("<g class=\"line"); at != std::string::npos;
       at = svg.find("<g class=\"line", at + 1)) {
    const std::size_t shape = svg.find('m', svg.find(" d=\"M", at));
    looks.push_back(svg.substr(at, 16) + svg.substr(shape, svg.find('z', shape) - shape));
  }
  std::sort(looks.begin(), looks.end());
  EXPECT_EQ(std::unique(looks.begin(), looks.end()) - looks.begin(), 9) << "each in the legend too";
  EXPECT_EQ(svg_of({chart_of(1, 2)}, "").find("nan"), std::string::npos);
}

}  // namespace
}  // namespace gtune::test
