// What `gtune query --plot` draws: the choice of the speeds, the best of each place, the chart.
#include "answer/best_curves.hpp"

#include <gtest/gtest.h>

#include "answer/curves_chart.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

/// Sizes n, m (n if not given) and kind; parameters A (numbers), W (words) and S, which exists only
/// for A > 1. Nothing of it is compiled.
const KernelSpec& curves_spec() {
  static const KernelSpec spec = [] {
    const TemporaryFolder folder;
    folder.write("k.cu", "");
    return read_spec(
        folder.write("k.toml",
                     "[kernel]\nname = \"toy\"\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\n"
                     "n = { default = 64 }\nm = { default = \"n\" }\n"
                     "kind = { default = 0, choices = [0, 1] }\n[params]\nA = [1, 2, 4, 64]\n"
                     "W = [\"slow\", \"fast\"]\nS = { values = [1, 2], when = \"A > 1\" }\n"
                     "[launch]\ngrid = [1]\nblock = [32]\n[[args]]\nname = \"out\"\ntype = "
                     "\"f32\"\ncount = \"n\"\ndirection = \"out\"\n[check]\n"
                     "reference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n"),
        {});
  }();
  return spec;
}

std::int64_t word(const std::string& text) { return value_of_word(text); }

Problem sizes(std::int64_t n, std::int64_t m, std::int64_t kind = 0) {
  return {{"n", n}, {"m", m}, {"kind", kind}};
}

ConfigSpeed speed_of(const Problem& problem, std::int64_t a, double ms,
                     const std::string& w = "slow", std::int64_t s = 1) {
  ConfigSpeed speed;
  speed.device.name = "GPU";
  speed.problem = problem;
  speed.config = {{"A", a}, {"W", word(w)}, {"S", s}};
  speed.median_ms = ms;
  speed.gbps = 100 / ms;
  return speed;
}

std::vector<Metric> no_metrics(const ConfigSpeed& /*speed*/) { return {}; }

BestCurves curves_of(const std::string& axes, const std::vector<ConfigSpeed>& speeds,
                     const MetricsOf& metrics_of = no_metrics) {
  return best_curves(curves_spec(), parse_plot_axes(curves_spec(), axes), speeds, metrics_of);
}

/// "group: x=y x=y; ..."
std::string summary(const BestCurves& curves) {
  std::string text;
  for (const BestCurve& curve : curves.curves) {
    text += (text.empty() ? "" : "; ") + (curve.group ? value_text(*curve.group) + ":" : "");
    for (const CurvePlace& place : curve.places) {
      text += " " + value_text(place.x) + "=" + std::to_string(static_cast<int>(place.y));
    }
  }
  return text;
}

std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "not refused";
}

std::vector<ConfigSpeed> chosen(const std::string& axes, const GivenSizes& given,
                                std::vector<ConfigSpeed> speeds) {
  return speeds_to_plot(curves_spec(), parse_plot_axes(curves_spec(), axes), given,
                        std::move(speeds));
}

TEST(BestCurves, HaveTheFastestConfigurationOfEachPlace) {
  const std::vector<ConfigSpeed> speeds = {
      speed_of(sizes(64, 64), 4, 9), speed_of(sizes(64, 64), 1, 5, "fast"),
      speed_of(sizes(64, 64), 1, 4, "slow"), speed_of(sizes(64, 64), 4, 7, "fast")};
  EXPECT_EQ(summary(curves_of("A,time", speeds)), " 1=4 4=7");
  EXPECT_EQ(summary(curves_of("A,GB/s", speeds)), " 1=25 4=14");
  EXPECT_EQ(summary(curves_of("A,gbps", speeds)), summary(curves_of("A,GB/s", speeds)));
}

TEST(BestCurves, OfWordsStandInTheOrderOfTheSpec) {
  const std::vector<ConfigSpeed> speeds = {speed_of(sizes(64, 64), 4, 9, "fast"),
                                           speed_of(sizes(64, 64), 4, 8, "slow"),
                                           speed_of(sizes(64, 64), 1, 5, "fast")};
  EXPECT_EQ(summary(curves_of("W,time", speeds)), " slow=8 fast=5");
  EXPECT_EQ(summary(curves_of("A,time,W", speeds)), "slow: 4=8; fast: 1=5 4=9");
}

TEST(BestCurves, LeaveOutConfigurationsWithoutTheParameter) {
  EXPECT_EQ(
      summary(curves_of("S,time", {speed_of(sizes(64, 64), 1, 1), speed_of(sizes(64, 64), 2, 3)})),
      " 1=3");
}

TEST(BestCurves, OfAMetricCountTheConfigurationsWithoutIt) {
  const auto metrics_of = [](const ConfigSpeed& speed) -> std::vector<Metric> {
    if (speed.median_ms > 5) return {{"hits", std::nullopt, "", "not supported"}};
    return {{"hits", 60, "percent", ""}};
  };
  const BestCurves curves = curves_of(
      "A,hits", {speed_of(sizes(64, 64), 1, 4), speed_of(sizes(64, 64), 2, 6)}, metrics_of);
  EXPECT_EQ(summary(curves), " 1=60");
  EXPECT_EQ(curves.unit, "percent");
  EXPECT_EQ(curves.without_y, 1U);
}

