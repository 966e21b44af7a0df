#include "profile/counter_access.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

TEST(CounterAccess, FollowsFromTheDriversParametersAndTheCapabilities) {
  const test::TemporaryFolder folder;
  const auto parameters =
      folder.write("params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nX: 0\n");
  const auto all = folder.write("all", "Name:\tgtune\nCapEff:\t000001ffffffffff\n");
  const auto none = folder.write("none", "CapPrm:\t0000000000200000\nCapEff:\t0000000000000000\n");
  const auto only_sys_admin = folder.write("one", "CapEff:\t0000000000200000\n");
  const auto only_perfmon = folder.write("perfmon", "CapEff:\t0000004000000000\n");
  const auto initial = folder.write("initial", "         0          0 4294967295\n");
  EXPECT_EQ(counter_access(parameters, all, initial).admins_only, true);
  EXPECT_TRUE(counter_access(parameters, all, initial).may_read_counters);
  EXPECT_FALSE(counter_access(parameters, none, initial).may_read_counters);
  EXPECT_TRUE(counter_access(parameters, only_sys_admin, initial).may_read_counters);
  EXPECT_TRUE(counter_access(parameters, only_perfmon, initial).may_read_counters);
  const auto open = folder.write("open", "RmProfilingAdminOnly: 0\n");
  EXPECT_EQ(counter_access(open, none, initial).admins_only, false);
  EXPECT_TRUE(counter_access(open, none, initial).may_read_counters);
}

TEST(CounterAccess, ACapabilityCountsOnlyInTheInitialUserNamespace) {
  const test::TemporaryFolder folder;
  const auto parameters = folder.write("params", "RmProfilingAdminOnly: 1\n");
  const auto all = folder.write("all", "CapEff:\t000001ffffffffff\n");
  const auto rootless = folder.write("rootless", "0 1000 1\n1 100000 65536\n");
  EXPECT_FALSE(counter_access(parameters, all, rootless).may_read_counters);
  EXPECT_FALSE(counter_access(parameters, all, folder.write("empty", "")).may_read_counters);
  EXPECT_TRUE(counter_access(parameters, all, folder.path() / "none").may_read_counters);
}

TEST(CounterAccess, IsUnknownWithoutTheDriversParameters) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(counter_access(folder.path() / "none", folder.path() / "none").admins_only,
            std::nullopt);
  EXPECT_FALSE(counter_access(folder.path() / "none", folder.path() / "none").may_read_counters);
  const auto damaged = folder.write("damaged", "RmProfilingAdminOnly:\n");
  EXPECT_EQ(counter_access(damaged, damaged).admins_only, std::nullopt);
}

}  // namespace
}  // namespace gtune
