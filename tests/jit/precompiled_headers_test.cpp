#include "jit/precompiled_headers.hpp"

#include <gtest/gtest.h>

#include "jit/compile.hpp"
#include "jit/kernel_request.hpp"
#include "jit/source_directives.hpp"
#include "spec/device_table.hpp"
#include "spec/spec_file.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

const std::string heavy_cu = R"cu(// A kernel with headers that take most of its compile.
#ifndef SCALE
#define SCALE 2
#endif
#include <cuda/std/limits>

template <int N> __global__ void sum(float* y, const float* x) {
  float all = cuda::std::numeric_limits<float>::min();
  for (int i = 0; i < WIDTH; ++i) all += x[threadIdx.x + i] * N * SCALE;
  static_assert(WIDTH % 2 == 0, "an even width");
  atomicAdd(y, all);
}
)cu";

const std::string heavy_toml = R"toml([kernel]
source = "heavy.cu"
entry = "sum<N>"
[problem]
size = 32
[params]
N = [1, 2, 3, 4]
WIDTH = [8, 16, 32]
SCALE = [3, 4]
[launch]
grid = [1]
block = [32]
[[args]]
name = "y"
type = "f32"
count = 1
direction = "inout"
[[args]]
name = "x"
type = "f32"
count = "size"
[check]
reference = "none"
)toml";

class PrecompiledHeadersTest : public testing::Test {
 protected:
  CompileRequest request_for(int n, int width, const std::string& source = heavy_cu,
                             int scale = 3) {
    if (source != m_source) {
      m_source = source;
      m_file.emplace(m_folder.write("heavy.cu", source));
      m_spec = read_spec(m_folder.write("heavy.toml", heavy_toml), {});
    }
    const Config config = {{"N", n}, {"WIDTH", width}, {"SCALE", scale}};
    CompileRequest request = kernel_request(*m_file, m_spec, m_spec.steps,
                                            {{{"size", 32}}, config, typical_device("sm_90")})
                                 .compile;
    request.scratch = m_scratch.path().string();
    return request;
  }

  /// Compiles, and compares with a compile without kept headers.
  void compile_and_compare(const CompileRequest& request) {
    const CompileResult result = compile(m_nvrtc, request, &m_headers);
    const CompileResult usual = compile(m_nvrtc, request);
    ASSERT_TRUE(usual.ok) << usual.reason;
    ASSERT_TRUE(result.ok) << result.reason;
    EXPECT_EQ(result.cubin, usual.cubin);
    EXPECT_EQ(result.kernel().resources.registers, usual.kernel().resources.registers);
  }

  /// Whether the next such request would use kept headers.
  bool uses_them(const CompileRequest& request) {
    const ProgramText prepared = m_headers.prepared(request);
    (void)m_headers.done(true, "");
    return prepared.options.size() > 0 && prepared.options.back() == "--pch-verbose=false" &&
           prepared.options[prepared.options.size() - 3].starts_with("--use-pch=");
  }

  bool are_supported() const { return m_nvrtc.set_pch_heap_size != nullptr; }

  test::TemporaryFolder m_folder;
  test::TemporaryFolder m_scratch;
  std::string m_source;
  std::optional<KernelSource> m_file;
  KernelSpec m_spec;
  NvrtcLibrary m_nvrtc;
  PrecompiledHeaders m_headers{m_nvrtc};
};

TEST_F(PrecompiledHeadersTest, AreMadeByTheSecondCompileAndUsedByAllOthers) {
  if (!are_supported()) GTEST_SKIP() << "this NVRTC is older than 12.8";
  compile_and_compare(request_for(1, 32));
  compile_and_compare(request_for(2, 32));
  compile_and_compare(request_for(3, 16));  // a late macro
  if (!uses_them(request_for(4, 8))) GTEST_SKIP() << "too little memory is free";
  compile_and_compare(request_for(4, 8));
  EXPECT_TRUE(std::filesystem::is_empty(m_scratch.path()));
  // SCALE is read before the headers, so it stays an option.
  EXPECT_FALSE(uses_them(request_for(4, 8, heavy_cu, 4)));
  EXPECT_FALSE(uses_them(request_for(1, 16, "// another\n" + heavy_cu)));
}

TEST_F(PrecompiledHeadersTest, MistakesHaveTheirUsualPlaces) {
  if (!are_supported()) GTEST_SKIP() << "this NVRTC is older than 12.8";
  compile_and_compare(request_for(1, 32));
  compile_and_compare(request_for(2, 32));
  const CompileRequest wrong = request_for(2, 3);
  const CompileResult result = compile(m_nvrtc, wrong, &m_headers);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.reason, compile(m_nvrtc, wrong).reason);
  compile_and_compare(request_for(3, 16));
}

TEST_F(PrecompiledHeadersTest, WhatCannotBeKeptIsCompiledAsUsual) {
  if (!are_supported()) GTEST_SKIP() << "this NVRTC is older than 12.8";
  compile_and_compare(request_for(1, 32));
  CompileRequest second = request_for(2, 32);
  second.scratch = "/proc";  // has room but accepts no file
  compile_and_compare(second);
  compile_and_compare(request_for(3, 32));
}

TEST_F(PrecompiledHeadersTest, OnlyMacrosThatHeadersDoNotNameAreLate) {
  EXPECT_EQ(request_for(1, 32).late_macros, std::vector<std::string>{"WIDTH=32"});
  EXPECT_EQ(request_for(1, 32).header_lines, 6U);
  m_folder.write("own.cuh", "constexpr int width = WIDTH;\n");
  EXPECT_TRUE(request_for(1, 32, "#include \"own.cuh\"\n#include <cuda_fp16.h>\n" + heavy_cu)
                  .late_macros.empty());
  EXPECT_TRUE(request_for(1, 32, "int x;\n" + heavy_cu).late_macros.empty());
}

TEST(HeaderLines, EndBeforeCode) {
  EXPECT_EQ(count_header_lines(""), 0U);
  EXPECT_EQ(count_header_lines("int x;\n#include <a>\n"), 0U);
  EXPECT_EQ(count_header_lines("#include <a>\n"), 0U);  // no code follows
  EXPECT_EQ(count_header_lines("#include <a>\nint x;\n"), 1U);
  EXPECT_EQ(count_header_lines("// a\n\n#include <a>  /* b\n*/\n\n#define N 1\nint x;\n"), 5U);
  EXPECT_EQ(count_header_lines("#include <a>\n#if X\n#include <b>\n#endif\nint x;\n"), 1U);
  EXPECT_EQ(count_header_lines("#if X\n#include <b>\n#endif\nint x;\n"), 0U);
  EXPECT_EQ(count_header_lines("#if X\n#endif\n#include \\\n <b>\n/* c */ int x;\n"), 4U);
}

}  // namespace
}  // namespace gtune
