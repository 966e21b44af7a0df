#include "tune/recorded_configs.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

std::vector<Config> configs(const std::vector<std::int64_t>& values) {
  std::vector<Config> all;
  for (const std::int64_t value : values) {
    Config config;
    config.set("BLOCK", value);
    all.push_back(std::move(config));
  }
  return all;
}

TEST(RecordedConfigs, KeepsEqualListsOfManyWorkersOnce) {
  RecordedConfigs recorded(1000);
  for (std::size_t worker = 0; worker < 1000; ++worker) recorded.set(worker, configs({1, 2, 3}));
  EXPECT_EQ(recorded.distinct_lists(), 1U);
  EXPECT_EQ(recorded.common({0, 999}), configs({1, 2, 3}));
}

TEST(RecordedConfigs, CommonOnesAreThoseOfAllWorkersInTheOrderOfTheFirst) {
  RecordedConfigs recorded(4);
  recorded.set(0, configs({3, 1, 2}));
  recorded.set(1, configs({1, 2, 3, 4}));
  recorded.set(2, configs({1, 3}));
  recorded.set(3, configs({7}));
  EXPECT_EQ(recorded.common({0, 1, 2}), configs({3, 1}));
  EXPECT_EQ(recorded.common({1, 0}), configs({1, 2, 3}));
  EXPECT_EQ(recorded.common({3}), configs({7}));
}

}  // namespace
}  // namespace gtune
