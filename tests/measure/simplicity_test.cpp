#include "measure/simplicity.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

ResourceUsage usage(int registers, std::int64_t static_shared, std::int64_t dynamic_shared) {
  ResourceUsage result;
  result.registers = registers;
  result.static_shared_bytes = static_shared;
  result.dynamic_shared_bytes = dynamic_shared;
  return result;
}

TEST(Simplicity, FewerRegistersThenLessSharedMemory) {
  const ResourceUsage small = usage(32, 0, 9000);
  const ResourceUsage large = usage(64, 0, 0);
  const ResourceUsage split = usage(32, 4000, 4999);
  EXPECT_TRUE(simpler(small, large));
  EXPECT_FALSE(simpler(large, small));
  EXPECT_TRUE(simpler(split, small));
  EXPECT_FALSE(simpler(small, small));
}

}  // namespace
}  // namespace gtune
