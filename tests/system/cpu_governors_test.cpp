#include "system/cpu_governors.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

TEST(CpuGovernors, AreThoseOfAllCoresEachOnce) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(cpu_governors(folder.path()).empty());
  EXPECT_TRUE(cpu_governors(folder.path() / "none").empty());
  folder.write("cpu0/cpufreq/scaling_governor", "powersave\n");
  folder.write("cpu1/cpufreq/scaling_governor", "performance\n");
  folder.write("cpu2/cpufreq/scaling_governor", "powersave\n");
  folder.write("present", "0-2\n");
  EXPECT_EQ(cpu_governors(folder.path()), (std::vector<std::string>{"performance", "powersave"}));
}

}  // namespace
}  // namespace gtune
