#include "jit/kernel_parameters.hpp"

#include <gtest/gtest.h>

#include "jit/compile.hpp"
#include "jit/compile_frames.hpp"
#include "jit/support.hpp"

namespace gtune {
namespace {

TEST(KernelParameters, EntriesOfPtxAreKnownByName) {
  EXPECT_EQ(ptx_entries(".func _Z1gv()\n{ ret; }\n.visible .entry _Z1ki(\n\t.param .u32 a\n)\n"
                        "{ ret; }\n.entry plain()\n{ ret; }\n"),
            (std::vector<std::string>{"_Z1ki", "plain"}));
  EXPECT_TRUE(ptx_entries("").empty());
}

TEST(KernelParameters, AreReadFromPtx) {
  const auto parameters = parse_ptx_parameters(R"(
.visible .entry other(
	.param .u64 other_param_0
)
.weak .entry _Z1kPfi(
	.param .u64 .ptr .global .align 4 _Z1kPfi_param_0,
	.param .u32 _Z1kPfi_param_1,
	.param .f64 _Z1kPfi_param_2,
	.param .align 64 .b8 _Z1kPfi_param_3[128]
)
{ ret; })",
                                               "_Z1kPfi");
  ASSERT_TRUE(parameters);
  ASSERT_EQ(parameters->size(), 4U);
  EXPECT_EQ(parameters->at(0).bytes, 8);
  EXPECT_FALSE(parameters->at(0).is_struct);
  EXPECT_EQ(parameters->at(1).bytes, 4);
  EXPECT_FALSE(parameters->at(1).is_real);
  EXPECT_TRUE(parameters->at(2).is_real);
  EXPECT_EQ(parameters->at(3).bytes, 128);
  EXPECT_EQ(parameters->at(3).alignment, 64);
  EXPECT_TRUE(parameters->at(3).is_struct);
}

TEST(KernelParameters, AKernelMayHaveNone) {
  const auto parameters = parse_ptx_parameters(".entry k()\n{ ret; }", "k");
  ASSERT_TRUE(parameters);
  EXPECT_TRUE(parameters->empty());
}

TEST(KernelParameters, WhatIsNotUnderstoodIsNotGuessed) {
  for (const char* ptx :
       {"", ".entry kk(\n.param .u32 a\n)", ".entry k(\n.param .u32 a", ".entry k(\nu32 a\n)",
        ".entry k(\n.param .u32 a,\n)", ".entry k(\n.param .x32 a\n)",
        ".entry k(\n.param .align x .b8 a[4]\n)", ".entry k(\n.param .b8 a[-1]\n)",
        ".entry k(\n.param .b8 a[99999999999999999999]\n)", ".entry k(\n.param .b8 a[4\n)"}) {
    EXPECT_FALSE(parse_ptx_parameters(ptx, "k")) << ptx;
  }
}

CompileResult compile_in_detail(const std::string& source, const std::string& entry) {
  CompileRequest request = test::request_for(source, entry);
  request.in_detail = true;
  return compile(NvrtcLibrary(), request);
}

TEST(KernelParameters, OfACompiledKernelComeWithTheResultThroughAPipe) {
  const CompileResult result = compile_result_from(to_frame(compile_in_detail(
      "struct S { double a; int b; };\n"
      "template <int N> __global__ void k(const float* x, int n, float f, S s, short t) {}",
      "k<3>")));
  ASSERT_TRUE(result.ok) << result.reason;
  ASSERT_TRUE(result.detail && result.kernel().parameters);
  std::vector<std::int64_t> bytes;
  for (const KernelParameter& each : *result.kernel().parameters) bytes.push_back(each.bytes);
  EXPECT_EQ(bytes, (std::vector<std::int64_t>{8, 4, 4, 16, 2}));
  EXPECT_TRUE(result.kernel().parameters->at(2).is_real);
  EXPECT_FALSE(result.kernel().parameters->at(1).is_real);
}

TEST(KernelParameters, AFailedCompileHasAllErrors) {
  const CompileResult result =
      compile_in_detail("__global__ void k() {\n  one();\n  two();\n}", "k");
  EXPECT_FALSE(result.ok);
  ASSERT_TRUE(result.detail);
  EXPECT_NE(result.detail->log.find("\"one\" is undefined"), std::string::npos);
  EXPECT_NE(result.detail->log.find("\"two\" is undefined"), std::string::npos);
  EXPECT_TRUE(result.kernels.empty());
}

TEST(KernelParameters, WhoDoesNotAskGetsNoDetail) {
  EXPECT_FALSE(compile(NvrtcLibrary(), test::request_for("__global__ void k() {}", "k")).detail);
}

}  // namespace
}  // namespace gtune
