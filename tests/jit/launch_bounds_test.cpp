#include "jit/launch_bounds.hpp"

#include <gtest/gtest.h>

#include <set>

#include "jit/compile.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/step_resources.hpp"
#include "jit/support.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

constexpr const char* bounded_cu = R"cu(
template <int N> __global__ void __launch_bounds__(N) bounded(float* y) { *y = N; }
__global__ void __launch_bounds__(128, 4) resident(float* y) { *y = 1; }
__global__ void free_of_bounds(float* y) { *y = 3; }
)cu";

CompileResult compiled(const char* source, const std::vector<std::string>& entries) {
  return compile(NvrtcLibrary(),
                 KernelSource(source, "k.cu").request(entries, {}, test::arch).compile);
}

CompileResult compiled_bounded() {
  return compiled(bounded_cu, {"bounded<256>", "bounded<64>", "resident", "free_of_bounds"});
}

LaunchPlan in_block(std::int64_t x, std::int64_t y = 1) { return {{1, 1, 1}, {x, y, 1}}; }

TEST(LaunchBounds, AreReadFromTheCubin) {
  const CompileResult result = compiled_bounded();
  ASSERT_TRUE(result.ok) << result.reason;
  const auto bounds = [&](std::size_t i) {
    return launch_bounds_in(result.cubin, result.kernels[i].name);
  };
  EXPECT_EQ(bounds(0).most_threads, 256);
  EXPECT_EQ(bounds(1).most_threads, 64);
  EXPECT_EQ(bounds(2).most_threads, 128);
  EXPECT_FALSE(bounds(3).most_threads || bounds(3).block);
  EXPECT_FALSE(launch_bounds_in(result.cubin, "other").most_threads);
}

TEST(LaunchBounds, OfADamagedCubinAreNoneOrWithinADevices) {
  const CompileResult result = compiled_bounded();
  const std::string& name = result.kernels.front().name;
  EXPECT_FALSE(launch_bounds_in({}, name).most_threads);
  std::set<std::int64_t> found;
  for (std::size_t at = 0; at < result.cubin.size(); ++at) {
    std::vector<std::byte> changed = result.cubin;
    changed[at] = ~changed[at];
    const LaunchBounds bounds = launch_bounds_in(changed, name);
    found.insert(bounds.most_threads.value_or(0));
    if (!bounds.block) continue;
    EXPECT_LE((*bounds.block)[0] * (*bounds.block)[1] * (*bounds.block)[2], 1024) << at;
  }
  // 511: the low byte of 256 was changed. Most other changes leave the bounds or remove them.
  EXPECT_TRUE(found.contains(256) && found.contains(0) && found.contains(511));
  EXPECT_GE(*found.begin(), 0);
  EXPECT_LE(*found.rbegin(), 1024);
}

TEST(LaunchBounds, ALargerOrOtherBlockCannotBeLaunched) {
  const CompileResult result = compiled_bounded();
  const DeviceFacts device = typical_device("sm_90");
  const auto why = [&](const char* entry, const LaunchPlan& plan) {
    return why_entry_cannot_launch(result, entry, plan, device);
  };
  EXPECT_FALSE(why("bounded<256>", in_block(32, 8)));
  EXPECT_EQ(why("bounded<256>", in_block(64, 8)),
            "512 threads per block; the kernel's __launch_bounds__ allow 256");
  EXPECT_EQ(why("resident", in_block(256)),
            "256 threads per block; the kernel's __launch_bounds__ allow 128");
  EXPECT_EQ(why("bounded<256>", in_block(2048)), "2048 threads per block; the device allows 1024");
  EXPECT_FALSE(why("free_of_bounds", in_block(1024)));
}

TEST(LaunchBounds, AKernelMayHaveABlockOfItsOwn) {
  if (nvrtc_version() < "13") GTEST_SKIP() << "NVRTC " << nvrtc_version();
  const CompileResult result =
      compiled("__global__ void __block_size__((32, 8, 1)) whole(float* y) { *y = 2; }", {"whole"});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(launch_bounds_in(result.cubin, result.kernels[0].name).block,
            (std::array<std::int64_t, 3>{32, 8, 1}));
  const DeviceFacts device = typical_device("sm_90");
  EXPECT_FALSE(why_entry_cannot_launch(result, "whole", in_block(32, 8), device));
  EXPECT_EQ(why_entry_cannot_launch(result, "whole", in_block(256), device),
            "a block of 256 x 1 x 1 threads; the kernel's __block_size__ is 32 x 8 x 1");
}

TEST(LaunchBounds, AKernelMayHaveAClusterOfItsOwn) {
  const CompileResult result = compiled(
      "__global__ void __cluster_dims__(4, 2, 1) pairs(float* y) { *y = 2; }\n"
      "__global__ void __cluster_dims__(16, 1, 1) large(float* y) { *y = 2; }\n"
      "__global__ void __launch_bounds__(128, 1, 4) few(float* y) { *y = 2; }",
      {"pairs", "large", "few"});
  ASSERT_TRUE(result.ok) << result.reason;
  const DeviceFacts device = typical_device("sm_90");
  const auto why = [&](const char* entry, std::array<std::int64_t, 3> grid,
                       std::array<std::int64_t, 3> cluster) {
    LaunchPlan launch{grid, {128, 1, 1}};
    launch.cluster = cluster;
    return why_entry_cannot_launch(result, entry, launch, device);
  };
  EXPECT_FALSE(why("pairs", {8, 6, 1}, {1, 1, 1}));
  EXPECT_FALSE(why("pairs", {8, 6, 1}, {4, 2, 1}));
  EXPECT_EQ(why("pairs", {8, 3, 1}, {1, 1, 1}),
            "a grid of 8 x 3 x 1 blocks, which is not a multiple; the kernel's __cluster_dims__ "
            "are 4 x 2 x 1");
  EXPECT_EQ(why("pairs", {8, 6, 1}, {2, 2, 1}),
            "a cluster of 2 x 2 x 1 blocks; the kernel's __cluster_dims__ are 4 x 2 x 1");
  EXPECT_EQ(why("large", {16, 1, 1}, {1, 1, 1}),
            "the kernel's __cluster_dims__ are 16 x 1 x 1, more than the 8 blocks that every "
            "device allows; expected the same 'cluster' in the launch");
  EXPECT_FALSE(why("large", {16, 1, 1}, {16, 1, 1}));
  EXPECT_FALSE(why("few", {8, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(why("few", {8, 1, 1}, {8, 1, 1}),
            "8 blocks per cluster; the kernel's __launch_bounds__ allow 4");
}

}  // namespace
}  // namespace gtune
