#include "model/named_values.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

TEST(NamedValues, AreEqualInAnyOrder) {
  const NamedValues values = {{"BM", 128}, {"BN", 64}};
  EXPECT_EQ(values, (NamedValues{{"BN", 64}, {"BM", 128}}));
  EXPECT_NE(values, (NamedValues{{"BM", 64}, {"BN", 128}}));
  EXPECT_NE(values, (NamedValues{{"BM", 128}}));
  EXPECT_NE(values, (NamedValues{{"BM", 128}, {"BN", 64}, {"BK", 8}}));
  EXPECT_NE(values, (NamedValues{{"BM", 128}, {"BK", 64}}));
  EXPECT_EQ(NamedValues{}, NamedValues{});
}

TEST(NamedValues, SettingKeepsThePlaceOfAKnownName) {
  NamedValues values = {{"B", 1}, {"A", 2}};
  values.set("B", 3);
  values.set("C", 4);
  EXPECT_EQ(values.text(), "B=3,A=2,C=4");
}

TEST(NamedValues, FindsWhatIsThere) {
  const NamedValues values = {{"B", 0}};
  EXPECT_EQ(values.find("B"), 0);
  EXPECT_FALSE(values.find("b"));
  EXPECT_FALSE(NamedValues{}.find(""));
}

TEST(NamedValues, TextIsWhatConfigTakes) {
  EXPECT_EQ((NamedValues{{"BM", 128}, {"SHIFT", -1}}).text(), "BM=128,SHIFT=-1");
  EXPECT_EQ(NamedValues{}.text(), "");
  EXPECT_TRUE(NamedValues{}.empty());
}

}  // namespace
}  // namespace gtune
