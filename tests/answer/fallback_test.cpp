#include "answer/fallback.hpp"

#include <gtest/gtest.h>

#include "answer/stored_run.hpp"
#include "answer/toy_spec.hpp"

namespace gtune::test {
namespace {

class Fallback : public ::testing::Test {
 protected:
  /// Of a run on n = 64 that measured A = 2, the fastest, and `slower`.
  Winner winner_beside(const DeviceFacts& on, std::int64_t slower) {
    return store_run(db, kernel, on, problem, {{2, 1}, {slower, 3}});
  }

  std::string fallbacks(const std::vector<Winner>& used) {
    std::string text;
    for (const Winner& each : find_fallbacks(db, kernel, spec, used)) {
      text += each.device.name + " " + each.config.text() + ";";
    }
    return text;
  }

  TemporaryFolder folder;
  Database db{folder.path() / "gtune.db", OpenMode::create};
  // An even A only takes multiples of 8.
  KernelSpec spec = toy_spec("", "A % 2 == 1 || n % 8 == 0");
  KernelIdentity kernel{"k", "aa", "bb", {"n", "kind"}, {"A"}};
  Problem problem{{"n", 64}, {"kind", 0}};
};

TEST_F(Fallback, IsValidWhereNoneInUseIs) {
  EXPECT_EQ(fallbacks({winner_beside(device_of("Large", "GPU-1"), 3)}), "Large A=3;");
}

TEST_F(Fallback, IsOneForAllDevicesOfAModel) {
  const Winner first = winner_beside(device_of("Large", "GPU-1"), 3);
  const Winner second = winner_beside(device_of("Large", "GPU-2"), 5);
  EXPECT_EQ(fallbacks({first, second}), "Large A=3;");
  const Winner small = winner_beside(device_of("Small", "GPU-3"), 5);
  EXPECT_EQ(fallbacks({first, second, small}), "Large A=3;Small A=5;");
}

TEST_F(Fallback, HasATimeInTheModeOfTheWinner) {
  const Winner cold = winner_beside(device_of("Large", "GPU-1"), 4);
  store_run(db, kernel, device_of("Large", "GPU-2"), problem, {{5, 3}},
            timing_mode_from_string("warm"));
  EXPECT_EQ(fallbacks({cold}), "");
}

TEST_F(Fallback, MayHaveBeenMeasuredOnAnotherDeviceOfTheModel) {
  const Winner first = winner_beside(device_of("Large", "GPU-1"), 4);
  winner_beside(device_of("Large", "GPU-2"), 5);
  EXPECT_EQ(fallbacks({first}), "Large A=5;");
}

}  // namespace
}  // namespace gtune::test
