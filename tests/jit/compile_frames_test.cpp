#include "jit/compile_frames.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

CompileResult compiled_copy() {
  CompileResult result;
  result.ok = true;
  result.kernels = {{"copy", "copy", {}}};
  result.kernels.front().resources.registers = 32;
  return result;
}

TEST(CompileFrames, AResultArrivesAsSent) {
  EXPECT_EQ(compile_result_from(to_frame(compiled_copy())).kernel().resources.registers, 32);
}

TEST(CompileFrames, AResultWithResourcesThatCannotBeIsGarbage) {
  CompileResult result = compiled_copy();
  result.kernels.front().resources.static_shared_bytes = -1;
  EXPECT_THROW((void)compile_result_from(to_frame(result)), FrameError);
  result = compiled_copy();
  result.kernels.front().resources.registers = 2147483647;
  EXPECT_THROW((void)compile_result_from(to_frame(result)), FrameError);
}

}  // namespace
}  // namespace gtune
