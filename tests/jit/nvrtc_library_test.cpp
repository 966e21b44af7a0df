#include "jit/nvrtc_library.hpp"

#include <gtest/gtest.h>

#include "jit/support.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

TEST(NvrtcLibrary, TellsItsVersion) {
  EXPECT_GE(std::stod(nvrtc_version()), 12.0) << nvrtc_version();
}

TEST(NvrtcLibrary, ANamedFileThatIsNotThereIsAnErrorThatNamesIt) {
  const test::EnvironmentVariable named("GTUNE_NVRTC", "/nonexistent/libnvrtc.so");
  try {
    (void)nvrtc_version();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    const std::string text = error.what();
    EXPECT_NE(text.find("GTUNE_NVRTC=/nonexistent/libnvrtc.so"), text.npos) << text;
  }
}

TEST(NvrtcLibrary, AnotherLibraryIsNotTakenForIt) {
  const test::EnvironmentVariable named("GTUNE_NVRTC", "libm.so.6");
  EXPECT_THROW((void)nvrtc_version(), UserError);
}

}  // namespace
}  // namespace gtune
