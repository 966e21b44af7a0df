// How host code launches a kernel, as expressions of the kernel's names.
#include "authoring/host_launch.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

HostLaunch launch(const std::string& host, const std::string& kernel =
                                               "__global__ void k(float* x, "
                                               "int n, int m) {}") {
  const SourceOutline outline = outline_source(kernel + "\nvoid host() {" + host + "}");
  return host_launch(outline.tokens, outline.kernels.at(0), outline.macros.fixed);
}

TEST(HostLaunch, DoesNotTakeTheVariablesOfOtherFunctionsForItsOwn) {
  const std::string kernel =
      "__global__ void k(float* x, int n, int m) { const int rows = gridDim.x; }"
      "void other() { dim3 grid(3, 4); }";
  const HostLaunch found = launch(
      "if (n > 1) { threads = 64; } k<<<rows, threads>>>(x, n, m);"
      "k<<<grid, 32>>>(x, n, m);",
      kernel);
  EXPECT_EQ(found.grid[0], "rows");
  EXPECT_EQ(found.block[0], "64");
  EXPECT_EQ(launch("k<<<grid, 32>>>(x, n, m);", kernel).grid[0], "grid");
}

TEST(HostLaunch, PassesSharedMemoryToAKernelThatTakesSome) {
  const std::string body = "{ extern __shared__ float s[]; }";
  const std::string host =
      "if (n < 9) { k<<<n, 32, 0, stream>>>(x, n, m); } else { const dim3 block(512, 1);"
      "k<<<n, block, block.x >= WARP ? WARP * sizeof(float2) : 0, stream>>>(x, n, m); }";
  const HostLaunch found = launch(host, "__global__ void k(float* x, int n, int m) " + body);
  EXPECT_EQ(found.block[0], "512");
  EXPECT_EQ(found.shared, "blockDim.x >= WARP ? WARP * 8 : 0");
  EXPECT_EQ(launch(host).block[0], "32");
  for (const char* text : {"1 << n", "p->bytes", "ns::bytes"}) {
    EXPECT_EQ(launch(std::string("k<<<1, 32, ") + text + ">>>(x, n, m);").shared, "") << text;
  }
}

TEST(HostLaunch, AnInfinityIsNoNumberOfASpec) {
  const std::string kernel = "__global__ void k(float* x, int n, float least) {}";
  const HostLaunch found = launch("k<<<n, 32>>>(x, n, -INFINITY);", kernel);
  EXPECT_EQ(found.argument(2), "");
  EXPECT_EQ(launch("k<<<n, 32>>>(x, n, -1.5f);", kernel).argument(2), "-1.5");
}

