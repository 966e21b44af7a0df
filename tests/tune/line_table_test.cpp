// The source lines of compiled kernels: needs NVRTC and CUPTI, but no GPU.
#include "profile/line_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "jit/compile.hpp"
#include "jit/kernel_request.hpp"
#include "profile/disassembly.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

const char* const sum_header = R"(#pragma once
template <int N>
__device__ __forceinline__ float sum_of(const float* p) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum += p[32 * i];
  return sum;
}
)";
const char* const add_source = R"(#include "parts/sum.cuh"
template <int N>
__global__ void add(float* out, const float* in) {
  const float sum = sum_of<N>(in + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = sqrtf(sum);
}
)";

class LineTables : public testing::Test {
 protected:
  LineTables() {
    m_folder.write("parts/sum.cuh", sum_header);
    const KernelSource kernel(m_folder.write("add.cu", add_source));
    m_compiled = compile(NvrtcLibrary(), kernel.request({"add<4>", "add<8>"}, {}, "sm_90").compile);
  }

  /// The places of an instance's instructions.
  [[nodiscard]] std::set<std::pair<std::string, int>> places(std::size_t instance) const {
    const LineTable table(m_compiled.cubin);
    std::set<std::pair<std::string, int>> found;
    for (std::uint64_t offset = 0; offset < 0x200; offset += 16) {
      const SourceLine line = table.line_of(m_compiled.kernels.at(instance).name, offset);
      found.emplace(line.file, line.line);
    }
    return found;
  }
  test::TemporaryFolder m_folder;
  CompileResult m_compiled;
};

TEST_F(LineTables, ATemplatesInstanceHasTheLinesOfFunctionsInlinedFromItsInclude) {
  ASSERT_TRUE(m_compiled.ok) << m_compiled.reason;
  for (const std::size_t instance : {0U, 1U}) {
    const auto found = places(instance);
    // gtune's #line hides the source's folder from NVRTC.
    const auto at = [](int line) {
      return std::pair((std::filesystem::current_path() / "add.cu").string(), line);
    };
    EXPECT_TRUE(found.contains(at(5))) << "the barrier";
    EXPECT_TRUE(found.contains(at(6)));
    EXPECT_TRUE(found.contains({(m_folder.path() / "parts/sum.cuh").string(), 7})) << "the loads";
  }
}

TEST_F(LineTables, WhatIsNotInTheCubinHasNoLine) {
  ASSERT_TRUE(m_compiled.ok) << m_compiled.reason;
  EXPECT_EQ(LineTable(m_compiled.cubin).line_of("other", 0).line, 0);
  const std::vector<std::byte> no_cubin(100);
  EXPECT_EQ(LineTable(no_cubin).line_of("add", 0).file, "");
}

TEST_F(LineTables, NvdisasmNamesTheInstructionsOfTheSameAddresses) {
  ASSERT_TRUE(m_compiled.ok) << m_compiled.reason;
  const auto disassembly = Disassembler().disassemble(m_compiled.cubin);
  if (!disassembly) GTEST_SKIP() << "there is no nvdisasm that prints JSON";
  const LineTable table(m_compiled.cubin);
  const std::string& name = m_compiled.kernels.at(0).name;
  int loads = 0;
  for (std::uint64_t offset = 0; offset < 0x200; offset += 16) {
    if (!disassembly->opcode_of(name, offset).starts_with("LDG")) continue;
    ++loads;
    EXPECT_EQ(table.line_of(name, offset).line, 7);
  }
  EXPECT_EQ(loads, 4);
}

}  // namespace
}  // namespace gtune
