#include <gtest/gtest.h>

#include "jit/compile.hpp"
#include "jit/compile_frames.hpp"
#include "jit/occupancy.hpp"
#include "jit/step_resources.hpp"
#include "jit/support.hpp"
#include "model/error.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

CompileResult compile_both(const std::vector<std::string>& entries) {
  const std::string source =
      "template <int N> __global__ void first(float* x) { __shared__ float s[N]; s[threadIdx.x] = "
      "*x; __syncthreads(); *x = s[0]; }\n"
      "extern \"C\" __global__ void second(int* y, int n) { *y = n; }\n";
  CompileRequest request = KernelSource(source, "k.cu").request(entries, {}, test::arch).compile;
  request.in_detail = true;
  return compile(NvrtcLibrary(), request);
}

TEST(SeveralEntries, OfOneSourceAreCompiledTogether) {
  const CompileResult result =
      compile_result_from(to_frame(compile_both({"first<256>", "second", "first<64>"})));
  ASSERT_TRUE(result.ok) << result.reason;
  ASSERT_EQ(result.kernels.size(), 3U);
  EXPECT_EQ(result.kernels[0].name, "_Z5firstILi256EEvPf");
  EXPECT_EQ(result.kernels[1].name, "second");
  EXPECT_EQ(result.kernels[2].entry, "first<64>");
  EXPECT_EQ(result.kernels[0].resources.static_shared_bytes, 1024);
  EXPECT_EQ(result.kernels[2].resources.static_shared_bytes, 256);
  EXPECT_EQ(result.kernels[1].parameters.value().size(), 2U);
  EXPECT_EQ(result.kernels[2].parameters.value().size(), 1U);
}

TEST(SeveralEntries, OneThatIsNotThereIsNamed) {
  const CompileResult result = compile_both({"first<256>", "third"});
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("third"), std::string::npos) << result.reason;
}

TEST(SeveralEntries, ASuccessHasAKernelForEach) {
  CompileRequest request;
  CompileResult result;
  EXPECT_TRUE(result.fits(request));
  request.entries = {"first", "second"};
  EXPECT_TRUE(result.fits(request)) << "a failure has no kernels";
  result.ok = true;
  EXPECT_FALSE(result.fits(request));
  result.kernels = {{"first", "first", {}}, {"second", "second", {}}};
  EXPECT_TRUE(result.fits(request));
  request.entries.pop_back();
  EXPECT_FALSE(result.fits(request));
}

class StepResources : public testing::Test {
 protected:
  static ResourceUsage usage(int registers, std::int64_t shared) {
    ResourceUsage usage;
    usage.registers = registers;
    usage.static_shared_bytes = shared;
    return usage;
  }

  static StepPlan step(const std::string& entry, std::int64_t threads) {
    const LaunchPlan launch{{1, 1, 1}, {threads, 1, 1}, 512};
    return {entry, false, KernelLaunch{entry, launch, {}}};
  }

  std::vector<CompiledKernel> kernels = {{"a", "_a", usage(32, 4096)}, {"b", "_b", usage(255, 0)}};
  DeviceFacts device = typical_device("sm_90");
};

TEST_F(StepResources, AreTheLargestOfEachKindAndTheLeastOccupancy) {
  const ResourceUsage all = resources_of({step("a", 128), step("b", 256)}, kernels, device);
  EXPECT_EQ(all.registers, 255);
  EXPECT_EQ(all.static_shared_bytes, 4096);
  EXPECT_EQ(all.occupancy_limit, "registers");
  const ResourceUsage b = resources_of({step("b", 256)}, kernels, device);
  EXPECT_EQ(all.theoretical_occupancy, b.theoretical_occupancy);
  EXPECT_EQ(all.blocks_per_sm, b.blocks_per_sm);
}

TEST_F(StepResources, OfOneStepAreItsLaunchs) {
  const ResourceUsage one = resources_of({step("a", 128)}, kernels, device);
  const LaunchPlan launch{{1, 1, 1}, {128, 1, 1}, 512};
  const ResourceUsage same = with_occupancy(kernels[0].resources, launch, device);
  EXPECT_EQ(one.theoretical_occupancy, same.theoretical_occupancy);
  EXPECT_EQ(one.dynamic_shared_bytes, 512);
}

TEST_F(StepResources, TheStepThatCannotBeLaunchedIsNamed) {
  CompileResult compiled;
  compiled.kernels = kernels;
  EXPECT_FALSE(why_steps_cannot_launch({step("a", 128), step("b", 256)}, compiled, device));
  EXPECT_EQ(why_steps_cannot_launch({step("a", 128), step("b", 2048)}, compiled, device),
            "step b: 2048 threads per block; the device allows 1024");
}

TEST_F(StepResources, FactsAreOfTheEntryInItsLaunch) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.kernels = kernels;
  const CompiledFacts facts = facts_of(&compiled, device);
  EXPECT_EQ(facts("b", {{1, 1, 1}, {256, 1, 1}, 0}).blocks_per_sm, 1);  // of 256 * 255 registers
  const ResourceUsage a = facts("a", {{1, 1, 1}, {128, 1, 1}, 100 * 1024});
  EXPECT_EQ(a.registers, 32);
  EXPECT_EQ(a.blocks_per_sm, 2);  // of 104 of the 228 KiB
  EXPECT_THROW((void)facts("c", {}), UserError);
  compiled.ok = false;
  EXPECT_FALSE(facts_of(&compiled, device));
  EXPECT_FALSE(facts_of(nullptr, device));
}

TEST_F(StepResources, AWorkerGetsMangledNames) {
  const auto named = with_kernel_names({step("b", 1), step("a", 1)}, kernels);
  EXPECT_EQ(std::get<KernelLaunch>(named[0].action).kernel, "_b");
  EXPECT_EQ(std::get<KernelLaunch>(named[1].action).kernel, "_a");
  EXPECT_THROW((void)with_kernel_names({step("c", 1)}, kernels), UserError);
}

}  // namespace
}  // namespace gtune