TEST(SpeedsToPlot, KeepSizesThatFollowFromOthers) {
  const std::vector<ConfigSpeed> speeds = {speed_of(sizes(64, 64), 1, 1),
                                           speed_of(sizes(128, 128), 1, 2),
                                           speed_of(sizes(128, 7), 1, 3)};
  EXPECT_EQ(summary(curves_of("n,time", chosen("n,time", {}, speeds))), " 64=1 128=2");
  EXPECT_EQ(summary(curves_of("n,time", chosen("n,time", {{"m", {7}}}, speeds))), " 128=3");
  EXPECT_EQ(summary(curves_of("m,time", chosen("m,time", {{"n", {128}}}, speeds))), " 7=3 128=2");
}

TEST(SpeedsToPlot, AreRefusedIfAnotherSizeVaries) {
  const std::vector<ConfigSpeed> speeds = {speed_of(sizes(64, 64, 0), 1, 1),
                                           speed_of(sizes(64, 64, 1), 1, 2),
                                           speed_of(sizes(128, 128, 1), 1, 3)};
  EXPECT_EQ(refusal([&] { (void)chosen("n,time", {}, speeds); }),
            "--plot: the stored problems differ in kind (0, 1): give --kind one value, or add it "
            "as a group: X,Y,kind");
  EXPECT_NE(refusal([&] { (void)chosen("A,time", {}, speeds); }).find("differ in n (64, 128)"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              (void)chosen("A,time,W", {{"n", {64, 128}}}, speeds);
            }).find("give --n one value"),
            std::string::npos);
  EXPECT_EQ(summary(curves_of("n,time,kind", chosen("n,time,kind", {}, speeds))),
            "0: 64=1; 1: 64=2 128=3");
  EXPECT_EQ(summary(curves_of("A,time", chosen("A,time", {{"n", {64}}}, speeds))), " 1=1")
      << "a size that is not given has its default, as in every command";
}

TEST(SpeedsToPlot, AreOfOneDeviceAndStateOfTheCache) {
  std::vector<ConfigSpeed> speeds = {speed_of(sizes(64, 64), 1, 1), speed_of(sizes(64, 64), 1, 2)};
  speeds[0].device.replayed = true;
  EXPECT_EQ(summary(curves_of("A,time", chosen("A,time", {}, speeds))), " 1=2");
  speeds[0].device.replayed = false;
  speeds[0].mode.order = LaunchOrder::warm;
  EXPECT_EQ(summary(curves_of("A,time", chosen("A,time", {}, speeds))), " 1=2");
  speeds[0].device.name = "Other";
  EXPECT_EQ(refusal([&] { (void)chosen("A,time", {}, speeds); }),
            "--plot shows one device: give --device 'GPU' or 'Other'");
}

TEST(PlotAxes, AreSizesOrParametersByTheirNames) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { (void)parse_plot_axes(curves_spec(), text); });
  };
  EXPECT_NE(refused("kinds,time").find("did you mean 'kind'?"), std::string::npos);
  EXPECT_NE(refused("A,time,X").find("(there are n, m, kind, A, W, S)"), std::string::npos);
  EXPECT_NE(refused("A,time,A").find("the same"), std::string::npos);
  for (const char* text : {"", "A", "A,", ",time", "A,time,", "A,time,W,S"}) {
    EXPECT_NE(refused(text).find("expected X,Y or X,Y,GROUP"), std::string::npos) << text;
  }
}

TEST(CurvesChart, NamesWhatAllPointsShare) {
  std::vector<ConfigSpeed> speeds = {speed_of(sizes(64, 64), 1, 0.001),
                                     speed_of(sizes(4096, 4096), 64, 0.02, "fast")};
  for (ConfigSpeed& speed : speeds) speed.device.replayed = true;
  const BestCurves curves = curves_of("n,time", speeds);
  const Chart chart = curves_chart(curves_spec(), curves, speeds);
  EXPECT_EQ(chart.title, "toy: best time by n");
  EXPECT_EQ(chart.subtitle, "GPU (replayed from a recording); m=n, kind=0");
  EXPECT_TRUE(chart.x.logarithmic);
  EXPECT_TRUE(chart.y.logarithmic);
  EXPECT_EQ(chart.y.label, "time, us");
  EXPECT_EQ(chart.lines.at(0).points.at(1).note, "20.00 us: n=4096, A=64,W=fast,S=1");
  EXPECT_EQ(curves_description(curves_spec(), curves),
            "toy. The time of the fastest configuration for each n. From 1.000 us (n=64) to 20.00 "
            "us (n=4096).");
}

TEST(CurvesChart, HasAtMostSixteenLines) {
  std::vector<ConfigSpeed> speeds;
  for (int n = 1; n <= 17; ++n) speeds.push_back(speed_of(sizes(n, n), 1, n));
  const BestCurves curves = curves_of("A,time,n", speeds);
  EXPECT_NE(refusal([&] {
              (void)curves_chart(curves_spec(), curves, speeds);
            }).find("n has 17 values and a plot at most 16 lines"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune::test
