// What a first spec is written from, and that it can be checked.
#include "authoring/first_spec.hpp"
#include "authoring/kernel_facts.hpp"
#include "spec/spec_reader.hpp"
#include "support.hpp"
#include "support/environment_variable.hpp"

namespace gtune::test {
namespace {

TEST(SourceOutline, HasKernelsTheirTemplatesAndArguments) {
  const SourceOutline outline = outline_source(R"cu(
// __global__ void commented(int a) {}
#define KERNEL __global__ void in_a_macro
const char* text = "__global__ void quoted()";
namespace ns { struct S { int a; };
template <int BLOCK, typename T = float, bool FAST = true, int UNROLL = 4>
__global__ void __launch_bounds__(BLOCK) scale(const T* __restrict__ x, T y[], int n = 3) {
  extern __shared__ float tile[];
}
}
extern "C" __global__ void plain() {}
)cu");
  ASSERT_EQ(outline.kernels.size(), 2U);
  const OutlinedKernel& scale = outline.kernels[0];
  EXPECT_EQ(scale.name, "ns::scale");
  EXPECT_EQ(scale.argument_names, (std::vector<std::string>{"x", "y", "n"}));
  ASSERT_EQ(scale.template_parameters.size(), 4U);
  EXPECT_EQ(scale.template_parameters[0].name, "BLOCK");
  EXPECT_TRUE(scale.template_parameters[1].is_type);
  EXPECT_TRUE(scale.template_parameters[2].is_bool);
  EXPECT_EQ(scale.template_parameters[3].default_value, 4);
  EXPECT_EQ(outline.kernels[1].name, "plain");
  EXPECT_TRUE(outline.kernels[1].template_parameters.empty());
  EXPECT_TRUE(outline.takes_shared_memory);
}

TEST(SourceOutline, TellsWhatAKernelOnlyReadsOrWrites) {
  const SourceOutline outline = outline_source(R"cu(
__global__ void k(float* in, float* out, float* sum, float* count, float* handed, float* field,
                  float* moved, float* unused, int n) {
  __shared__ float tile[32][32];
  if (in[n] == 1) out[n][2] = in[n + out_of[3]] + tile[0].in;
  sum[n] += 1;
  count[n]++;
  handed[0] = load(handed + n);
  field[n].x = 2;
  moved += 3;
  shift = read[1] == 2;
}
__global__ void declared(float* in);
)cu");
  ASSERT_EQ(outline.kernels.size(), 2U);
  using enum ArgumentUse;
  EXPECT_EQ(outline.kernels[0].argument_uses,
            (std::vector<ArgumentUse>{only_read, only_written, unknown, unknown, unknown, unknown,
                                      unknown, unknown, unknown}));
  EXPECT_EQ(outline.kernels[1].argument_uses, std::vector<ArgumentUse>{unknown});
}

TEST(SourceOutline, HasTheMacrosThatABuildMaySet) {
  const SourceOutline outline = outline_source(
      "#ifndef BLOCK\n#define BLOCK 128\n#endif\n#define FIXED 3\n#ifndef GUARD_H\n#define "
      "GUARD_H\n#endif\n#ifndef N\n#define N (1024)\n#endif\n");
  ASSERT_EQ(outline.macros.size(), 2U);
  EXPECT_EQ(outline.macros[0].name, "BLOCK");
  EXPECT_EQ(outline.macros[0].value, 128);
  EXPECT_EQ(outline.macros[1].value, 1024);
}

TEST(SourceOutline, HasTheMacrosThatConditionsCompare) {
  const SourceOutline outline = outline_source(
      "#define MINE 1\n#if VECTOR == 4 && MINE\n#elif VECTOR == 1\n#endif\n#if LOCAL == 0\n#endif\n"
      "#if defined(A) && __CUDA_ARCH__ >= 800 || UNROLL > 0\n#endif\n");
  ASSERT_EQ(outline.macros.size(), 3U);
  EXPECT_EQ(outline.macros[0].name, "VECTOR");
  EXPECT_EQ(outline.macros[0].values, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(outline.macros[1].name, "LOCAL");
  EXPECT_EQ(outline.macros[1].values, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(outline.macros[2].name, "UNROLL");
}

TEST(SourceOutline, AnyTextHasOne) {
  for (const char* text : {"", "__global__", "__global__ void", "template <", "template < int",
                           "__global__ void k(", "namespace", "/*", "\"", "#ifndef", "}}}}"}) {
    EXPECT_LE(outline_source(text).kernels.size(), 1U) << text;
  }
}

class Init : public ::testing::Test {
 protected:
  KernelFacts facts(const std::string& source, const std::string& entry = "") const {
    return find_kernel_facts({folder.write("k.cu", source), entry, {}, "sm_90a"}, compile_here);
  }

  /// Why there are none.
  std::string refusal(const std::string& source, const std::string& entry = "") const {
    try {
      (void)facts(source, entry);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder;
};

TEST_F(Init, TypesAreTheCompilers) {
  const KernelFacts found = facts(R"(
    typedef const float* Input;
    template <int B> __global__ void k(Input x, float* y, unsigned n, double f, const float4* v) {}
  )");
  ASSERT_EQ(found.types.size(), 5U);
  EXPECT_EQ(found.types[0].name, "float");
  EXPECT_TRUE(found.types[0].points_to_const);
  EXPECT_FALSE(found.types[1].points_to_const);
  EXPECT_EQ(found.types[2].name, "unsigned int");
  EXPECT_EQ(found.types[3].name, "double");
  EXPECT_EQ(found.types[4].name, "float4");
}

TEST_F(Init, AFirstSpecCanBeReadAndFitsItsKernel) {
  const std::string sources[] = {
      "extern \"C\" __global__ void k(const float* x, float* y, int n) { if (n > 0) y[0] = x[0]; }",
      "template <int BLOCK, bool FAST> __global__ void k(double* y, long long n, float a) {}",
      "#ifndef BLOCK\n#define BLOCK 128\n#endif\n#ifndef N\n#define N 1024\n#endif\n__global__ "
      "void "
      "k(float4* y) { y[BLOCK + N].x = 0; }",
      "__global__ void k(unsigned char* y, short min, bool b, int M, int m) { y[BLOCK] = UNROLL; }",
      "__global__ void k(float* y) { y[block_size_x * block_size_y + tile] = 0; }",
      "__global__ void k(float* y, float4 a, short2 b, double2 c, uchar3 d) { y[0] = a.x + b.x; }",
      "#if VECTOR == 1\ntypedef float vector;\n#elif VECTOR == 2\ntypedef float2 vector;\n#endif\n"
      "__global__ void k(vector* y) { y[TILE] = vector(); }",
      "namespace a { __global__ void k(int* y) {} }",
      "__global__ void k(float* y) {}\n__global__ void k_reference(float* y) {}",
  };
  for (const std::string& source : sources) {
    const KernelFacts found = facts(source);
    const SpecCheck check =
        check_spec(folder.write("k.toml", first_spec(found)), {}, {}, compile_here);
    for (const CheckMistake& mistake : check.mistakes) {
      ADD_FAILURE() << source << "\n" << mistake.at << ": " << mistake.line << mistake.log;
    }
    EXPECT_FALSE(check.compiles.empty()) << source;
  }
}

TEST_F(Init, WhatIsGuessedIsMarked) {
  const std::string text =
      first_spec(facts("#ifndef BLOCK\n#define BLOCK 128\n#endif\n"
                       "__global__ void k(const float* x, float* y, int n) { y[BLOCK] = x[n]; }"));
  for (const char* part :
       {"BLOCK = [64, 128, 256]", "n = { default = 1048576, help = \"argument n\" }",
        "name = \"x\"\ntype = \"f32\"\ncount = \"n\"  # TODO: elements\ndirection = \"in\"",
        "direction = \"out\"  # TODO", "block = [\"BLOCK\"]", "reference = \"none\""}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(Init, NamesThatABuildHasToSetAreParameters) {
  const std::string text = first_spec(facts(
      "__global__ void k(float* y) { y[threadIdx.y * block_size_x + tile] = block_size_y; }"));
  for (const char* part : {"tile = [1, 2, 4]", "block_size_y = [4, 8, 16]",
                           "block = [\"block_size_x\", \"block_size_y\"]"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(Init, WhatCannotBeWrittenIsSaidInOneLine) {
  const EnvironmentVariable none("GTUNE_NVCC", "/nonexistent");
  EXPECT_NE(refusal("int main() { return 0; }").find("has no kernel"), std::string::npos);
  EXPECT_NE(refusal("#include <cstdio>\n__global__ void k() {}\nint main() {}")
                .find("the source has host code"),
            std::string::npos);
  const std::string two = "__global__ void one() {}\n__global__ void two() {}\n";
  EXPECT_NE(refusal(two).find("say which to tune, --entry one (it has one, two)"),
            std::string::npos);
  EXPECT_NE(refusal(two, "tow").find("did you mean 'two'?"), std::string::npos);
  EXPECT_EQ(refusal(two, "two"), "");
  EXPECT_NE(refusal("__global__ void k() { nonsense(); }").find("does not compile"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune::test