TEST(HostLaunch, AComparisonWithAVariableOfItsNameIsQuick) {
  std::string host;
  for (int i = 0; i < 20000; ++i) host += "if (k < n) n = k;";
  EXPECT_EQ(launch(host + "k<<<n, 64>>>(x, n, m);").block[0], "64");
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

TEST(HostLaunch, HasTheDimensionsThatAreSetOneByOne) {
  const HostLaunch found = launch(
      "dim3 grid, block(32); block.y = 8; grid.x = (n + block.x - 1) / block.x; grid.y = m;"
      "if (grid.y == 1) return; k<<<grid, block>>>(x, n, m);");
  EXPECT_EQ(found.grid, (std::array<std::string, 3>{"(n + blockDim.x - 1) / blockDim.x", "m", ""}));
  EXPECT_EQ(found.block, (std::array<std::string, 3>{"32", "8", ""}));
  for (const char* change :
       {"if (n % 32) grid.x++;", "if (m) grid.x += 1;", "if (m) { grid.x = 3; }",
        "if (m) grid.x = 3;", "if (m) f(); else grid.x = 3;", "++grid.x;"}) {
    const std::string host = std::string("dim3 grid; grid.x = n; grid.y = m;") + change;
    EXPECT_EQ(launch(host + "k<<<grid, 32>>>(x, n, m);").grid,
              (std::array<std::string, 3>{"", "m", ""}))
        << change;
  }
}

TEST(HostLaunch, HasTheArgumentsOfATemplate) {
  const HostLaunch found =
      launch("k<double, 128, B><<<{n, 1}, dim3(B, 4)>>>(x, n, m);",
             "template <typename T, int A, int BLOCK> __global__ void k(T* x, int n, int m) {}");
  EXPECT_EQ(found.template_arguments, (std::vector<std::string>{"double", "128", ""}));
  EXPECT_EQ(found.block[0], "BLOCK");
  EXPECT_EQ(found.grid[0], "n");
}

TEST(HostLaunch, ATemplateThatLaunchesHasTheArgumentsOfItsCalls) {
  const std::string source =
      "template <typename T, int B> __global__ void k(T* x, int n) {}\n"
      "template <typename U, int THREADS = 64> void launch(U* x, int n) {\n"
      "  if (n > 0) k<U, THREADS><<<n / THREADS, THREADS>>>(x, n);\n}\n"
      "template <typename V> void outer(V* x) { launch<V, 32>(x, 1); }\n";
  const auto arguments = [&](const std::string& calls) {
    const SourceOutline outline = outline_source(source + calls);
    return host_launch(outline.tokens, outline.kernels.at(0)).template_arguments;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(arguments("void f() { outer<double>(x); }"), (Texts{"double", "32"}));
  EXPECT_EQ(arguments("template void outer<unsigned char>(unsigned char*);"),
            (Texts{"unsigned char", "32"}));
  EXPECT_EQ(arguments(""), (Texts{"", "32"}));
  EXPECT_EQ(arguments("void f() { outer(x); }"), (Texts{"", "32"}));
  EXPECT_EQ(arguments("void f() { double *y, *x; outer(x); }"), (Texts{"double", "32"}));
}

TEST(HostLaunch, HasTheTypesOfTheVariablesThatItPasses) {
  const std::string kernel =
      "template <typename T, typename S, int B, typename R>\n"
      "__global__ void k(const T* __restrict__ x, S a, R* y) {}\n"
      "void other(float* x, float a) { float* y = x; }\n";
  const auto arguments = [&](const std::string& host) {
    return launch(host, kernel).template_arguments;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(arguments("double *y = nullptr, *x; unsigned a = 1; f(x); k<<<1, 32>>>(x, a, y);"),
            (Texts{"double", "unsigned int", "", "double"}));
  EXPECT_EQ(arguments("double* x; k<int><<<1, 32>>>(x, a, y);"), (Texts{"int", "", "", ""}));
  EXPECT_EQ(arguments("auto f = [](int* x) { float y = 1; }; k<<<1, 32>>>(x, a, y);"),
            (Texts{"", "", "", ""}));
  EXPECT_EQ(arguments("double** x; b = c * a; return y; k<<<1, 32>>>(x, a, y);"),
            (Texts{"", "", "", ""}));
}

TEST(HostLaunch, HasTheConstantsThatItsGridIsMadeOf) {
  const HostLaunch found =
      launch("const int width = 1 << 10; k<<<dim3(width / 32, 1), 32>>>(x, 1, 1);");
  EXPECT_EQ(found.grid[0], "width / 32");
  EXPECT_EQ(found.sizes, (std::map<std::string, std::int64_t>{{"width", 1024}}));
}

TEST(HostLaunch, IsReadFromTheFunctionsThatLaunch) {
  const std::string kernel = "template <int B> __global__ void k(float* x, int n, int m) {}";
  const HostLaunch plain = launch(
      "void* args[] = {&d_x, (void*)&count, &rows}; dim3 block(32, 4);"
      "cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&k<8>), ceil_div(count, 32), block, "
      "args, "
      "128);",
      kernel);
  EXPECT_EQ(plain.grid[0], "ceil_div(n, 32)");
  EXPECT_EQ(plain.block, (std::array<std::string, 3>{"32", "4", ""}));
  EXPECT_EQ(plain.shared, "128");
  EXPECT_EQ(plain.template_arguments, std::vector<std::string>{"8"});
  EXPECT_TRUE(plain.is_cooperative);
  const HostLaunch extended = launch(
      "cudaLaunchConfig_t config = {0}; config.gridDim = count / 64; config.blockDim = dim3(64, 1);"
      "cudaLaunchKernelEx(&config, k<4>, d_x, count, 7);",
      kernel);
  EXPECT_EQ(extended.grid[0], "n / 64");
  EXPECT_EQ(extended.block[0], "64");
  EXPECT_EQ(extended.argument(2), "7");
  EXPECT_FALSE(extended.is_cooperative);
}

TEST(HostLaunch, HasTheConstantsThatItPasses) {
  const HostLaunch found =
      launch("float half = 0.5f; int size = f(); k<<<1, 32>>>(half, nullptr, size, -3, 1e-3);",
             "__global__ void k(float a, int* p, int n, int i, float e, int absent) {}");
  EXPECT_EQ(found.arguments, (std::vector<std::string>{"0.5", "null", "", "-3", "0.001"}));
  EXPECT_EQ(found.argument(5), "");
}

TEST(HostLaunch, HasTheValuesOfMacrosThatItPasses) {
  const HostLaunch found =
      launch("k<<<1, 32>>>(x, MOST, OTHER);",
             "#define MOST 1000\n#define OTHER f(3)\n__global__ void k(float* x, int n, int m) {}");
  EXPECT_EQ(found.argument(1), "1000");
  EXPECT_EQ(found.argument(2), "");
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
