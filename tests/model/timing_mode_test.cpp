#include "model/timing_mode.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gtune::test {
namespace {

TEST(TimingModes, HaveOneTextEach) {
  const std::pair<TimingMode, const char*> texts[] = {
      {{}, "cold"},
      {{LaunchOrder::warm}, "warm"},
      {{LaunchOrder::back_to_back, 4}, "back-to-back/4"},
      {{LaunchOrder::graph, 64}, "graph/64"},
  };
  for (const auto& [mode, text] : texts) {
    EXPECT_EQ(mode.text(), text);
    EXPECT_EQ(timing_mode_from_string(text), mode);
  }
}

TEST(TimingModes, AreReadInNoOtherForm) {
  for (const char* text : {"", "hot", "cold/", "cold/1", "cold/0", "cold/-2", "cold/65", "cold/02",
                           "cold/2 ", "cold/2/2", "/2", "Cold", "cold/99999999999999999999"}) {
    EXPECT_THROW(static_cast<void>(timing_mode_from_string(text)), std::invalid_argument) << text;
  }
}

TEST(TimingModes, SayWhichOptionsAskForThem) {
  EXPECT_EQ(TimingMode().options(), "");
  EXPECT_EQ((TimingMode{LaunchOrder::cold, 2}.options()), " --streams 2");
  EXPECT_EQ((TimingMode{LaunchOrder::graph, 3}.options()), " --timing graph --streams 3");
}

TEST(TimingModes, OtherThanTheDefaultHaveAPhrase) {
  EXPECT_EQ(TimingMode().phrase(), "");
  EXPECT_EQ((TimingMode{LaunchOrder::cold, 2}.phrase()), "on 2 streams");
  EXPECT_EQ((TimingMode{LaunchOrder::warm}.phrase()), "with a warm L2 cache");
  EXPECT_EQ((TimingMode{LaunchOrder::back_to_back, 3}.phrase()),
            "launched back to back on 3 streams");
}

TEST(TimingModes, BeginWithTheColdOne) {
  const TimingMode in_order[] = {{},
                                 {LaunchOrder::warm},
                                 {LaunchOrder::back_to_back},
                                 {LaunchOrder::cold, 4},
                                 {LaunchOrder::graph},
                                 {LaunchOrder::graph, 2},
                                 {LaunchOrder::warm, 2}};
  for (const TimingMode& a : in_order) {
    for (const TimingMode& b : in_order) EXPECT_EQ(a < b, &a < &b) << a.text() << ' ' << b.text();
  }
}

}  // namespace
}  // namespace gtune::test
