#include "tune/budget.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"

namespace gtune {
namespace {

TEST(Budget, ADurationHasAUnit) {
  EXPECT_EQ(parse_budget("800ms").seconds, 0.8);
  EXPECT_EQ(parse_budget("1.5s").seconds, 1.5);
  EXPECT_EQ(parse_budget("5m").seconds, 300);
  EXPECT_EQ(parse_budget("1h").seconds, 3600);
  EXPECT_EQ(parse_budget("800ms").text(), "0.8s");
}

TEST(Budget, ANumberAloneCountsConfigurations) {
  EXPECT_EQ(parse_budget("200").configurations, 200U);
  EXPECT_FALSE(parse_budget("200").seconds);
}

TEST(Budget, AnythingElseIsRefused) {
  for (const char* text :
       {"", "0", "0ms", "-1s", "ms", "s", "1.5", "1 s", "8us", "infs", "1e99s", "10001h"}) {
    EXPECT_THROW((void)parse_budget(text), UserError) << text;
  }
}

}  // namespace
}  // namespace gtune
