#include "jit/compile.hpp"

#include <gtest/gtest.h>

#include "jit/compile_frames.hpp"
#include "jit/support.hpp"

namespace gtune {
namespace {

using test::request_for;

const NvrtcLibrary& nvrtc() {
  static const NvrtcLibrary opened;
  return opened;
}

class CompileFor : public testing::TestWithParam<std::string> {};

TEST_P(CompileFor, GivesACubinAndWhatItUses) {
  const auto result = compile(nvrtc(), request_for(R"(
    extern "C" __global__ void reverse(float* data) {
      __shared__ float tile[256];
      tile[threadIdx.x] = data[threadIdx.x];
      __syncthreads();
      data[threadIdx.x] = tile[255 - threadIdx.x];
    })",
                                                   "reverse", GetParam()));
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.kernel().name, "reverse");
  EXPECT_TRUE(test::is_elf(result.cubin));
  EXPECT_EQ(result.kernel().resources.static_shared_bytes, 1024);
  EXPECT_GT(result.kernel().resources.registers, 0);
  EXPECT_EQ(result.kernel().resources.cubin_bytes, static_cast<std::int64_t>(result.cubin.size()));
  EXPECT_GT(result.compile_ms, 0);
}

INSTANTIATE_TEST_SUITE_P(Chips, CompileFor, testing::Values("sm_80", "sm_90a", "sm_120a"));

TEST(Compile, ANameExpressionNamesItsInstance) {
  const auto result = compile(nvrtc(), request_for(R"(
    template <int N, typename T> __global__ void add(T* data) { data[threadIdx.x] += N; })",
                                                   "add<3, float>"));
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.kernel().name, "_Z3addILi3EfEvPT0_");
}

TEST(Compile, AnErrorNamesFileAndLine) {
  const auto result =
      compile(nvrtc(), request_for("\n\nextern \"C\" __global__ void f() { nope(); }", "f"));
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.reason, "test.cu(3): error: identifier \"nope\" is undefined");
}

TEST(Compile, AStaticAssertionGivesItsText) {
  const auto result = compile(nvrtc(), request_for(R"(
    template <int N> __global__ void f() { static_assert(N < 3, "N has to be below 3"); })",
                                                   "f<4>"));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("N has to be below 3"), std::string::npos) << result.reason;
}

TEST(Compile, AnInstructionThatIsNoneIsToldOf) {
  const auto result = compile(
      nvrtc(),
      request_for("extern \"C\" __global__ void f() { asm volatile(\"bogus.f32;\"); }", "f"));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("bogus"), std::string::npos) << result.reason;
}

TEST(Compile, AnEntryThatIsNotThereIsNamed) {
  for (const char* entry : {"missing", "missing<3>"}) {
    const auto result = compile(nvrtc(), request_for("extern \"C\" __global__ void f() {}", entry));
    EXPECT_FALSE(result.ok);
    EXPECT_NE(result.reason.find("missing"), std::string::npos) << result.reason;
  }
}

TEST(Compile, AnOptionThatIsNoneIsNamed) {
  auto request = request_for("extern \"C\" __global__ void f() {}", "f");
  request.options.push_back("--no-such-option");
  const auto result = compile(nvrtc(), request);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("--no-such-option"), std::string::npos) << result.reason;
}

TEST(Compile, ReasonsAreOneLine) {
  for (const char* source : {"#error no\n", "#include \"nothere.h\"\n", "}{"}) {
    const auto result = compile(nvrtc(), request_for(source, "f"));
    EXPECT_FALSE(result.ok);
    EXPECT_FALSE(result.reason.empty());
    EXPECT_EQ(result.reason.find('\n'), std::string::npos) << result.reason;
  }
}

TEST(Compile, TooMuchStaticSharedMemoryIsToldOf) {
  const auto result = compile(nvrtc(), request_for(R"(
    extern "C" __global__ void f(float* data) {
      __shared__ float tile[70000];
      tile[threadIdx.x] = data[threadIdx.x];
      __syncthreads();
      data[threadIdx.x] = tile[threadIdx.x ^ 1];
    })",
                                                   "f"));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("'f' uses too much shared data"), std::string::npos);
  // NVRTC puts a NUL before it; a database would end the text there.
  EXPECT_EQ(result.reason.find('\0'), std::string::npos);
}

TEST(Compile, AMistakeInTheEntryIsNotBlamedOnAFile) {
  const auto result =
      compile(nvrtc(), request_for("template <int N> __global__ void f() {}", "f<SIZE>"));
  EXPECT_EQ(result.reason, "entry 'f<SIZE>': error: identifier \"SIZE\" is undefined");
  for (const char* entry : {"g", "g<3>"}) {
    EXPECT_EQ(compile(nvrtc(), request_for("__global__ void f() {}", entry)).reason,
              "the source has no kernel 'g'");
  }
}

TEST(Compile, APlainNameNeedsNoExternC) {
  const auto result = compile(nvrtc(), request_for("__global__ void f(int* o) { *o = 1; }", "f"));
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.kernel().name, "_Z1fPi");
}

TEST(Compile, TheToolkitsHeadersAreFound) {
  const test::TemporaryFolder folder;
  const auto source = folder.write("k.cu",
                                   "#include <cuda/std/type_traits>\n#include <cuda_fp16.h>\n"
                                   "extern \"C\" __global__ void f(__half* out) { *out = "
                                   "cuda::std::is_same<int, int>::value; }\n");
  const auto result = compile(nvrtc(), KernelSource(source).request({"f"}, {}, test::arch).compile);
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST(CompileFrames, TheSourcesBytesSurvive) {
  CompileRequest request;
  request.source = "// \xff is no UTF-8";
  const Frame frame = to_frame(request);
  EXPECT_EQ(compile_request_from(frame).source, request.source);
  EXPECT_NO_THROW((void)frame.header.dump());
}

}  // namespace
}  // namespace gtune
