#include <gtest/gtest.h>

#include "jit/compile.hpp"
#include "jit/support.hpp"

namespace gtune {
namespace {

const std::filesystem::path bundled =
    std::filesystem::path(GTUNE_SOURCE_DIR) / "kernels/standard_headers";

class StandardHeaders : public ::testing::Test {
 protected:
  [[nodiscard]] KernelRequest request(const std::string& source,
                                      const std::vector<std::string>& options = {}) {
    const auto file = m_folder.write("k.cu", source);
    return KernelSource(file).request({"k"}, options, test::arch);
  }
  [[nodiscard]] CompileResult compiled(const std::string& source,
                                       const std::vector<std::string>& options = {}) {
    static const NvrtcLibrary nvrtc;
    CompileRequest asked = request(source, options).compile;
    asked.in_detail = true;
    return compile(nvrtc, asked);
  }

  test::TemporaryFolder m_folder;

 private:
  test::EnvironmentVariable m_data{"GTUNE_DATA", GTUNE_SOURCE_DIR};
};

TEST_F(StandardHeaders, EachCompilesWithoutAWarning) {
  int headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bundled)) {
    const std::string name = entry.path().filename().string();
    const CompileResult result =
        compiled("#include <" + name + ">\nextern \"C\" __global__ void k() {}\n");
    EXPECT_TRUE(result.ok) << name << ": " << result.reason;
    EXPECT_EQ(result.detail->log.find("warning"), std::string::npos) << result.detail->log;
    ++headers;
  }
  EXPECT_GT(headers, 20);
}

TEST_F(StandardHeaders, WhatKernelsUseOfThemIsThere) {
  const CompileResult result = compiled(R"(
#include <stdio.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <array>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
constexpr float largest = INFINITY;
__constant__ float least = -INFINITY;
template <typename T>
__device__ T value(const T* x, const std::int32_t* i, std::uint64_t n) {
  static_assert(std::is_same<T, float>::value && std::is_floating_point_v<T>, "");
  static_assert(sizeof(std::sqrt(x[0])) == 4 && sizeof(std::pow(x[0], x[1])) == 4, "");
  static_assert(sizeof(std::abs(x[0])) == 4 && sizeof(std::abs(1.0)) == 8, "");
  static_assert(FLT_MAX == std::numeric_limits<float>::max() && FLT_MIN > 0, "");
  static_assert(DBL_EPSILON == std::numeric_limits<double>::epsilon(), "");
  static_assert(INT_MAX == 2147483647 && UINT32_MAX == 4294967295u, "");
  assert(n > 0);
  std::printf("%d\n", i[0]);
  int bits = offsetof(int2, y);
  std::memcpy(&bits, x, sizeof bits);
  int one = 1, two = 2;
  std::swap(one, two);
  std::array<T, 2> pair{T(M_PI), std::move(x[2])};
  const auto mixed = std::make_tuple(1, 2.0f);
  typename std::conditional<sizeof(T) == 4, float, double>::type sum = pair[0] + pair[1];
  if (std::isnan(sum) || sum == INFINITY || sum < -HUGE_VALF) return NAN;
  return largest + least + sum + std::get<1>(mixed) + one + bits + FLT_MAX;
}
extern "C" __global__ void k(float* x, const int32_t* i, uint64_t n) { x[0] = value(x, i, n); }
)");
  EXPECT_TRUE(result.ok) << result.detail->log;
}

TEST_F(StandardHeaders, ThoseInTheSourcesFoldersComeFirst) {
  const std::string source = "#include <cstdint>\nextern \"C\" __global__ void k(mine*) {}\n";
  EXPECT_FALSE(compiled(source).ok);
  m_folder.write("own/cstdint", "using mine = int;\n");
  const std::string own = "-I" + (m_folder.path() / "own").string();
  const CompileResult result = compiled(source, {own});
  EXPECT_TRUE(result.ok) << result.reason;
}

/// Requests, and so cubins in the cache, stay the same for all others.
TEST_F(StandardHeaders, AreOnlyInTheRequestsOfSourcesThatIncludeThem) {
  const auto names_folder = [](const KernelRequest& request) {
    const auto& options = request.compile.options;
    return std::find(options.begin(), options.end(), "-I" + bundled.string()) != options.end();
  };
  EXPECT_FALSE(names_folder(request("extern \"C\" __global__ void k() {}\n")));
  const KernelRequest with = request("#include <cfloat>\nextern \"C\" __global__ void k() {}\n");
  EXPECT_TRUE(names_folder(with));
  EXPECT_TRUE(with.includes_digest);
}

}  // namespace
}  // namespace gtune
