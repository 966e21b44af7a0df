#include "report/drawing.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

TEST(Drawing, BarsAreExactToAnEighthOfAColumn) {
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(1.0 / 24, 3), "▏");
  EXPECT_EQ(bar(0, 3), "▏");  // never invisible
  EXPECT_EQ(bar(7, 2), "██");
}

TEST(Drawing, SparklinesShowTheirLastValue) {
  EXPECT_EQ(sparkline({0.125, 0.5, 1}, 40), "▁▄█");
  EXPECT_EQ(sparkline({0.125, 0.25, 0.5, 1}, 2), "▂█");
  EXPECT_EQ(sparkline({}, 40), "");
}

}  // namespace
}  // namespace gtune
