// How host code launches a kernel, as expressions of the kernel's names.
#include "authoring/host_launch.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

HostLaunch launch(const std::string& host, const std::string& kernel =
                                               "__global__ void k(float* x, "
                                               "int n, int m) {}") {
  const SourceOutline outline = outline_source(kernel + "\nvoid host() {" + host + "}");
  return host_launch(outline.tokens, outline.kernels.at(0));
}

TEST(HostLaunch, HasTheKernelsNamesForWhatItIsPassed) {
  const HostLaunch found = launch(
      "int threads = 256; int blocks = (count + threads - 1) / threads; k<<<blocks, "
      "threads>>>(d_x, "
      "count, 3);");
  EXPECT_EQ(found.block[0], "256");
  EXPECT_EQ(found.block[1], "");
  EXPECT_EQ(found.grid[0], "((n + blockDim.x - 1) / blockDim.x)");
}

TEST(HostLaunch, HasEveryDimension) {
  const HostLaunch found = launch(
      "dim3 block(BS, BS), unused(1); const dim3 grid = dim3(ceilDiv(w, block.x), h / BS, 2);"
      "k<<<grid, block, BS * BS * sizeof(double)>>>(x, w, h);");
  EXPECT_EQ(found.block, (std::array<std::string, 3>{"BS", "BS", ""}));
  EXPECT_EQ(found.grid, (std::array<std::string, 3>{"ceil_div(n, blockDim.x)", "m / BS", "2"}));
  EXPECT_EQ(found.shared, "BS * BS * 8");
}

TEST(HostLaunch, HasTheArgumentsOfATemplate) {
  const HostLaunch found =
      launch("k<double, 128, B><<<{n, 1}, dim3(B, 4)>>>(x, n, m);",
             "template <typename T, int A, int BLOCK> __global__ void k(T* x, int n, int m) {}");
  EXPECT_EQ(found.template_arguments, (std::vector<std::string>{"double", "128", ""}));
  EXPECT_EQ(found.block[0], "BLOCK");
  EXPECT_EQ(found.grid[0], "n");
}

TEST(HostLaunch, HasTheConstantsThatItsGridIsMadeOf) {
  const HostLaunch found =
      launch("const int width = 1 << 10; k<<<dim3(width / 32, 1), 32>>>(x, 1, 1);");
  EXPECT_EQ(found.grid[0], "width / 32");
  EXPECT_EQ(found.sizes, (std::map<std::string, std::int64_t>{{"width", 1024}}));
}

TEST(HostLaunch, WhatIsNotUnderstoodIsEmpty) {
  for (const char* host :
       {"", "k<<<", "k<<<1>>>(x);", "k(x, n, m);", "other<<<1, 2>>>(x);", "k<",
        "k<<<f(n), g()>>>(x, n, m);", "int a = a * a; k<<<a[0], 1.5f>>>(x, n, m);",
        "dim3 g(g.x, g.y); k<<<g.y, h.x>>>(x, n, m);"}) {
    const HostLaunch found = launch(host);
    EXPECT_EQ(found.grid[0], "") << host;
    EXPECT_EQ(found.block[0], "") << host;
  }
  EXPECT_EQ(launch("int a = b * b; int b = a * a; k<<<a, 1>>>(x, n, m);").grid[0], "");
}

}  // namespace
}  // namespace gtune::test
