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
  EXPECT_EQ(counter_access(parameters, all).admins_only, true);
  EXPECT_TRUE(counter_access(parameters, all).is_admin);
  EXPECT_FALSE(counter_access(parameters, none).is_admin);
  EXPECT_TRUE(counter_access(parameters, only_sys_admin).is_admin);
  const auto open = folder.write("open", "RmProfilingAdminOnly: 0\n");
  EXPECT_EQ(counter_access(open, none).admins_only, false);
}

TEST(CounterAccess, IsUnknownWithoutTheDriversParameters) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(counter_access(folder.path() / "none", folder.path() / "none").admins_only,
            std::nullopt);
  EXPECT_FALSE(counter_access(folder.path() / "none", folder.path() / "none").is_admin);
  const auto damaged = folder.write("damaged", "RmProfilingAdminOnly:\n");
  EXPECT_EQ(counter_access(damaged, damaged).admins_only, std::nullopt);
}

}  // namespace
}  // namespace gtune
