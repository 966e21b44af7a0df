#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/build_under_test.hpp"
#include "support/run_program.hpp"

namespace gtune::test {

/// Skips the tests if there is no GPU, unless GTUNE_REQUIRE_GPU is set: then they fail, so a broken
/// driver cannot look like a pass.
class NeedsGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult devices = run_program({test::gtune_binary(), "devices"});
    if (devices.exit_code == 0) return;
    ASSERT_EQ(std::getenv("GTUNE_REQUIRE_GPU"), nullptr) << devices.err;
    GTEST_SKIP() << devices.err;
  }
};

}  // namespace gtune::test
