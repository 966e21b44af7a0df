// The facts that a first spec is written from, and that `gtune check` accepts the spec.
#include <chrono>

#include "authoring/argument_use.hpp"
#include "authoring/compiler_hints.hpp"
#include "authoring/first_spec.hpp"
#include "authoring/index_outline.hpp"
#include "authoring/inlined_functions.hpp"
#include "authoring/kernel_facts.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/plain_arithmetic.hpp"
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
  EXPECT_EQ(scale.argument_names(), (std::vector<std::string>{"x", "y", "n"}));
  EXPECT_EQ(scale.launch_bounds, Tokens{"BLOCK"});
  ASSERT_EQ(scale.template_parameters.size(), 4U);
  EXPECT_EQ(scale.template_parameters[0].name, "BLOCK");
  EXPECT_TRUE(scale.template_parameters[1].is_type);
  EXPECT_TRUE(scale.template_parameters[2].is_bool);
  EXPECT_EQ(scale.template_parameters[3].default_value, 4);
  EXPECT_EQ(outline.kernels[1].name, "plain");
  EXPECT_TRUE(outline.kernels[1].template_parameters.empty());
  EXPECT_TRUE(outline.takes_shared_memory);
}

TEST(SourceOutline, AMacroWithArgumentsBeforeAKernelsNameIsAnAttribute) {
  const SourceOutline outline = outline_source(
      "__global__ __launch_bounds__(128) WAVES(4) void first(float* y) {}\n"
      "__global__ void BOUNDS(256, 2) second(int n) {}\n");
  ASSERT_EQ(outline.kernels.size(), 2U);
  EXPECT_EQ(outline.kernels[0].name, "first");
  EXPECT_EQ(outline.kernels[0].launch_bounds, Tokens{"128"});
  EXPECT_EQ(outline.kernels[1].name, "second");
  EXPECT_EQ(outline.kernels[1].argument_names(), Tokens{"n"});
}

TEST(SourceOutline, AWordAfterTheArgumentsIsNotTheKernelsName) {
  const SourceOutline outline = outline_source(
      "__global__ void first(float* y) noexcept { y[0] = 1; }\n"
      "template <int B> __global__ void second(int n) requires(B > 0) { n = B; }\n");
  ASSERT_EQ(outline.kernels.size(), 2U);
  EXPECT_EQ(outline.kernels[0].name, "first");
  EXPECT_EQ(outline.kernels[0].argument_names(), Tokens{"y"});
  EXPECT_FALSE(outline.kernels[0].body.empty());
  EXPECT_EQ(outline.kernels[1].name, "second");
  EXPECT_FALSE(outline.kernels[1].body.empty());
}

TEST(SourceOutline, RawStringsAndContinuedDirectivesAreNoCode) {
  const SourceOutline outline = outline_source(
      "const char* text = R\"x(\n__global__ void quoted() {}\n)\" )x\";\n"
      "#define KERNEL \\\r\n__global__ void in_a_macro() {}\r\n"
      "__global__ void k() {}\n");
  ASSERT_EQ(outline.kernels.size(), 1U);
  EXPECT_EQ(outline.kernels[0].name, "k");
}

TEST(SourceOutline, HasTheVariablesThatAProgramFills) {
  const SourceOutline outline = outline_source(R"cu(
static __constant__ float weights[ROWS][3], bias;
extern "C" { __device__ __align__(16) unsigned int table[4]; }
__constant__ int known[2] = {1, 2};
__device__ unsigned int counter = 0;
__device__ float* pointer;
extern __constant__ float elsewhere;
namespace ns { __constant__ float mangled[4]; }
__device__ float helper(float x) { return x * bias; }
template <> __device__ float special<1>(float x);
)cu");
  std::vector<std::string> names;
  for (const OutlinedVariable& each : outline.variables) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"weights", "bias", "table"}));
  EXPECT_EQ(outline.variables[0].extents, (std::vector<Tokens>{{"ROWS"}, {"3"}}));
  EXPECT_EQ(outline.variables[1].type, Tokens{"float"});
  EXPECT_EQ(outline.variables[2].type, (Tokens{"unsigned", "int"}));
  const std::set<std::string> words =
      reachable_words({"y", "=", "helper", "(", "x", ")"}, outline.tokens);
  EXPECT_TRUE(words.contains("bias"));
  EXPECT_FALSE(words.contains("weights"));
}

TEST(SourceOutline, AVariableMayDefineItsStruct) {
  const SourceOutline outline = outline_source(
      "__constant__ struct { int n; float a; } params;\n"
      "static __device__ struct State { double x; } __align__(16) states[4], *pointer;\n"
      "__constant__ struct State begin{1.0}; struct Late { int n; }; __constant__ Late late;\n");
  std::vector<std::string> found;
  for (const OutlinedVariable& each : outline.variables) {
    found.push_back(each.type.back() + " " + each.name);
    EXPECT_TRUE(lay_out_struct(each.type.back(), outline.types, {})) << found.back();
  }
  EXPECT_EQ(found, (Tokens{"params params", "State states", "Late late"}));
}

TEST(SourceOutline, TellsWhatAKernelOnlyReadsOrWrites) {
  const SourceOutline outline = outline_source(R"cu(
__global__ void k(float* in, float* out, float* sum, float* count, float* handed, float* field,
                  float* moved, float* unused, int n, float* from, float* to, float* bound, float* seen) {
  __shared__ float tile[32][32];
  if (in[n] == 1) out[n][2] = in[n + out_of[3]] + tile[0].in;
  sum[n] += 1;
  count[n]++;
  handed[0] = load(handed + n);
  field[n].x = 2;
  moved += 3;
  shift = read[1] == 2;
  from += n;
  if (from != nullptr) block.Load(items, from + n);
  store_global<16, int>(to + n, items);
  float& one = bound[n];
  const float& other = seen[n];
}
__global__ void declared(float* in);
)cu");
  ASSERT_EQ(outline.kernels.size(), 2U);
  using enum ArgumentUse;
  const std::vector<ArgumentUse> expected = {
      only_read, only_written, unknown,   unknown,      unknown, unknown,  unknown,
      unknown,   unknown,      only_read, only_written, unknown, only_read};
  const OutlinedKernel& kernel = outline.kernels[0];
  ASSERT_EQ(kernel.arguments.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& name = kernel.arguments[i].name;
    EXPECT_EQ(argument_use(kernel.body, name), expected[i]) << name;
  }
  EXPECT_TRUE(outline.kernels[1].body.empty());
}

TEST(SourceOutline, CopiesOfAPointerAreReadAndWrittenForIt) {
  const auto use = [](const std::string& body) {
    return argument_use(plain_arithmetic(source_tokens("{" + body + "}"), {}), "x");
  };
  using enum ArgumentUse;
  for (const auto& [body, expected] :
       {std::pair("float* p = x + i; p[j] = 1;", only_written),
        std::pair("float* p = x; while (n--) { *p = 1; p += 32; }", only_written),
        std::pair("float4* p = reinterpret_cast<float4*>(x); p[i] = v;", only_written),
        std::pair("*(float4*)(x + 4 * i) = v;", only_written),
        std::pair("x += i; *x++ = 1;", only_written), std::pair("*x = 1; s = *x;", unknown),
        std::pair("float* p = x + i; s = *p + p[1];", only_read),
        std::pair("float* p = &x[i]; *p += 1;", unknown),
        std::pair("float* p = x + i; ++*p;", unknown), std::pair("float* p = x; f(p);", unknown),
        std::pair("float* p = x; s = *p; p = y; p[0] = 1;", only_read)}) {
    EXPECT_EQ(use(body), expected) << body;
  }
}

TEST(SourceOutline, HasTheMacrosThatABuildMaySet) {
  const SourceOutline outline = outline_source(
      "#ifndef BLOCK\n#define BLOCK 128\n#endif\n#define FIXED 3\n#ifndef GUARD_H\n#define "
      "GUARD_H\n#endif\n#if !defined(BLOCK)\n#define BLOCK 64\n#endif\n#ifndef N\n#define N "
      "(1024)\n#endif\n");
  const std::vector<SettableMacro>& macros = outline.macros.settable;
  ASSERT_EQ(macros.size(), 2U);
  EXPECT_EQ(macros[0].name, "BLOCK");
  EXPECT_EQ(macros[0].value, 128);
  EXPECT_EQ(macros[1].value, 1024);
  EXPECT_EQ(outline.macros.fixed, (std::map<std::string, std::int64_t>{{"FIXED", 3}}));
}

TEST(SourceOutline, HasTheMacrosThatConditionsCompare) {
  const SourceOutline outline = outline_source(
      "#define MINE 1\n#if VECTOR == 4 && MINE\n#elif VECTOR == 1\n#endif\n#if LOCAL == 0\n#endif\n"
      "#if defined(A) && __CUDA_ARCH__ >= 800 || UNROLL > 0\n#endif\n");
  const std::vector<SettableMacro>& macros = outline.macros.settable;
  ASSERT_EQ(macros.size(), 3U);
  EXPECT_EQ(macros[0].name, "VECTOR");
  EXPECT_EQ(macros[0].values, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(macros[1].name, "LOCAL");
  EXPECT_EQ(macros[1].values, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(macros[2].name, "UNROLL");
}

TEST(SourceOutline, ATemplateTemplateParameterHidesNoEarlierOne) {
  const SourceOutline outline = outline_source(
      "template <int BLOCK, template <typename, int> class Op, int UNROLL = (2 > 1)>\n"
      "__global__ void k(float* y) {}\n");
  ASSERT_EQ(outline.kernels.size(), 1U);
  std::vector<std::string> names;
  for (const auto& each : outline.kernels[0].template_parameters) names.push_back(each.name);
  EXPECT_EQ(names, (Tokens{"BLOCK", "Op", "UNROLL"}));
  EXPECT_EQ(outline.kernels[0].template_parameters[2].default_value, 1);
}

TEST(SourceOutline, ADefinitionHasTheDefaultsOfItsDeclaration) {
  const SourceOutline outline = outline_source(
      "template <int BLOCK = 128> __global__ void __launch_bounds__(BLOCK) k(float* y);\n"
      "template <int BLOCK> __global__ void k(float* out) { *out = BLOCK; }\n");
  ASSERT_EQ(outline.kernels.size(), 1U);
  EXPECT_EQ(outline.kernels[0].template_parameters[0].default_value, 128);
  EXPECT_EQ(outline.kernels[0].launch_bounds, Tokens{"BLOCK"});
  EXPECT_EQ(outline.kernels[0].argument_names(), Tokens{"out"});
}

TEST(SourceOutline, LettersOutsideAsciiAreOneUnderscore) {
  const SourceOutline outline = outline_source(
      "\xef\xbb\xbf__global__ void k(float* y, int gr\xc3\xb6\xc3\x9f"
      "e, int \xe4) {\n"
      "  y[gr\xc3\xb6\xc3\x9f"
      "e] = 1; }");
  ASSERT_EQ(outline.kernels.size(), 1U);
  EXPECT_EQ(outline.kernels[0].argument_names(), (Tokens{"y", "gr_e", "_"}));
  EXPECT_EQ(slice(outline.kernels[0].body, 1, 5), (Tokens{"y", "[", "gr_e", "]"}));
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

  /// The error of facts(); empty if there is none.
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
        "name = \"x\"\ntype = \"f32\"\ncount = \"n + 1\"  # TODO: elements\ndirection = \"in\"",
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

/// The first spec of a source; `gtune check` must find no mistake in it.
class FirstSpecTest : public Init {
 protected:
  std::string spec_of(const std::string& source, const std::string& entry = "") const {
    const std::string text = first_spec(facts(source, entry));
    const SpecCheck check = check_spec(folder.write("k.toml", text), {}, {}, compile_here);
    for (const CheckMistake& mistake : check.mistakes) {
      ADD_FAILURE() << text << "\n" << mistake.at << ": " << mistake.line << mistake.log;
    }
    return text;
  }

  static void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
  }
};

TEST_F(FirstSpecTest, ArgumentsOfSeveralDimensionsHaveAllTheirElements) {
  expect_parts(spec_of("__global__ void k(const float (*x)[64], float y[][64], int rows) {\n"
                       "  const int r = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (r < rows) for (int c = 0; c < 64; ++c) y[r][c] = 2 * x[r][c];\n}"),
               {"name = \"x\"\ntype = \"f32\"\ncount = \"64 * rows\"",
                "name = \"y\"\ntype = \"f32\"\ncount = \"64 * rows\"",
                "grid = [\"ceil_div(rows, BLOCK)\"]"});
}

TEST_F(FirstSpecTest, ExtentsMayBeMembersOfAnArgument) {
  const char* const body =
      "  const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  const int col = blockIdx.x * blockDim.x + threadIdx.x;\n";
  expect_parts(
      spec_of("struct Shape { int d[2]; };\n__global__ void k(float* y, Shape s) {\n" +
              std::string(body) + "if (row < s.d[0] && col < s.d[1]) y[row * s.d[1] + col] = 1; }"),
      {"grid = [\"ceil_div(d_1, BLOCK_X)\", \"ceil_div(d_0, BLOCK_Y)\"]"});
  expect_parts(spec_of("__global__ void k(float* y, dim3 s) {\n" + std::string(body) +
                       "if (row < s.y && col < s.x) y[row * s.x + col] = 1; }"),
               {"grid = [\"ceil_div(x, BLOCK_X)\", \"ceil_div(y, BLOCK_Y)\"]",
                "{ type = \"u32\", value = \"z\" },  # z"});
}

TEST_F(FirstSpecTest, AnyNameMayBeTheBlocksSize) {
  expect_parts(spec_of("template <int NT, int VT> __global__ void k(float* y, int n) {\n"
                       "  for (int v = 0; v < VT; ++v) {\n"
                       "    const int i = blockIdx.x * NT * VT + v * NT + threadIdx.x;\n"
                       "    if (i < n) y[i] = 2;\n  }\n}"),
               {"NT = [64, 128, 256]", "VT = [1, 2, 4]", "block = [\"NT\"]"});
}

TEST_F(FirstSpecTest, ArgumentsWithoutANameGetOne) {
  expect_parts(
      spec_of("__global__ void k(const float* __restrict__, unsigned int, const float*, "
              "float* __restrict__ y) { y[threadIdx.x] = 1; }"),
      {"name = \"argument1\"", "name = \"argument2\"", "name = \"argument3\"", "name = \"y\""});
}

TEST_F(FirstSpecTest, AFunctionIsNoArgumentOfASpec) {
  expect_parts(spec_of("__global__ void k(float* y, float (*f)(float)) { y[0] = f(1); }"),
               {"type = \"u64\"\nvalue = 0  # TODO: a spec cannot pass float (*)(float)\n"});
}

TEST_F(FirstSpecTest, AVariableThatTheKernelReadsIsFilledFromABuffer) {
  const std::string text = spec_of(
      "#define RADIUS 8\n#define LENGTH (2 * RADIUS + 1)\nstruct Pair { float a, b; };\n"
      "static __constant__ float weights[LENGTH][3];\n__device__ Pair pairs[4];\n"
      "__constant__ int unused[9];\n"
      "__device__ float weigh(float x, int i) { return x * weights[i][1]; }\n"
      "__global__ void k(const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = weigh(x[i], i % RADIUS) + pairs[i % 4].b;\n}");
  expect_parts(text,
               {"name = \"weights\"\ntype = \"f32\"\ncount = \"17 * 3\"", "symbol = \"weights\"",
                "name = \"pairs\"\ntype = \"f32\"\ncount = \"2 * 4\"", "symbol = \"pairs\""});
  EXPECT_EQ(text.find("unused"), std::string::npos) << text;
}

TEST_F(FirstSpecTest, AnEnumerationsValuesAreAParameters) {
  folder.write("inc/modes.h",
               "namespace ns { enum class Mode : int { slow, fast = 4 };\n"
               "enum Order { ASCENDING, DESCENDING }; }\n");
  const std::string source =
      "#include <modes.h>\nusing Index = int;\n"
      "namespace ns { template <Mode MODE, ns::Order ORDER, Index UNROLL>\n"
      "__global__ void k(float* y, int n) { if (MODE == Mode::fast) y[n] = ORDER * UNROLL; } }";
  const std::filesystem::path file = folder.write("k.cu", source);
  const KernelFacts found = find_kernel_facts(
      {file, "", {"-I" + (folder.path() / "inc").string()}, "sm_90a"}, compile_here);
  expect_parts(first_spec(found), {"entry = \"ns::k<MODE,ORDER,UNROLL>\"",
                                   "MODE = [\"ns::Mode::slow\", \"ns::Mode::fast\"]",
                                   "ORDER = [\"ns::ASCENDING\", \"ns::DESCENDING\"]"});
}

TEST_F(FirstSpecTest, AnEnumerationHasTheNamespaceThatDefinesIt) {
  expect_parts(
      spec_of(
          "enum Plain { ONE, TWO };\nnamespace other { enum class Mode { far }; }\n"
          "namespace a { enum class Mode { slow, fast }; struct Traits { enum Side { L, R }; };\n"
          "namespace b { namespace c { enum class Kind { odd }; }\n"
          "template <Mode MODE, Plain PLAIN, Traits::Side SIDE, c::Kind KIND>\n"
          "__global__ void k(float* y, int n) { y[n] = MODE == Mode::fast; } } }"),
      {"entry = \"a::b::k<MODE,PLAIN,SIDE,KIND>\"", "MODE = [\"a::Mode::slow\", \"a::Mode::fast\"]",
       "PLAIN = [\"ONE\", \"TWO\"]", "SIDE = [\"a::Traits::L\", \"a::Traits::R\"]",
       "KIND = [\"a::b::c::Kind::odd\"]"});
}

TEST_F(FirstSpecTest, OnlyTheBranchThatTheCompilerTakesIsRead) {
  const std::string text = spec_of(
      "#include <cooperative_groups.h>\n"
      "#ifdef USE_DOUBLE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
      "__global__ void k(const real* x,\n#if 0\n  int* counts,\n#else\n  real* y,\n#endif\n"
      "  int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "#ifdef WHOLE_GRID\n  if (i >= n) {\n#else\n  if (i < n) {\n#endif\n    y[i] = x[i];\n  "
      "}\n}\n"
      "#ifdef WHOLE_GRID\n__global__ void whole(float* y) { "
      "cooperative_groups::this_grid().sync(); }\n"
      "#endif\n"
      "__global__ void grid_ref(float* y) { cooperative_groups::this_grid().sync(); }\n");
  expect_parts(text, {"name = \"y\"\ntype = \"f32\"\ncount = \"n\"",
                      "# TODO: this draft assumes, of the conditions in the kernel's text:\n"
                      "#   line 15: #ifdef WHOLE_GRID: false\n"});
  for (const char* part : {"cooperative", "counts", "USE_DOUBLE", "#if 0"}) {
    EXPECT_EQ(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(FirstSpecTest, AMacroThatTheBuildChoosesDecidesWithItsFirstValue) {
  expect_parts(spec_of("#if WIDE == 1\n#define T float4\n#else\n#define T float\n#endif\n"
                       "__global__ void k(\n#if WIDE == 1\n float4* y\n#else\n float* z\n#endif\n"
                       ", int n) { int i = threadIdx.x; }"),
               {"WIDE = [0, 1]", "name = \"z\"", "#   line 7: #if WIDE == 1: false\n"});
}

TEST_F(Init, AHeadersMacrosDecideConditions) {
  folder.write("config.h", "#ifndef CONFIG_H\n#define CONFIG_H\n#define WIDE 1\n#endif\n");
  const KernelFacts found = facts(
      "#include \"config.h\"\n__global__ void k(\n#if WIDE\n float4* v\n#else\n float* y\n#endif\n"
      ") {}");
  EXPECT_EQ(found.kernel.argument_names(), Tokens{"v"});
  EXPECT_TRUE(found.kernel.assumed.empty());
}

TEST_F(Init, AKernelInABranchThatIsNotCompiledIsNamedWithItsCondition) {
  const std::string source =
      "#ifdef FAST\n__global__ void fast(float* y) {}\n#endif\n"
      "__global__ void slow(float* y) {}\n";
  EXPECT_EQ(facts(source).kernel.name, "slow");
  EXPECT_NE(refusal(source, "fast")
                .find("the kernel 'fast' is left out by '#ifdef FAST' (line 1); define the macro "
                      "so that it is compiled, as in -D NAME=VALUE"),
            std::string::npos);
  EXPECT_NE(refusal("#if 0\n__global__ void k() {}\n#endif\n").find("'k' is left out by '#if 0'"),
            std::string::npos);
  const auto file = folder.write("k.cu", source);
  EXPECT_EQ(find_kernel_facts({file, "fast", {"-DFAST"}, "sm_90a"}, compile_here).kernel.name,
            "fast");
}

TEST_F(FirstSpecTest, TheSourcesOwnTypesAndFunctionsAreTemplateArguments) {
  const std::string source =
      "namespace p { template <int T, int I> struct Policy { static constexpr int tile = T * I; "
      "};\n"
      "struct Rows { static constexpr bool rows = true; };\n"
      "template <typename T> struct Sum { static __device__ T of(T a) { return a; } };\n"
      "}\n__device__ float twice(float x) { return 2 * x; }\nnamespace p {\n"
      "template <typename P, float (*F)(float), template <typename> class Op, typename L = Rows,\n"
      "          typename R = double, int... Pack>\n"
      "__global__ void k(R* y, int n) {\n  const int i = blockIdx.x * P::tile + threadIdx.x;\n"
      "  if (i < n) y[i] = Op<float>::of(F(L::rows)); } }\n";
  const std::string launch =
      "#ifndef __CUDACC_RTC__\nvoid host(double* y, int n) {\n"
      "  p::k<p::Policy<128, 4>, twice, p::Sum><<<n, 128>>>(y, n); }\n#endif\n";
  expect_parts(spec_of(source + launch),
               {"entry = \"p::k<p::Policy<128,4>,twice,p::Sum,p::Rows,double>\"\n"});
  EXPECT_NE(refusal(source).find("'p::k' has the template parameter 'F', a template or a function, "
                                 "and the source shows no argument for it; expected a launch or a "
                                 "default"),
            std::string::npos);
}

TEST_F(FirstSpecTest, APointerToAFunctionMayHaveANamedType) {
  for (const char* type : {"typedef float (*Unary)(float);", "using Unary = float (*)(float);"}) {
    const std::string source =
        std::string(type) + "\n__device__ float twice(float x) { return 2 * x; }\n" +
        "template <Unary F> __global__ void k(float* y, int n) { if (n > 0) y[0] = F(n); }\n";
    EXPECT_NE(refusal(source).find("the template parameter 'F', a template or a function"),
              std::string::npos);
    expect_parts(spec_of(source + "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) {\n"
                                  "  k<twice><<<1, 32>>>(y, n); }\n#endif\n"),
                 {"entry = \"k<twice>\""});
  }
}

TEST_F(FirstSpecTest, MacrosMayMakeKernelsOrTheirHeads) {
  const std::string source =
      "#define UNARY(name, expression) \\\n"
      "  extern \"C\" __global__ void name##_kernel(const float* in, float* out, int n) { \\\n"
      "    int i = blockIdx.x * blockDim.x + threadIdx.x; \\\n"
      "    if (i < n) { float x = in[i]; out[i] = (expression); } }\n"
      "#define HEAD(B) __global__ void __launch_bounds__(B)\n#define KERNEL __global__\n"
      "UNARY(exp, expf(x))\nUNARY(relu, x > 0 ? x : 0)\n"
      "template <int B> HEAD(B) bounded(float* y, int n) { y[n] = B; }\n"
      "KERNEL void plain(float* y, int n) { y[n] = 1; }\n";
  EXPECT_EQ(outline_source(source).kernels.size(), 4U);
  expect_parts(spec_of(source, "relu_kernel"), {"entry = \"relu_kernel\"", "name = \"in\""});
  expect_parts(spec_of(source, "bounded"), {"entry = \"bounded<B>\"", "block = [\"B\"]"});
  EXPECT_EQ(facts(source, "plain").kernel.argument_names(), (Tokens{"y", "n"}));
}

TEST_F(FirstSpecTest, TheBlockIsWhatTheLaunchBoundsName) {
  expect_parts(spec_of("template <int D, int NUM_WARPS = 4>\n"
                       "__global__ void __launch_bounds__(NUM_WARPS * 32, 1) k(float* y, int n) {\n"
                       "  int row = blockIdx.x * NUM_WARPS + threadIdx.x / 32;\n"
                       "  if (row < n) y[row * D] = 1; }"),
               {"NUM_WARPS = [2, 4, 8]", "block = [\"NUM_WARPS * 32\"]"});
}

TEST_F(FirstSpecTest, ANewParameterIsNoWordOfTheSource) {
  expect_parts(spec_of("template <int BLOCK> __global__ void other(float* y) { *y = BLOCK; }\n"
                       "__global__ void k(float* y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 1; }",
                       "k"),
               {"block = [\"BLOCK_SIZE\"]"});
}

TEST_F(FirstSpecTest, StructsMayBeEmptyOrTemplates) {
  expect_parts(
      spec_of("struct Op { __device__ float operator()(float x) const { return x; } };\n"
              "template <int D> struct View { static constexpr int d = D; float* x; int n; };\n"
              "template <int D> __global__ void k(View<D> v, Op op, int n) {\n"
              "  if (v.n < n) v.x[0] = op(D); }"),
      {"# empty", "{ of = \"v_x\" },  # x"});
}

TEST_F(FirstSpecTest, AStructsTemplateArgumentsAreInItsMembers) {
  expect_parts(
      spec_of("template <class T, int RANK> struct Tensor { T* data; int shape[RANK]; T scale; };\n"
              "namespace ns { template <typename U> struct View { Tensor<U, 2> to; U last; }; }\n"
              "__global__ void k(Tensor<double, 1> t, ns::View<float> v) {\n"
              "  if (t.shape[0] < v.to.shape[1]) v.to.data[0] = t.data[0]; }"),
      {"{ of = \"t_data\" },  # data", "{ type = \"i32\", value = \"shape_0\" },  # shape_0",
       "{ type = \"f64\", value = 1.0 },  # scale", "{ of = \"v_to_data\" },  # to.data",
       "name = \"v_to_data\"\ntype = \"f32\"", "# last  TODO"});
}

TEST_F(FirstSpecTest, AHostConstantOfTheLaunchIsATemplatesValue) {
  expect_parts(
      spec_of("template <int BM> __global__ void k(float* y, int n) {\n"
              "  int i = blockIdx.x * BM + threadIdx.x;\n  if (i < n) y[i] = 1; }\n"
              "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) { constexpr int BM = 64;\n"
              "  k<BM><<<(n + BM - 1) / BM, BM>>>(y, n); }\n#endif\n"),
      {"BM = [32, 64, 128]"});
}

TEST_F(FirstSpecTest, AReferenceIsDefinedInTheSource) {
  expect_parts(spec_of("__global__ void k_ref(float* y, int n);\n"
                       "__global__ void k(float* y, int n) { y[n] = 1; }"),
               {"reference = \"none\""});
}

TEST_F(FirstSpecTest, ATypeThatNoLaunchShowsIsMarkedAsAGuess) {
  const std::string kernel =
      "template <typename T, typename S, bool PAD, int BLOCK> __global__ void k(T* y, S a, int n) "
      "{\n  const int i = blockIdx.x * BLOCK + threadIdx.x + PAD;\n  if (i < n) y[i] = a;\n}\n";
  expect_parts(spec_of(kernel),
               {"entry = \"k<float,float,PAD,BLOCK>\"  # TODO: guessed: T = float, S = float",
                "# divides = \"n % BLOCK == 0\""});
  expect_parts(
      spec_of(kernel + "#ifndef __CUDACC_RTC__\nvoid host(int* y, int n) {\n"
                       "  k<int, double, true, 64><<<n / 64, 64>>>(y, 2.0, n); }\n#endif\n"),
      {"entry = \"k<int,double,PAD,BLOCK>\"\n"});
}

TEST_F(FirstSpecTest, ATypeThatALauncherForwardsIsThatOfItsCalls) {
  expect_parts(
      spec_of(
          "struct Half { float value; };\n"
          "template <typename T, typename S> __global__ void k(T* y, S a, int n) { y[n] = T(); }\n"
          "#ifndef __CUDACC_RTC__\ntemplate <typename T, typename S> void launch(T* y, int n) {\n"
          "  k<T, S><<<n / 64, 64>>>(y, S(), n); }\n"
          "template void launch<Half, double>(Half*, int);\n#endif\n"),
      {"entry = \"k<Half,double>\"\n"});
}

TEST_F(FirstSpecTest, ATypeOfIndicesIsGuessedToBeOfIntegers) {
  expect_parts(
      spec_of(
          "template <class IndexT, class T> __global__ void k(const IndexT* at, T* y, IndexT n) "
          "{\n  const IndexT i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n) y[at[i]] = 1;\n}"),
      {"entry = \"k<int,float>\"  # TODO: guessed: IndexT = int, T = float"});
}

TEST_F(Init, AParameterPackIsNamedAsSuch) {
  EXPECT_EQ(refusal("template <class... Ts> __global__ void k(float* y, Ts... x) {}"),
            "'k' does not compile: its template arguments do not follow from the source (a "
            "parameter pack?): write a spec whose entry names them, such as entry = "
            "\"k<float,int>\"");
}

TEST_F(FirstSpecTest, AParameterPackHasTheArgumentsOfTheLaunch) {
  const std::string host = "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) { ";
  expect_parts(spec_of("template <typename T, int... SIZES> __global__ void k(T* y, int n) {\n"
                       "  const int sizes[] = {SIZES...}; y[n] = sizes[0]; }\n" +
                       host + "k<float, 1, 2, (1 << 4)><<<1, 32>>>(y, n); }\n#endif\n"),
               {"entry = \"k<float,1,2,16>\"\n"});
  expect_parts(spec_of("struct One {}; template <class... Ts> struct Pair {};\n"
                       "template <template <class...> class Op, class... Ts>\n"
                       "__global__ void k(float* y, int n) { y[n] = sizeof(Op<Ts...>); }\n" +
                       host + "k<Pair, One, unsigned><<<1, 32>>>(y, n); }\n#endif\n"),
               {"entry = \"k<Pair,One,unsigned int>\"\n"});
}

TEST_F(FirstSpecTest, AnEntrysTemplateArgumentsAreKept) {
  const std::string source =
      "namespace a { template <typename T, int BLOCK, int UNROLL>\n"
      "__global__ void k(T* y, int n) {\n"
      "  const int i = (blockIdx.x * BLOCK + threadIdx.x) * UNROLL;\n  if (i < n) y[i] = 1; } }\n"
      "template <int... SIZES> __global__ void packed(float* y, int n) { y[n] = 1; }\n"
      "__global__ void plain(float* y) { y[0] = 1; }\n";
  expect_parts(spec_of(source, "k<unsigned int, 128>"),
               {"entry = \"a::k<unsigned int,128,UNROLL>\"\n", "block = [128]",
                "name = \"y\"\ntype = \"u32\""});
  expect_parts(spec_of(source, "a::k<double>"),
               {"entry = \"a::k<double,BLOCK,UNROLL>\"\n", "block = [\"BLOCK\"]"});
  expect_parts(spec_of(source, "packed<1,2>"), {"entry = \"packed<1,2>\""});
  EXPECT_EQ(refusal(source, "plain<1>"),
            "'plain' has 0 template parameters, but --entry has 1 argument");
  for (const char* entry : {"k<int", "k<", "k<>", "k<int>>", "k<int> more"}) {
    EXPECT_NE(refusal(source, entry).find("expected NAME or NAME<ARGUMENTS>"), std::string::npos)
        << entry;
  }
}

TEST_F(Init, ASourceThatNoCompilerReadsIsRefusedWithWhatToDo) {
  EXPECT_NE(refusal(std::string("\xff\xfe_\0_\0", 6)).find("k.cu: is in UTF-16; expected UTF-8"),
            std::string::npos);
  const std::string kernel = "// A kernel.\r__global__ void k(float* y) { y[0] = 1; }\r";
  EXPECT_NE(refusal(kernel).find("k.cu: ends its lines with CR alone; expected LF or CRLF"),
            std::string::npos);
  EXPECT_EQ(refusal("__global__ void k(float* y) {\r y[0] = 1; } // end\r"), "");
}

TEST_F(FirstSpecTest, AByteOrderMarkIsNoCode) {
  expect_parts(spec_of("\xef\xbb\xbf__global__ void k(float* y, int n) { y[n] = 1; }"),
               {"entry = \"k\""});
}

TEST_F(FirstSpecTest, AValueThatNoSizeMayHaveIsAParameters) {
  expect_parts(spec_of("template <int rows = 0> __global__ void k(float* y, int n) {\n"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) y[i] = rows;\n}"),
               {"rows = ["});
}

TEST_F(Init, OptionsAreQuoted) {
  const std::filesystem::path file =
      folder.write("k.cu", "#include HEADER\n__global__ void k() {}");
  folder.write("x.h", "");
  const std::string header = "-DHEADER=\"x.h\"";
  KernelFacts found = find_kernel_facts({file, "", {header}, "sm_90a"}, compile_here);
  found.options = {header};
  const std::string text = first_spec(found);
  EXPECT_NE(text.find(R"(options = ["-DHEADER=\"x.h\""])"), std::string::npos) << text;
}

TEST_F(Init, ASourceWithAnErrorIsCompiledOncePerCompiler) {
  const EnvironmentVariable none("GTUNE_NVCC", "/nonexistent");
  int compiles = 0;
  const auto counted = [&](std::vector<KernelRequest> requests) {
    compiles += static_cast<int>(requests.size());
    return compile_here(std::move(requests));
  };
  const std::filesystem::path file = folder.write("k.cu", "__global__ void k() { nonsense(); }");
  EXPECT_THROW((void)find_kernel_facts({file, "", {}, "sm_90a"}, counted), UserError);
  EXPECT_LE(compiles, 2);
}

TEST_F(FirstSpecTest, ATemplatesParameterIsNoMacroToBe) {
  const std::string text = spec_of(
      "template <int BLOCK> __global__ void k(float* y, int n) {\n"
      "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n  if (i < n) y[i] = 1;\n}\n"
      "__device__ int other() { const int BLOCK = 512; return BLOCK; }");
  EXPECT_EQ(text.find("make it a macro"), std::string::npos) << text;
}

TEST_F(FirstSpecTest, ANumberForAnUnknownTypeOfATemplateIsCast) {
  expect_parts(spec_of("#define ORDERS enum Order { UP, DOWN };\nORDERS\n"
                       "template <Order MODE> __global__ void k(float* y, int n) { y[n] = MODE; }"),
               {"entry = \"k<(::Order)MODE>\"", "MODE = [1, 2, 4]"});
}

TEST(SourceOutline, UnclosedTemplatesAreReadQuickly) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "template <";
  EXPECT_EQ(outline_source(text + "int> __global__ void k() {}").kernels.size(), 1U);
}

TEST(SourceOutline, KernelsAfterUnclosedTemplatesAreReadQuickly) {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    for (int j = 0; j < 100; ++j) text += "template <";
    text += "__global__ void k" + std::to_string(i) + "() {}\n";
  }
  EXPECT_EQ(outline_source(text).kernels.size(), 2000U);
}

TEST(IndexOutline, UnclosedBracketsAreReadQuickly) {
  OutlinedKernel kernel{.name = "k", .arguments = {{"y", {}, {{"64"}}}}, .body = {"{", "y"}};
  for (const char* part : {"[", "(", "x", "(int)", "__mul24(", "static_cast<", "y["}) {
    const Tokens tokens = source_tokens(part);
    for (int i = 0; i < 50000; ++i) {
      kernel.body.insert(kernel.body.end(), tokens.begin(), tokens.end());
    }
    kernel.body.emplace_back("=");
  }
  EXPECT_TRUE(outline_indices(kernel, {"y"}).elements.empty());
}

TEST_F(FirstSpecTest, AMacroWithTheNameOfATemplateParameterIsNotChosen) {
  expect_parts(spec_of("#if BLOCK == 4\n#endif\n"
                       "template <int BLOCK> __global__ void k(float* y) { y[0] = BLOCK; }"),
               {"entry = \"k<BLOCK>\""});
}

TEST_F(FirstSpecTest, AMacroWithTheNameOfATypeInTheEntryIsNotChosen) {
  KernelFacts found = facts(
      "#define KINDS enum Mode { SLOW, FAST };\nKINDS\n"
      "template <Mode MODE> __global__ void k(float* y) { y[0] = MODE; }");
  found.macros = {{"Mode", 4096}};
  EXPECT_EQ(first_spec(found).find("macros"), std::string::npos) << first_spec(found);
}

TEST_F(Init, ACommentOfADraftIsAscii) {
  KernelFacts found = facts("__global__ void k(float* y) { *y = 1; }");
  found.types[0].name = "gr\xc3\xb6\xff\x01se";
  const std::string text = first_spec(found);
  EXPECT_NE(text.find("# TODO: gr????se as bytes"), std::string::npos) << text;
}

TEST_F(FirstSpecTest, ALaunchOfNoThreadsIsNotTaken) {
  const std::string text = spec_of(
      "__global__ void __launch_bounds__(0) k(float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 1; }\n"
      "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) { k<<<0, 0>>>(y, n); }\n#endif\n");
  expect_parts(text, {"block = [\"BLOCK\"]", "grid = [\"ceil_div(n, BLOCK)\"]"});
}

TEST_F(FirstSpecTest, ALaunchWithoutThreadsOrBlocksIsNotTaken) {
  const auto kernel = [](const std::string& threads, const std::string& launch) {
    return "#define NONE 0\ntemplate <int TILE = 16> __global__ void k(float* y, int n) {\n"
           "  int i = blockIdx.x * " +
           threads +
           " + threadIdx.x;\n  if (i < n) y[i] = TILE; }\n#ifndef __CUDACC_RTC__\n"
           "void host(float* y, int n) { " +
           launch + " }\n#endif\n";
  };
  for (const char* launch : {"k<16><<<1, 0>>>(y, n);", "k<16><<<n, 0 * n>>>(y, n);",
                             "k<16><<<n / 0, 8 - 9>>>(y, n);", "k<16><<<0, dim3(0, 0)>>>(y, n);"}) {
    const std::string text = spec_of(kernel("blockDim.x", launch));
    EXPECT_EQ(text.find("block = [0"), std::string::npos) << text;
    EXPECT_NE(text.find("ceil_div(n, "), std::string::npos) << text;
  }
  (void)spec_of(kernel("NONE", ""));
  (void)spec_of(kernel("(4 - 8)", ""));
}

TEST_F(FirstSpecTest, NegativeSharedMemoryIsNotTaken) {
  expect_parts(spec_of("__global__ void k(float* y, int n) {\n  extern __shared__ float s[];\n"
                       "  if (threadIdx.x < n) y[0] = s[0]; }\n#ifndef __CUDACC_RTC__\n"
                       "void host(float* y, int n) { k<<<1, 32, 4 - 8>>>(y, n); }\n#endif\n"),
               {"# TODO: bytes of dynamic shared memory"});
}

TEST_F(FirstSpecTest, SharedMemoryOfALengthFromMemoryIsNotGuessed) {
  expect_parts(spec_of("__global__ void k(const int* lens, const float* x, float* y, int n) {\n"
                       "  extern __shared__ float s[];\n  const int len = lens[blockIdx.x];\n"
                       "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];\n"
                       "  for (int i = threadIdx.x; i < len; i += blockDim.x) s[i] = x[i % n];\n"
                       "  y[blockIdx.x] += s[0];\n}"),
               {"shared = \"0\"  # TODO: bytes of dynamic shared memory; the kernel's indices do "
                "not show how many"});
}

TEST_F(FirstSpecTest, BlocksOfRowsAreFoundInTheOffsetOfACast) {
  for (const char* row :
       {"(float4*)(x + blockIdx.x * n)", "reinterpret_cast<float4*>(x + (size_t)blockIdx.x * n)"}) {
    expect_parts(
        spec_of("__global__ void k(float* x, int n) {\n  float4* row = " + std::string(row) +
                ";\n  for (int i = threadIdx.x; i < n / 4; i += blockDim.x)\n"
                "    row[i] = make_float4(0, 0, 0, 0);\n}"),
        {"grid = [\"rows\"]", "count = \"rows * n\""});
  }
}

TEST_F(FirstSpecTest, RowsHaveASizeOfTheirOwn) {
  const std::string head = "__global__ void k(const float* x, float* y, int n) {\n";
  expect_parts(
      spec_of(head + "  const int r = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  if (c < n) y[r * n + c] = x[r * 2 * n + c] * x[r * 2 * n + n + c];\n}"),
      {"grid = [\"ceil_div(n, BLOCK)\", \"rows\"]", "count = \"2 * rows * n\"",
       "count = \"rows * n\""});
  expect_parts(
      spec_of(head + "  for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                     "    y[blockIdx.x * 2 * n + i] = x[(blockIdx.x * 2 + 1) * n + i];\n}"),
      {"grid = [\"ceil_div(rows, 2)\"]"});
}

TEST_F(FirstSpecTest, AMultipleOfAPointersOffsetCounts) {
  expect_parts(spec_of("__global__ void k(float* x, int heads, int half) {\n"
                       "  const int t = blockIdx.x;\n"
                       "  for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {\n"
                       "    const int h = i / half, j = i % half;\n"
                       "    float* p = x + (t * heads + h) * 2 * half;\n"
                       "    p[j] += p[j + half];\n  }\n}"),
               {"count = \"2 * heads * half"});
}

TEST_F(FirstSpecTest, CastsToTypesOfTheSourceCountTheirElements) {
  for (const char* type :
       {"struct Pixel { unsigned char r, g, b, a; };", "typedef uchar4 Pixel;",
        "struct alignas(4) Pixel { unsigned char of[3]; };", "using Pixel = unsigned int;"}) {
    expect_parts(
        spec_of(type + std::string("\n__global__ void k(unsigned char* x, int n) {\n"
                                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i < n) reinterpret_cast<Pixel*>(x)[i] = Pixel();\n}")),
        {"count = \"4 * n\""});
  }
}

TEST_F(FirstSpecTest, AStepFromRowToRowIsAPitch) {
  expect_parts(spec_of("__global__ void k(const float* x, float* y, int w, int h, int src_step) {\n"
                       "  const int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  const int r = blockIdx.y * blockDim.y + threadIdx.y;\n"
                       "  if (c >= w || r >= h) return;\n  y[r * w + c] = x[r * src_step + c];\n}"),
               {"src_step = { default = \"w\"", "count = \"h * src_step\""});
}

TEST_F(FirstSpecTest, PairsOfHalfAsManyAreCountedRoundedDown) {
  expect_parts(spec_of("__global__ void k(const float2* x, float2* y, int n) {\n"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n / 2) y[i] = x[i];\n}"),
               {"count = \"2 * (n / 2)\""});
}

TEST_F(FirstSpecTest, ValuesThatASpecRefusesAreNotTaken) {
  const std::string text = spec_of(
      "#ifndef LARGE_TILE\n#define LARGE_TILE (1 << 62)\n#endif\n"
      "#if LEVEL == 0x7fffffffffffffff\n#endif\n"
      "__global__ void k(float* y, int dev_n, char c, unsigned char d, size_t argument6, int) {\n"
      "  if (threadIdx.x < dev_n) y[0] = c + d; }\n#ifndef __CUDACC_RTC__\n"
      "void host(float* y) { k<<<1, 32>>>(y, 1 << 50, 0.5f, 1e20f, 1 << 50, 0); }\n#endif\n");
  expect_parts(text, {"LARGE_TILE = { default = 64", "LEVEL = [0]", "\nn = { default = 64",
                      "name = \"c\"\ntype = \"i8\"\nvalue = 0  # TODO",
                      "name = \"d\"\ntype = \"u8\"\nvalue = 0  # TODO",
                      "argument6 = { default = 64", "name = \"argument6_\""});
}

TEST_F(FirstSpecTest, AnEnumerationIsNoNumberOfTheLaunch) {
  const std::string text = spec_of(
      "enum Block { SMALL = 32, LARGE = 64 };\ntemplate <Block BLOCK_X>\n"
      "__global__ void k(float* y, int n) {\n  int i = blockIdx.x * BLOCK_X + threadIdx.x;\n"
      "  if (i < n) y[i * BLOCK_X] = 1; }\n");
  expect_parts(text, {"BLOCK_X = [\"SMALL\", \"LARGE\"]"});
  EXPECT_EQ(text.find("block = [\"BLOCK_X\"]"), std::string::npos) << text;
}

TEST_F(FirstSpecTest, AWordThatNoParameterMayHaveIsLeftOut) {
  const std::string text =
      spec_of("enum Mode { " + std::string(120, 'A') +
              ", SHORT };\ntemplate <Mode MODE> __global__ void k(float* y) { y[MODE] = 1; }");
  expect_parts(text, {"MODE = [\"SHORT\"]"});
}

TEST_F(FirstSpecTest, ADeeplyNestedExpressionIsNotTaken) {
  // The reader accepts it alone, but not in the brackets of a condition.
  const std::string deep = std::string(99, '(') + "n" + std::string(99, ')');
  const std::string text = spec_of(
      "template <int TILE> __global__ void k(float* y, int n) { y[n] = TILE; }\n"
      "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) {\n  k<16><<<" +
      deep + ", 32>>>(y, n); }\n#endif\n");
  EXPECT_EQ(text.find("(((("), std::string::npos) << text;
}

TEST_F(Init, ATextureHasOneTwoOrFourChannels) {
  KernelFacts found = facts(
      "__global__ void k(cudaTextureObject_t t, float* y) { y[0] = tex2D<float4>(t, 0, 0).x; }");
  std::replace(found.kernel.body.begin(), found.kernel.body.end(), std::string("float4"),
               std::string("float3"));
  const std::string text = first_spec(found);
  EXPECT_EQ(text.find("channels"), std::string::npos) << text;
  EXPECT_NE(text.find("# TODO: the texel's type"), std::string::npos) << text;
}

TEST_F(Init, TextOfTheSourceInACommentIsAscii) {
  KernelFacts found = facts("__global__ void k(float* y) { *y = 1; }");
  found.kernel.assumed = {
      {.line = 3, .text = "#if A /* gr\xc3\xb6\x01 */", .verdict = {true, true}}};
  EXPECT_NE(first_spec(found).find("line 3: #if A /* gr??? */: true"), std::string::npos);
}

TEST_F(FirstSpecTest, AGridThatIsNoExpressionIsNotTaken) {
  EXPECT_EQ(spec_of("__global__ void k(float* y, int n) {\n"
                    "  int i = blockIdx.x * 32 + threadIdx.x;\n  if (i < n) y[i] = 1; }\n"
                    "#ifndef __CUDACC_RTC__\nvoid host(float* y, int n) {\n"
                    "  k<<<((n + 31) ? 32), 32>>>(y, n); }\n#endif\n")
                .find("?"),
            std::string::npos);
}

TEST_F(FirstSpecTest, ATypeInTheEntryMayResembleAParameter) {
  expect_parts(
      spec_of(
          "#define KINDS enum Epilogue { NONE, RELU };\nKINDS\n"
          "template <Epilogue kEpilogue> __global__ void k(float* y, int n) { y[n] = kEpilogue; }"),
      {"entry = \"k<(::Epilogue)kEpilogue>\""});
}

TEST_F(FirstSpecTest, AMacroMayHaveAnyShortName) {
  expect_parts(spec_of("#define T float\n__global__ void k(T* y, int n) { y[n] = 1; }"),
               {"entry = \"k\"", "type = \"f32\""});
}

TEST_F(FirstSpecTest, ConstantsOfTheKernelsBodyAreKnown) {
  expect_parts(spec_of("template <typename T> __global__ void k(const T* x, T* y, int n) {\n"
                       "  constexpr int bytes = 16;\n  constexpr int each = bytes / sizeof(T);\n"
                       "  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * each;\n"
                       "  if (i < n) y[i] = x[i];\n}"),
               {"grid = [\"ceil_div(n, BLOCK * 4)\"]"});
}

TEST_F(FirstSpecTest, ANameInTheHostsGridIsASizeIfTheKernelShowsNone) {
  expect_parts(
      spec_of("__global__ void k(const float* x, float* y, int n, float eps) {\n"
              "  y += blockIdx.y * gridDim.x + blockIdx.x; x += (blockIdx.y * gridDim.x + "
              "blockIdx.x) * n;\n"
              "  if (threadIdx.x == 0) y[0] = x[0] + eps;\n}\n#ifndef __CUDACC_RTC__\n"
              "void host(float* x, int n, int nrows, int nsamples) {\n"
              "  dim3 blocks(nrows, nsamples); k<<<blocks, 64>>>(x, x, n, eps); }\n#endif\n"),
      {"grid = [\"nrows\", \"nsamples\"]", "count = \"nsamples * nrows * n\"",
       "count = \"nsamples * nrows\"", "value = 1e-5  # TODO"});
}

TEST_F(FirstSpecTest, ABlockIsWithinItsLaunchBounds) {
  const std::string body =
      "(float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = 1;\n}";
  expect_parts(spec_of("#define MOST (2 * 64)\n__global__ void __launch_bounds__(MOST) k" + body),
               {"BLOCK = [64, 128]  "});
  expect_parts(spec_of("__global__ void __launch_bounds__(48) k" + body), {"BLOCK = [48]  "});
  expect_parts(spec_of("template <int BLOCK_SIZE> __global__ void __launch_bounds__(128) k"
                       "(float* y, int n) {\n  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;\n"
                       "  if (i < n) y[i] = 1;\n}"),
               {"BLOCK_SIZE = [64, 128]  ", "block = [\"BLOCK_SIZE\"]"});
}

TEST_F(FirstSpecTest, AKernelThatSynchronisesItsGridIsCooperative) {
  expect_parts(spec_of("#include <cooperative_groups.h>\n"
                       "__global__ void k(float* y, int n) {\n"
                       "  cooperative_groups::this_grid().sync(); y[n] = 1; }"),
               {"grid = [\"dev_sm_count * resident_blocks\"]", "cooperative = true"});
}

TEST_F(FirstSpecTest, ASizeAlongTwoDimensionsIsSmaller) {
  expect_parts(spec_of("__global__ void k(float* y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  int j = blockIdx.y * blockDim.y + threadIdx.y;\n"
                       "  if (i < n && j < n) y[j * n + i] = 1;\n}"),
               {"n = { default = 1024,"});
  expect_parts(spec_of("__global__ void k(const float* a, float* y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) for (int j = 0; j < n; ++j) y[i] += a[i * n + j];\n}"),
               {"n = { default = 1024,", "count = \"n * n\""});
}

TEST_F(FirstSpecTest, ConstantsThatTheSourcePassesAreTheSpecs) {
  expect_parts(
      spec_of("__global__ void k(float* y, const float* bias, int n, float a, double b, char c) {\n"
              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  if (i < n) y[i] = a * b + (bias ? bias[i] : c);\n}\n#ifndef __CUDACC_RTC__\n"
              "void host(float* y) { const int count = 1 << 16; double scale = -2.5;\n"
              "  k<<<count / 256, 256>>>(y, nullptr, count, 0.5f, scale, 3); }\n#endif\n"),
      {"n = { default = 65536,", "name = \"bias\"\ntype = \"u64\"\nvalue = 0",
       "name = \"a\"\ntype = \"f32\"\nvalue = 0.5 ", "name = \"b\"\ntype = \"f64\"\nvalue = -2.5 ",
       "name = \"c\"\ntype = \"i8\"\nvalue = 3 "});
}

TEST_F(FirstSpecTest, ATextureIsOverABufferOfItsTexels) {
  expect_parts(
      spec_of("using Image = cudaTextureObject_t;\n"
              "__global__ void k(float* y, Image image, cudaTextureObject_t list, int width, int "
              "height, unsigned long long n) { float4 a = tex1Dfetch<float4>(list, 3);\n"
              "y[n] = tex2D<float>(image, width, height) + a.x; }"),
      {"name = \"image\"\ntype = \"texture\"\nof = \"image_texels\"\nextent = [\"width\", "
       "\"height\"]",
       "name = \"image_texels\"\ntype = \"f32\"\ncount = \"width * height\"", "channels = 4\n",
       "linear_memory = true", "name = \"n\"\ntype = \"u64\"\nvalue = \"n\""});
}

TEST_F(FirstSpecTest, ASurfaceIsOverABufferThatItsUseDirects) {
  expect_parts(
      spec_of("__global__ void k(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h) "
              "{ float v; surf2Dread(&v, from, 4 * w, h);\n"
              "surf2Dwrite<float>(v, to, 4 * w, h); }"),
      {"name = \"from\"\ntype = \"surface\"\nof = \"from_texels\"\nextent = [\"w\", \"h\"]",
       "name = \"from_texels\"\ntype = \"f32\"  # TODO: the texel's type\ncount = \"w * h\"  # "
       "TODO: elements\ndirection = \"in\"\n",
       "name = \"to_texels\"\ntype = \"f32\"\ncount = \"w * h\"  # TODO: elements\n"
       "direction = \"out\""});
}

TEST_F(FirstSpecTest, ATableOfPointersIsAStructOfAddresses) {
  const std::string text = spec_of(
      "__global__ void k(const float* const* x, float** y, int n, int batch) {\n"
      "  const float* from = x[blockIdx.y];\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[blockIdx.y][i] = from[i];\n}");
  expect_parts(
      text,
      {"name = \"x\"\ntype = \"struct\"\nby_address = true\nmembers = [{ of = "
       "\"x_0\" }, { of = \"x_1\" }]",
       "name = \"x_1\"\ntype = \"f32\"\ncount = \"n\"  # TODO: elements\ndirection = "
       "\"in\"\n",
       "name = \"y_0\"\ntype = \"f32\"\ncount = \"n\"  # TODO: elements\ndirection = "
       "\"out\"",
       "passed = false", "batch = { default = 2,", "grid = [\"ceil_div(n, BLOCK)\", \"batch\"]"});
}

TEST_F(FirstSpecTest, AGridHasABlockForEachPointerOfATable) {
  const std::string begin =
      "__global__ void k(float** rows, const float* const* from, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; const int table = blockIdx.z;\n";
  expect_parts(spec_of(begin + "  if (i < n) rows[blockIdx.z][i] = from[blockIdx.z][i];\n}"),
               {"grid = [\"ceil_div(n, BLOCK)\", 1, 2]"});
  expect_parts(spec_of(begin + "  float* row = rows[table];\n  if (i < n) row[i] = 1;\n}\n"
                               "#ifndef __CUDACC_RTC__\nvoid host(float** x, int n, int many) {\n"
                               "  k<<<dim3(n / 64, 1, many), 64>>>(x, x, n); }\n#endif\n"),
               {", 1, 2]"});
}

TEST_F(FirstSpecTest, MacrosOfTheProblemAreNoParameters) {
  const std::string text = spec_of(
      "#ifndef SIZE\n#define SIZE 2048\n#endif\n#ifndef TILE_SIZE\n#define TILE_SIZE 16\n#endif\n"
      "#ifndef UNROLL\n#define UNROLL 4\n#endif\n#ifndef ODD\n#define ODD 3\n#endif\n"
      "__global__ void k(float* y) { y[SIZE + TILE_SIZE + UNROLL + WIDTH] = ALPHA * ODD; }");
  expect_parts(text, {"macros = { SIZE = \"SIZE\", WIDTH = \"WIDTH\" }", "SIZE = { default = 2048,",
                      "options = [\"-DALPHA=1.0f\"]", "\nTILE_SIZE = [8, 16, 32]  # macro",
                      "\nUNROLL = [2, 4, 8]  # macro of the source\n",
                      "\nODD = [3]  # macro of the source; TODO: a guess"});
  EXPECT_EQ(text.find("\nSIZE = ["), std::string::npos) << text;
}

TEST_F(FirstSpecTest, WhatTheLaunchShowsCountsForMoreThanAName) {
  expect_parts(spec_of("__global__ void k(float* y) {\n"
                       "  int i = blockIdx.x * N + threadIdx.x; if (i < LIMIT) y[i] = 1;\n}"),
               {"\nN = [64, 128, 256]", "macros = { LIMIT = \"LIMIT\" }",
                "grid = [\"ceil_div(LIMIT, N)\"]", "block = [\"N\"]", "count = \"LIMIT\""});
}

TEST_F(FirstSpecTest, SizesThatTheSourceDefinesAreTheProblems) {
  expect_parts(
      spec_of("#define WIDTH 4096\n__global__ void k(float* c, const float* a, const float* b) {\n"
              "  int x = blockIdx.x * BLOCK_X + threadIdx.x;\n"
              "  int y = blockIdx.y * BLOCK_Y * TILE_Y + threadIdx.y;\n"
              "  for (int k = 0; k < WIDTH; k += BLOCK_X)\n"
              "    for (int i = 0; i < TILE_Y; i++)\n"
              "      c[(y + i * BLOCK_Y) * WIDTH + x] += a[(y + i * BLOCK_Y) * WIDTH + k] * "
              "b[(k + threadIdx.y) * WIDTH + x];\n}"),
      {"WIDTH = { default = 4096, choices = [4096], help = \"the source defines it\" }",
       "grid = [\"ceil_div(WIDTH, BLOCK_X)\", \"ceil_div(WIDTH, BLOCK_Y * TILE_Y)\"]",
       "name = \"c\"\ntype = \"f32\"\ncount = \"WIDTH * WIDTH\"",
       "name = \"a\"\ntype = \"f32\"\ncount = \"WIDTH * WIDTH\"",
       "name = \"b\"\ntype = \"f32\"\ncount = \"WIDTH * WIDTH\""});
}

TEST_F(FirstSpecTest, ABlockForEachRowMakesRowsASize) {
  expect_parts(spec_of("__global__ void k(const float* x, int* best, int columns) {\n"
                       "  const int row = blockIdx.x;\n  const float* from = x + row * columns;\n"
                       "  for (int i = threadIdx.x; i < columns; i += blockDim.x)\n"
                       "    if (from[i] > 0) best[row] = i;\n}"),
               {"columns = { default", "rows = { default", "grid = [\"rows\"]",
                "count = \"rows * columns\"", "count = \"rows\""});
}

TEST_F(FirstSpecTest, ALaunchOfTwoDimensionsIsReadFromTheKernel) {
  const std::string body =
      " int x = blockIdx.x * TILE + threadIdx.x; int y = blockIdx.y * TILE + threadIdx.y;\n"
      "  if (x < width && y < height) out[y * width + x] = 1; }";
  for (const std::string& begin :
       {std::string("#ifndef TILE\n#define TILE 16\n#endif\n__global__ void k"),
        std::string("template <int TILE> __global__ void k")}) {
    expect_parts(spec_of(begin + "(float* out, int width, int height) {" + body),
                 {"grid = [\"ceil_div(width, TILE)\", \"ceil_div(height, TILE)\"]",
                  "block = [\"TILE\", \"TILE\"]", "count = \"height * width\""});
  }
  expect_parts(
      spec_of("__global__ void k(float* y, int n) { y[threadIdx.y + blockDim.x] = n; }"),
      {"BLOCK_X = [8, 16, 32]", "BLOCK_Y = [8, 16, 32]", "block = [\"BLOCK_X\", \"BLOCK_Y\"]"});
}

TEST_F(FirstSpecTest, ALaunchIsReadFromTheHostCode) {
  const std::string text = spec_of(
      "#ifndef BS\n#define BS 8\n#endif\n"
      "__global__ void k(float* x, int w, int h) { x[w] = h; }\n#ifndef __CUDACC_RTC__\n"
      "void host(float* d, int cols, int rows) {\n"
      "  dim3 block(BS, BS); dim3 grid((cols + BS - 1) / BS, (rows + block.y - 1) / block.y);\n"
      "  k<<<grid, block>>>(d, cols, rows);\n}\n#endif\n");
  expect_parts(text,
               {"[launch]  # from the source's own launch",
                "grid = [\"ceil_div(w, BS)\", \"ceil_div(h, BS)\"]", "block = [\"BS\", \"BS\"]"});
}

TEST_F(FirstSpecTest, AStructsMembersAreReadFromItsDefinition) {
  const std::string text = spec_of(
      "struct Grid { double h; int n; };\n"
      "struct Params { const float* x; float* y; char kind; Grid grid; int m; };\n"
      "__global__ void k(Params p) { if (p.grid.n < p.m) p.y[p.grid.n] = p.x[p.m]; }");
  expect_parts(text, {"{ of = \"p_x\" },  # x", "{ of = \"p_y\" },  # y",
                      "{ type = \"i8\", value = 0 },  # kind  TODO: value",
                      "{ type = \"f64\", value = 1.0 },  # grid.h  TODO: value",
                      "{ type = \"i32\", value = \"n\" },  # grid.n",
                      "{ type = \"i32\", value = \"m\", align = 8 },  # m",
                      "name = \"p_x\"\ntype = \"f32\"", "passed = false"});
}

TEST_F(FirstSpecTest, ThreadsThatShareARowNeedMoreBlocks) {
  const auto grid_with = [&](const std::string& row) {
    const std::string text = spec_of(
        "template <int BLOCK, int VECTOR> __global__ void k(float* y, int rows, int bits) {\n"
        "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n  const int row = " +
        row + ";\n  if (row < rows) y[row] = bits;\n}");
    const std::size_t at = text.find("grid = ");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(grid_with("i / 32"), "grid = [\"ceil_div(rows * 32, BLOCK)\"]");
  EXPECT_EQ(grid_with("i / VECTOR"), "grid = [\"ceil_div(rows * VECTOR, BLOCK)\"]");
  EXPECT_EQ(grid_with("i >> bits"), "grid = [\"rows\"]") << "a block each is enough";
  EXPECT_EQ(grid_with("blockIdx.x * (BLOCK / 32) + threadIdx.x / 32"),
            "grid = [\"ceil_div(rows * 32, BLOCK)\"]");
}

TEST_F(FirstSpecTest, MacrosOfIndicesAreReadAsTheirText) {
  const std::string loop =
      "#define LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); \\\n"
      "                        i += blockDim.x * gridDim.x)\n";
  expect_parts(spec_of(loop + "__global__ void k(const float* x, float* y, int n, int h) {\n"
                              "  LOOP(i, n) { y[i] = x[i] * h; }\n}"),
               {"count = \"n\"", "grid = [\"ceil_div(n, BLOCK)\"]"});
  expect_parts(
      spec_of("#define IDX(x, y, q) (((q) * ny + (y)) * nx + (x))\n"
              "__global__ void k(const float* f, float* g, int nx, int ny) {\n"
              "  const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
              "  if (x >= nx || y >= ny) return;\n"
              "  for (int q = 0; q < 9; ++q) g[IDX(x, y, q)] = f[IDX(x, y, q)];\n}"),
      {"count = \"9 * ny * nx\"", "grid = [\"ceil_div(nx, BLOCK_X)\", \"ceil_div(ny, BLOCK_Y)\"]"});
}

TEST_F(FirstSpecTest, AnAddressInParenthesesIsWrittenThrough) {
  expect_parts(spec_of("__global__ void k(const unsigned char* in, unsigned* bins, unsigned n) {\n"
                       "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) atomicAdd(&(bins[in[i]]), 1u);\n}"),
               {"direction = \"inout\""});
  expect_parts(spec_of("__global__ void k(float* in, float* out, unsigned n) {\n"
                       "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n && (in[i] > 0)) out[i] = 1;\n}"),
               {"direction = \"in\""});
}

TEST_F(FirstSpecTest, ABlockThatASharedArrayFitsIsFixed) {
  const std::string kernel =
      "#define THREADS 256\n"
      "__global__ void k(const float* x, float* y, int n) {\n"
      "  __shared__ float s[THREADS];\n"
      "  int i = blockDim.x * blockIdx.x + threadIdx.x;\n"
      "  s[threadIdx.x] = i < n ? x[i] : 0;\n"
      "  __syncthreads();\n"
      "  for (int j = 0; j < THREADS; ++j) if (i < n) y[i] = s[j];\n}\n";
  expect_parts(spec_of(kernel), {"BLOCK = [256]  # fixed by the source"});
  expect_parts(
      spec_of(kernel + "#ifndef __CUDACC_RTC__\nvoid run(float* x, float* y, int n) {\n"
                       "  k<<<(n + THREADS - 1) / THREADS, THREADS>>>(x, y, n); }\n#endif\n"),
      {"BLOCK = [256]  # fixed by the source"});
}

TEST_F(FirstSpecTest, TheLaunchsGridIsTakenWhereItFitsOtherSizes) {
  const std::string rows =
      "__global__ void k(float* y, int n, int c) {\n"
      "  for (int i = threadIdx.x; i < c; i += blockDim.x) y[blockIdx.x * c + i] = 1;\n}\n";
  // The kernel does not name n, its launch does.
  expect_parts(spec_of(rows + "#ifndef __CUDACC_RTC__\nvoid run(float* y, int n, int c) {\n"
                              "  int grid = n; k<<<grid, 256>>>(y, n, c); }\n#endif\n"),
               {"grid = [\"n\"]", "value = \"n\"", "count = \"n * c\""});
  const std::string matrix =
      "__global__ void k(float* y, int w, int h) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + "
      "threadIdx.y;\n"
      "  if (i < w && j < h) y[j * w + i] = 1;\n}\n";
  expect_parts(spec_of(matrix + "#ifndef __CUDACC_RTC__\n"
                                "void run(float* y) { dim3 g; dim3 b; b.x = 32; b.y = 8;\n"
                                "  g.x = (1000 + b.x - 1) / b.x; g.y = (500 + b.y - 1) / b.y;\n"
                                "  k<<<g, b>>>(y, 1000, 500); }\n#endif\n"),
               {"w = { default = 1000", "h = { default = 500",
                "grid = [\"ceil_div(w, BLOCK_X)\", \"ceil_div(h, BLOCK_Y)\"]"});
}

TEST_F(FirstSpecTest, ThreadsNumberedAlongXCoverTilesOfTwoDimensions) {
  const std::string macros =
      "#ifndef BM\n#define BM 64\n#endif\n#ifndef TM\n#define TM 4\n#endif\n"
      "#define THREADS ((BM / TM) * (BM / TM))\n";
  for (const char* body :
       {"C[(blockIdx.y * BM + v * TM + i) * n + blockIdx.x * BM + u * TM + i] = 1;",
        "int r = blockIdx.y * BM, c = blockIdx.x * BM; C[(r + v * TM + i) * n + c + u * TM + i] = "
        "1;"}) {
    expect_parts(spec_of(macros +
                         "__global__ void __launch_bounds__(THREADS) k(float* C, int m, int n) {\n"
                         "  const int t = threadIdx.x, u = t % (BM / TM), v = t / (BM / TM);\n"
                         "  for (int i = 0; i < TM; ++i) { " +
                         std::string(body) + " }\n}"),
                 {"grid = [\"ceil_div(n, BM)\", \"ceil_div(m, BM)\"]",
                  "block = [\"(BM / TM) * (BM / TM)\"]"});
  }
}

TEST_F(FirstSpecTest, ATileOfTwoDimensionsIsNoBlockOfOne) {
  const std::string kernel =
      "#define TILE 16\n"
      "__global__ void k(const float* x, float* y, int w, int h) {\n"
      "  int r = threadIdx.x / TILE, c = threadIdx.x % TILE;\n"
      "  int i = blockIdx.y * TILE + r, j = blockIdx.x * TILE + c;\n"
      "  if (i < h && j < w) y[i * w + j] = x[i * w + j];\n}\n";
  expect_parts(spec_of(kernel), {"BLOCK = [256]", "block = [\"BLOCK\"]"});
  expect_parts(
      spec_of(kernel + "#ifndef __CUDACC_RTC__\nvoid run(float* x, float* y, int w, int h) {\n"
                       "  dim3 grid((w + TILE - 1) / TILE, (h + TILE - 1) / TILE);\n"
                       "  k<<<grid, TILE * TILE>>>(x, y, w, h); }\n#endif\n"),
      {"BLOCK = [256]", "grid = [\"ceil_div(w, 16)\", \"ceil_div(h, 16)\"]"});
}

TEST_F(FirstSpecTest, ABlockMayBeAProductOfParameters) {
  const std::string head =
      "template <int P, int Q> __global__ void k(const float* a, float* b, int n, int m) {";
  // The range of the highest digit of threadIdx.x follows from the block's tile.
  expect_parts(
      spec_of(head + "int x = blockIdx.x * Q + threadIdx.x / P, lane = threadIdx.x & (P - 1);"
                     "if (x < n) for (int c = lane; c < m; c += P) b[x * m + c] = a[x * m + c]; }"),
      {"block = [\"P * Q\"]", "grid = [\"ceil_div(n, Q)\"]", "P = [8, 16, 32]  #"});
  expect_parts(spec_of(head + "int x = blockIdx.x * P + threadIdx.x % P;"
                              "int y = blockIdx.y * Q + threadIdx.x / P;"
                              "if (x < n && y < m) b[y * n + x] = a[y * n + x]; }"),
               {"block = [\"P * Q\"]", "grid = [\"ceil_div(n, P)\", \"ceil_div(m, Q)\"]"});
  expect_parts(spec_of(head + "const int warp = threadIdx.x >> 5, wy = warp / Q, wx = warp % Q;"
                              "int y = blockIdx.y * P + wy, x = blockIdx.x * Q + wx;"
                              "if (y < m && x < n) b[y * n + x] = a[y * n + x]; }"),
               {"block = [\"32 * Q * P\"]", "P = [1, 2, 4]  #"});
  expect_parts(spec_of(head + "constexpr int size = P * Q; int i = size * blockIdx.x + threadIdx.x;"
                              "int row = i / P; if (row < n) b[row] = a[row] + m; }"),
               {"block = [\"P * Q\"]"});
  expect_parts(spec_of(head + "int lx = threadIdx.x % P, ly = threadIdx.x / P; float s = 0;"
                              "for (int j = ly; j < m; j += Q) s += a[j * n + blockIdx.x * P + lx];"
                              "atomicAdd(&b[blockIdx.x * P + lx], s); }"),
               {"block = [\"P * Q\"]"});
  expect_parts(
      spec_of("template <int BM, int TM> __global__ void k(float* b, int n) {"
              "  const int x = threadIdx.x % (BM / TM), y = threadIdx.x / (BM / TM);"
              "  for (int i = 0; i < TM; ++i) for (int j = 0; j < TM; ++j)"
              "    b[(blockIdx.y * BM + y * TM + i) * n + blockIdx.x * BM + x * TM + j] = 1; }"),
      {"block = [\"(BM / TM) * (BM / TM)\"]", "BM = [32, 64, 128]", "TM = [4, 8]"});
}

TEST_F(FirstSpecTest, FunctionsOfTheKernelMayAskForItsBlock) {
  const std::string helper =
      "__device__ float sum(float v) { __shared__ float s[32]; s[threadIdx.x % 32] = v;"
      "  return threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : v; }\n";
  const std::string launch =
      "#ifndef __CUDACC_RTC__\nvoid run(float* x, float* y, int rows, int n) {"
      "  k<<<rows, 512>>>(x, y, rows, n); }\n#endif\n";
  const std::string head =
      "__global__ void k(const float* x, float* y, int rows, int n) { float v = 0;";
  expect_parts(spec_of(helper + head + "v = sum(x[blockIdx.x]); y[blockIdx.x] = v; }\n" + launch),
               {"BLOCK = [256, 512, 1024]  # threads per block"});
  // A loop that steps by 512 threads says that there are as many.
  expect_parts(spec_of(helper + head +
                       "for (int c = threadIdx.x; c < n; c += 512) v += x[c];"
                       "v = sum(v); y[blockIdx.x] = v; }\n" +
                       launch),
               {"BLOCK = [512]  # fixed"});
}

TEST_F(FirstSpecTest, AnIndexMayBeAFunctionsResult) {
  const std::string spec = spec_of(
      "__device__ int first(int size) { return blockIdx.x * size; }\n"
      "__device__ __forceinline__ int at() { return first(blockDim.x) + threadIdx.x; }\n"
      "__global__ void k(const float* x, float* y, int n) {"
      "  const int i = at(); if (i < n) y[i] = x[i]; }\n");
  expect_parts(spec,
               {"grid = [\"ceil_div(n, BLOCK)\"]", "BLOCK = [128, 256, 512]", "count = \"n\""});
  // A parameter may be called x, like the member of threadIdx.
  expect_parts(
      spec_of("__device__ int at(int x) { return blockIdx.x * blockDim.x + threadIdx.x + x; }"
              "__global__ void k(const float* in, float* out, int n) {"
              "  const int i = at(0); if (i < n) out[i] = in[i]; }\n"),
      {"grid = [\"ceil_div(n, BLOCK)\"]", "count = \"n\""});
  // Of overloads, none is taken for the one that is called.
  const SourceOutline outline = outline_source(
      "__device__ int at(int i) { return blockIdx.x + i; }"
      "__device__ int at(long i) { return threadIdx.x; }");
  EXPECT_EQ(with_inlined_indices({"at", "(", "i", ")"}, outline.tokens),
            (Tokens{"at", "(", "i", ")"}));
}

TEST_F(FirstSpecTest, AnExplicitInstantiationShowsTemplateArguments) {
  const std::string kernel =
      "typedef double real;\n#define INSTANCE(T, B) template __global__ void k<T, B>(T*, int);\n"
      "template <typename T, int BLOCK> __global__ void k(T* x, int n) {"
      "  const int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) x[i] *= 2; }\n";
  expect_parts(spec_of(kernel + "template __global__ void k<real, 512>(real*, int);\n"),
               {"entry = \"k<double,BLOCK>\"\n", "BLOCK = [256, 512, 1024]"});
  expect_parts(
      spec_of(kernel + "INSTANCE(double, 64)\nINSTANCE(float, 32)\nINSTANCE(double, 32)\n"),
      {"entry = \"k<double,BLOCK>\"\n", "BLOCK = [32, 64]"});
}

TEST_F(FirstSpecTest, WhatSelectsTheResultIsNotTuned) {
  const std::string head =
      "template <bool RELU, bool USE_SHARED, int D, int MODE, int UNROLL>"
      "__global__ void k(const float* x, float* y, int n) {";
  const std::string body =
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
      "  float s = 0; for (int d = 0; d < D; ++d) s += x[i * D + d];"
      "  if constexpr (MODE == 1) s = -s; else if (MODE == 3) s = 0;"
      "  y[i] = RELU ? max(s, 0.0f) : s; }\n";
  const std::string spec = spec_of(head + body);
  expect_parts(
      spec, {"RELU = { default = 0, choices = [0, 1], ", "MODE = { default = 1, choices = [1, 3], ",
             "D = { default = 64, ", "USE_SHARED = [0, 1]", "UNROLL = [1, 2, 4]",
             "entry = \"k<RELU,USE_SHARED,D,MODE,UNROLL>\"", "count = \"n * D\""});
  EXPECT_EQ(spec.find("\nRELU = ["), spec.npos);
  expect_parts(spec_of(head + body +
                       "template __global__ void k<true, false, 32, 0, 8>("
                       "const float*, float*, int);\n"),
               {"RELU = { default = 1, ", "MODE = { default = 0, choices = [0, 1, 3], ",
                "D = { default = 32, ", "UNROLL = [4, 8, 16]"});
}

TEST(NameGuess, AWordThatSwitchesSomethingOnIsNoOptimization) {
  for (const char* name : {"USE_ALIBI", "enable_bias", "ALIGN_CORNERS", "PERIODIC_BOUNDARY"}) {
    EXPECT_FALSE(looks_like_optimization(name)) << name;
  }
  for (const char* name : {"USE_SHARED", "CHECK_BOUNDS", "aligned", "DoubleBuffer"}) {
    EXPECT_TRUE(looks_like_optimization(name)) << name;
  }
}

TEST_F(FirstSpecTest, ElementsOfARowThatSeveralIndicesSkipAreNoTile) {
  expect_parts(
      spec_of("template <int HEAD_DIM>"
              "__global__ void k(const float* q, float* y, int rows, int cols) {"
              "  const int j = blockIdx.x * blockDim.x + threadIdx.x; if (j >= cols) return;"
              "  const int i = blockIdx.y, b = blockIdx.z; float s = 0;"
              "  const float* p = q + (b * rows + i) * HEAD_DIM;"
              "  for (int d = 0; d < HEAD_DIM; ++d) s += p[d];"
              "  y[(b * rows + i) * cols + j] = s; }"),
      {"grid = [\"ceil_div(cols, BLOCK)\", \"rows\", \"batch\"]", "HEAD_DIM = { default = 64,"});
  // A size's name that multiplies the block's number alone is of its tile.
  expect_parts(
      spec_of(
          "template <int BX, int STEPS>"
          "__global__ void k(const float* x, float* y, int n) {"
          "  const int first = (blockIdx.x * STEPS - 1) * BX + threadIdx.x;"
          "  for (int s = 1; s <= STEPS; ++s) if (first + s * BX < n) y[first + s * BX] = 1; }"),
      {"grid = [\"ceil_div(n, STEPS * BX)\"]", "block = [\"BX\"]"});
}

TEST_F(FirstSpecTest, ADivisorOfTheBlockMayBeAProduct) {
  expect_parts(
      spec_of("template <int BM, int BN, int TM, int TN>"
              "__global__ void __launch_bounds__((BM * BN) / (TM * TN))"
              "k(float* c, int m, int n) {"
              "  const int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);"
              "  for (int i = 0; i < TM; ++i) for (int j = 0; j < TN; ++j)"
              "    c[(blockIdx.y * BM + y * TM + i) * n + blockIdx.x * BN + x * TN + j] = 1;}"),
      {"BM = [32, 64, 128]", "BN = [32, 64, 128]", "TM = [4, 8]", "TN = [4, 8]"});
}

TEST_F(FirstSpecTest, WhatLimitsTheGridIsAnExtentWhateverItsName) {
  expect_parts(spec_of("__global__ void k(const float* x, float* y, int num_index) {"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;"
                       "  if (i < num_index) y[i] = x[i]; }"),
               {"num_index = { default = 1048576,", "count = \"num_index\""});
}

TEST_F(FirstSpecTest, ManyPitchesAreOrderedQuickly) {
  constexpr int many = 300;
  std::string arguments, body;
  for (int i = 0; i < many; ++i) {
    const std::string pitch = "ld_" + std::to_string(i);
    arguments += ", int " + pitch;
    body += "x[threadIdx.x * " + pitch + " + c] = 1;";
  }
  const auto begin = std::chrono::steady_clock::now();
  expect_parts(spec_of("__global__ void k(float* x, int n" + arguments +
                       ") {"
                       "  for (int c = 0; c < n; ++c) {" +
                       body + "} }"),
               {"ld_0 = { default = \"n\"", "ld_299 = { default = \"n\""});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(FirstSpecTest, ASharedArrayOfTheMostThreadsFixesNoBlock) {
  expect_parts(spec_of("#define MOST 1024\n"
                       "__global__ void k(const float* x, float* y, int n) {\n"
                       "  __shared__ float s[MOST];\n"
                       "  int i = blockDim.x * blockIdx.x + threadIdx.x;\n"
                       "  s[threadIdx.x] = i < n ? x[i] : 0;\n"
                       "  __syncthreads();\n"
                       "  if (threadIdx.x == 0) y[blockIdx.x] = s[blockDim.x - 1];\n}\n"),
               {"BLOCK = [128, 256, 512]"});
}

TEST_F(FirstSpecTest, LanesAreNoParameter) {
  const auto spec_with = [&](const std::string& row, const std::string& change = "") {
    return spec_of(
        "template <int WARPS> __global__ void k(const float* x, float* y, int rows, int n) {\n"
        "  const int row = " +
        row +
        ";\n  if (row >= rows) return;\n  float sum = 0;\n"
        "  for (int i = threadIdx.x; i < n; i += 32) sum += x[row * n + i];\n"
        "  sum += __shfl_xor_sync(~0u, sum, 16);\n  if (threadIdx.x == 0) y[row] = sum;\n" +
        change + "}");
  };
  expect_parts(spec_with("blockIdx.x * WARPS + threadIdx.y"),
               {"grid = [\"ceil_div(rows, WARPS)\"]", "block = [32, \"WARPS\"]"});
  expect_parts(spec_with("blockIdx.x * blockDim.y + threadIdx.y"),
               {"grid = [\"ceil_div(rows, BLOCK_Y)\"]", "block = [32, \"BLOCK_Y\"]"});
  // A function may exchange the values.
  expect_parts(
      spec_of("__device__ float total(float x) { return x + __shfl_xor_sync(~0u, x, 16); }\n"
              "__global__ void k(const float* x, float* y, int rows, int n) {\n"
              "  const int row = blockIdx.x * blockDim.y + threadIdx.y;\n"
              "  if (row >= rows) return;\n  float sum = 0;\n"
              "  for (int i = threadIdx.x; i < n; i += 32) sum += x[row * n + i];\n"
              "  sum = total(sum);\n  if (threadIdx.x == 0) y[row] = sum;\n}"),
      {"grid = [\"ceil_div(rows, BLOCK_Y)\"]", "block = [32, \"BLOCK_Y\"]"});
  const std::string across = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 0;";
  expect_parts(spec_with("blockIdx.y * WARPS + threadIdx.y", across),
               {"block = [\"BLOCK_X\", \"WARPS\"]"});
}

TEST_F(FirstSpecTest, AMembersElementsAreCountedByItsOwnStructsSizes) {
  expect_parts(spec_of("struct Image { float* data; int width, height; };\n"
                       "__device__ int clamped(int i) { return i * i % 7; }\n"
                       "__global__ void k(Image from, Image to) {\n"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < to.width * to.height) to.data[i] = from.data[clamped(i)];\n}"),
               {"name = \"from_data\"\ntype = \"f32\"\ncount = \"width * height\"",
                "name = \"to_data\"\ntype = \"f32\"\ncount = \"width_2 * height_2\""});
}

/// Stands in for a machine whose nvcc accepts what NVRTC refuses.
std::vector<CompileResult> compile_with_nvcc_only(std::vector<KernelRequest> requests) {
  std::vector<CompileResult> results;
  for (KernelRequest& request : requests) {
    if (request.compile.nvcc.empty()) {
      results.emplace_back().reason = "k.cu(1): error: cannot open source file \"float.h\"\nmore";
      continue;
    }
    request.compile.nvcc.clear();
    results.push_back(compile_here({request}).front());
  }
  return results;
}

TEST_F(Init, TheDraftSaysWhyNvrtcRefusesTheSource) {
  const std::filesystem::path source =
      folder.write("k.cu", "__global__ void k(float* y) { *y = 1; }");
  const KernelFacts found = find_kernel_facts({source, "", {}, "sm_90a"}, compile_with_nvcc_only);
  EXPECT_NE(first_spec(found).find("compiler = \"nvcc\"  # NVRTC refuses the source: k.cu(1): "
                                   "error: cannot open source file \"float.h\"\n"),
            std::string::npos)
      << first_spec(found);
}

TEST_F(Init, AStructThatTheTextDoesNotShowIsForTheUserToSay) {
  const std::string hidden =
      "#define MEMBERS int a; float b;\nstruct P { MEMBERS };\n"
      "__global__ void k(P p, float* y) { y[0] = p.b; }";
  EXPECT_NE(first_spec(facts(hidden)).find("members = []  # TODO: those of P, in order"),
            std::string::npos);
  // gtune takes a condition that it cannot evaluate to be true.
  const std::string either =
      "#if 1\nstruct P { int a; double b; };\n#else\nstruct P { int a; };\n#endif\n"
      "#if __has_include(<absent.h>)\nstruct Q { int a; };\n#else\nstruct Q { int a; double b; "
      "};\n#endif\n"
      "__global__ void k(P p, Q q, float* y) { y[0] = p.b + q.b; }";
  const std::string text = first_spec(facts(either));
  EXPECT_NE(text.find("# b  TODO: value"), std::string::npos) << text;
  EXPECT_NE(text.find("members = []  # TODO: those of Q, in order; gtune cannot lay them out"),
            std::string::npos)
      << text;
}

TEST_F(FirstSpecTest, BytesAreThoseOfEachBufferOnce) {
  expect_parts(
      spec_of(
          "#include <cuda_fp16.h>\n"
          "__global__ void k(const double* x, __half* y, unsigned char* z, const float4* v, int "
          "n, int m) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  if (i < n) { y[i] = __float2half(x[i]); z[i] += 1; z[i] = v[i * m].x; }\n}"),
      {"# bytes = \"12 * n + 16 * n * m\""});
}

TEST_F(FirstSpecTest, AStructsElementsAreCountedAsItsMembers) {
  expect_parts(spec_of("struct Body { float x, y, z; }; struct Mixed { int a; float b; };\n"
                       "__global__ void k(Body* p, const Mixed* q, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) p[i].x += q[i].b;\n}"),
               {"name = \"p\"\ntype = \"f32\"\ncount = \"3 * n\"",
                "name = \"q\"\ntype = \"u8\"  # TODO: Mixed as bytes\ncount = \"8 * n\""});
}

TEST_F(FirstSpecTest, DynamicSharedMemoryIsWhatTheKernelsIndicesReach) {
  expect_parts(spec_of("__global__ void k(float* y, int n) { extern __shared__ double sums[];\n"
                       "  sums[threadIdx.x] = blockDim.x; y[n] = sums[0]; }"),
               {"shared = \"8 * BLOCK\"  # TODO"});
}

TEST_F(FirstSpecTest, AReferenceHasALaunchOfItsOwn) {
  const std::string text = spec_of(
      "#ifndef BLOCK\n#define BLOCK 64\n#endif\n"
      "__global__ void prefix(float* y, int n) {\n"
      "  int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) y[i] = 1; }\n"
      "__global__ void prefix_naive(float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 1; }\n"
      "__global__ void other_reference(float* y) {}\n",
      "prefix");
  expect_parts(text,
               {"{ entry = \"prefix_naive\", grid = [\"ceil_div(n, 256)\"], block = [256] }"});
}

TEST_F(FirstSpecTest, AKernelThatIsCalledAReferenceComesBeforeANaiveOne) {
  const std::string body =
      "(float* y, int n) {\n  int i = blockIdx.x * 256 + threadIdx.x;\n"
      "  if (i < n) y[i] = 1;\n}\n";
  expect_parts(spec_of("__global__ void fill" + body + "__global__ void fill_naive" + body +
                       "__global__ void fill_reference" + body),
               {"reference = { entry = \"fill_reference\""});
}

TEST_F(Init, AKernelMayBeInAHeaderOfTheSource) {
  folder.write("kernel.cuh",
               "struct P { int n; };\n__global__ void k(P p, float* y) { y[p.n] = 1; }");
  const std::string text = first_spec(facts("#include \"kernel.cuh\"\n"));
  EXPECT_NE(text.find("{ type = \"i32\", value = \"n\" },  # n"), std::string::npos) << text;
}

TEST_F(Init, AKernelOfAHeaderMayBeAskedFor) {
  folder.write("kernel.cuh", "__global__ void wanted(float* y, int n) { y[n] = 1; }");
  const std::string source = "#include \"kernel.cuh\"\n__global__ void own(float* y) { y[0] = 1; }";
  EXPECT_EQ(facts(source).kernel.name, "own");
  EXPECT_EQ(facts(source, "wanted").kernel.name, "wanted");
}

TEST_F(Init, AMacroThatAHeaderDefinesIsNotTheBuilds) {
  folder.write("config.h", "#define MODE FAST\n");
  const std::string conditions = "#if MODE == 1\n#endif\n#if OTHER == 1\n#endif\n";
  const std::string kernel = "__global__ void k(float* y, int n) { y[n] = 1; }";
  const KernelFacts found = facts("#include \"config.h\"\n" + conditions + kernel);
  ASSERT_EQ(found.macros.size(), 1U);
  EXPECT_EQ(found.macros[0].name, "OTHER");
  const auto file = folder.write("k.cu", conditions + kernel);
  const KernelFacts defined =
      find_kernel_facts({file, "", {"-DMODE=1", "-DOTHER"}, "sm_90a"}, compile_here);
  EXPECT_TRUE(defined.macros.empty());
}

TEST_F(Init, AHeadersMacroThatTheKernelDoesNotNameIsNoParameter) {
  folder.write("config.h",
               "#ifndef CACHE_SIZE\n#define CACHE_SIZE 32770\n#endif\n"
               "#ifndef BLOCK_DIM\n#define BLOCK_DIM 64\n#endif\n"
               "#ifndef TILE_DIM\n#define TILE_DIM 8\n#endif\n#define TWICE (2 * TILE_DIM)\n"
               "#ifndef BLOCKS\n#define BLOCKS 8\n#endif\n");
  const KernelFacts found = facts(
      "#include \"config.h\"\n__device__ int of_block() { return BLOCK_DIM * TWICE; }\n"
      "__global__ void k(float* y, int n) { y[n] = of_block(); }\n#ifndef __CUDACC_RTC__\n"
      "void host(float* y, int n) { k<<<BLOCKS, 64>>>(y, n); }\n#endif\n");
  ASSERT_EQ(found.macros.size(), 3U);
  EXPECT_EQ(found.macros[0].name, "BLOCK_DIM");
  EXPECT_EQ(found.macros[1].name, "TILE_DIM");
  EXPECT_EQ(found.macros[2].name, "BLOCKS");
}

TEST_F(Init, StructsOfHeadersInTheOptionsFoldersHaveMembers) {
  folder.write("library/params.h", "struct P { int n; float a; };\n");
  const auto file = folder.write(
      "k.cu", "#include <params.h>\n__global__ void k(P p, float* y) { y[p.n] = p.a; }");
  const KernelFacts found = find_kernel_facts(
      {file, "", {"-I" + (folder.path() / "library").string()}, "sm_90a"}, compile_here);
  const std::string text = first_spec(found);
  EXPECT_NE(text.find("{ type = \"i32\", value = \"n\" },  # n"), std::string::npos) << text;
}

TEST_F(Init, OptionsThatTheCompilerLacksAreAdded) {
  const std::string renamed = "-DcudaThreadSynchronize=cudaDeviceSynchronize";
  const auto older = [&](std::vector<KernelRequest> requests) {
    const auto& options = requests.front().compile.options;
    if (std::find(options.begin(), options.end(), renamed) != options.end()) {
      return compile_here(std::move(requests));
    }
    CompileResult failed;
    failed.reason = "does not compile";
    failed.detail = {"error: identifier \"cudaThreadSynchronize\" is undefined\n"};
    return std::vector<CompileResult>{failed};
  };
  const auto file = folder.write("k.cu", "__global__ void k(float* y, int n) { y[n] = 1; }");
  const KernelFacts found = find_kernel_facts({file, "", {}, "sm_90a"}, older);
  EXPECT_EQ(found.options, std::vector<std::string>{renamed});
  EXPECT_NE(first_spec(found).find("options = [\"" + renamed + "\"]"), std::string::npos);
  EXPECT_EQ(missing_options("The experimental flag '--expt-relaxed-constexpr' can be used"),
            std::vector<std::string>{"--expt-relaxed-constexpr"});
  EXPECT_TRUE(missing_options("error: identifier \"BLOCK\" is undefined").empty());
}

// nvcc has INFINITY without an include, and FLT_MAX is in a header of the host.
TEST_F(Init, ConstantsOfTheStandardLibraryAreNoParameters) {
  const auto file = folder.write(
      "k.cu",
      "__global__ void k(float* y, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = i == INT_MIN ? -INFINITY : fminf(FLT_MAX, i * M_PI) + LEVEL;\n}");
  const std::string text = first_spec(find_kernel_facts({file, "", {}, "sm_90a"}, compile_here));
  for (const char* const part :
       {"-DINFINITY=__int_as_float(0x7f800000)", "-DFLT_MAX=3.40282347e+38F",
        "-DINT_MIN=(-2147483647-1)", "-DM_PI=3.14159265358979323846", "LEVEL = "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("FLT_MAX = "), std::string::npos) << text;
  EXPECT_EQ(text.find("INFINITY = "), std::string::npos) << text;
}

TEST_F(FirstSpecTest, ANameThatResemblesAnotherMayBeMisspelt) {
  const std::string text = spec_of(
      "__global__ void k(float* y, int n) {\n"
      "  const int index = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (indx < n) y[index] = tile_x + tile_y;\n"
      "}\n");
  EXPECT_NE(text.find("the source uses but does not define it; TODO: if 'index' is meant, mend"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("tile_x = [1, 2, 4]  # macro of the source"), std::string::npos) << text;
}

TEST_F(Init, WhatCannotBeWrittenIsSaidInOneLine) {
  const EnvironmentVariable none("GTUNE_NVCC", "/nonexistent");
  EXPECT_NE(refusal("int main() { return 0; }").find("has no kernel"), std::string::npos);
  EXPECT_NE(refusal("#include <cstdio>\n__global__ void k() {}\nint main() {}")
                .find("the source has host code"),
            std::string::npos);
  EXPECT_NE(refusal("#include <cstdio>\n__global__ void k() {}\nint main() {}")
                .find("; nvcc cannot be used: "),
            std::string::npos);
  const std::string two = "__global__ void one() {}\n__global__ void two() {}\n";
  EXPECT_NE(refusal(two).find("choose one, such as --entry one (it has one, two)"),
            std::string::npos);
  EXPECT_NE(refusal(two, "tow").find("did you mean 'two'?"), std::string::npos);
  EXPECT_EQ(refusal(two, "two"), "");
  const std::string alike = "namespace a { __global__ void k() {} }\n__global__ void k() {}\n";
  EXPECT_EQ(facts(alike, "k").kernel.name, "k");
  EXPECT_EQ(facts(alike, "a::k").kernel.name, "a::k");
  EXPECT_NE(refusal(alike + "namespace b { __global__ void f() {} }\n"
                            "namespace c { __global__ void f() {} }",
                    "f")
                .find("several kernels 'f'; choose one, such as --entry b::f"),
            std::string::npos);
  EXPECT_EQ(
      refusal("template <int V> __global__ void k(int* y) {}\n"
              "template <int V> __global__ void k(float* y) {}"),
      "'k' does not compile: there are several functions 'k' (CUDA has functions of its own), "
      "among which an entry cannot choose: rename the kernel to tune");
  EXPECT_NE(refusal("__global__ void norm(float* y) {}").find("there are several functions 'norm'"),
            std::string::npos);
  EXPECT_NE(refusal("__global__ void k() { nonsense(); }").find("does not compile"),
            std::string::npos);
  EXPECT_NE(refusal("#include <absent.h>\n__global__ void k() {}")
                .find("; -I FOLDER says where headers are"),
            std::string::npos);
  folder.write("main.cu", "typedef float real;\n#include \"k.cu\"\n");
  const std::string part = refusal("__global__ void k(real* y) {}");
  EXPECT_NE(part.find("; main.cu includes this file: try gtune init "), std::string::npos) << part;
  EXPECT_NE(part.find("main.cu --entry k"), std::string::npos) << part;
}

TEST_F(FirstSpecTest, AHaloTakesThreads) {
  const std::string text = spec_of(
      "template <int TILE, int R>\n"
      "__global__ void blur(const float* in, float* out, int w, int h) {\n"
      "  __shared__ float s[TILE + 2 * R][TILE + 2 * R];\n"
      "  const int x = blockIdx.x * TILE + threadIdx.x - R;\n"
      "  const int y = blockIdx.y * TILE + threadIdx.y - R;\n"
      "  const bool is_in = x >= 0 && x < w && y >= 0 && y < h;\n"
      "  s[threadIdx.y][threadIdx.x] = is_in ? in[y * w + x] : 0;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x < R || threadIdx.x >= TILE + R || threadIdx.y < R ||\n"
      "      threadIdx.y >= TILE + R || x >= w || y >= h) return;\n"
      "  out[y * w + x] = s[threadIdx.y][threadIdx.x] - s[threadIdx.y - R][threadIdx.x + R];\n"
      "}\n");
  expect_parts(text,
               {"block = [\"TILE + 2 * R\", \"TILE + 2 * R\"]",
                "grid = [\"ceil_div(w, TILE)\", \"ceil_div(h, TILE)\"]", "TILE = [8, 16, 24]"});
}

/// A tile without a halo keeps the values of its name.
TEST_F(FirstSpecTest, ATileOfSeveralElementsPerThreadHasItsUsualValues) {
  const std::string text = spec_of(
      "template <int BM, int BN, int TM, int TN>\n"
      "__global__ void fill(float* c, int m, int n) {\n"
      "  const int row = blockIdx.y * BM + threadIdx.y * TM;\n"
      "  const int col = blockIdx.x * BN + threadIdx.x * TN;\n"
      "  for (int i = 0; i < TM; ++i)\n"
      "    for (int j = 0; j < TN; ++j)\n"
      "      if (row + i < m && col + j < n) c[(row + i) * n + col + j] = 1;\n"
      "}\n"
      "#ifndef __CUDACC_RTC__\n"
      "template <int BM, int BN, int TM, int TN>\n"
      "void run(float* c, int m, int n, dim3 grid) {\n"
      "  fill<BM, BN, TM, TN><<<grid, dim3(BN / TN, BM / TM)>>>(c, m, n);\n}\n#endif\n");
  expect_parts(text, {"block = [\"BN / TN\", \"BM / TM\"]"});
  EXPECT_EQ(text.find("[8, 16, 24]"), std::string::npos) << text;
}

/// Of the macros of the source, NUM_THREADS follows from those that a build may choose.
TEST_F(FirstSpecTest, AMacroMayFollowFromOthers) {
  const std::string text = spec_of(
      "#ifndef BM\n#define BM 64\n#endif\n#ifndef BN\n#define BN 64\n#endif\n"
      "#ifndef TM\n#define TM 8\n#endif\n#define NUM_THREADS (BM * BN / TM)\n"
      "__global__ void __launch_bounds__(NUM_THREADS)\n"
      "    add(float* c, const float* a, int m, int n) {\n"
      "  a += blockIdx.y * BM * n + blockIdx.x * BN;\n"
      "  c += blockIdx.y * BM * n + blockIdx.x * BN;\n"
      "  for (int i = 0; i < TM; ++i) {\n"
      "    const int row = threadIdx.x / BN * TM + i;\n"
      "    c[row * n + threadIdx.x % BN] += a[row * n + threadIdx.x % BN];\n"
      "  }\n}\n");
  expect_parts(text,
               {"block = [\"BM * BN / TM\"]", "grid = [\"ceil_div(n, BN)\", \"ceil_div(m, BM)\"]"});
}

/// blockIdx.y is the lower digit of a number; only the grid can depend on seq_len.
TEST_F(FirstSpecTest, BlocksAreCountedByTheDigitsThatTheyAre) {
  expect_parts(
      spec_of(
          "__global__ void rotate(float* q, const float* c, int seq_len, int num_heads, int dim) "
          "{\n"
          "  const int token = blockIdx.x, head = blockIdx.y;\n"
          "  float* const row = q + (token * num_heads + head) * dim;\n"
          "  for (int i = threadIdx.x; i < dim; i += blockDim.x) row[i] *= c[token * dim + i];\n}"),
      {"grid = [\"seq_len\", \"num_heads\"]", "count = \"seq_len * num_heads * dim\"",
       "count = \"seq_len * dim\""});
}

/// A block for each of batch * heads, which the kernel divides.
TEST_F(FirstSpecTest, ARemainderOfABlockIsTheLowerDigit) {
  expect_parts(
      spec_of("__global__ void scale(float* x, int batch, int heads, int dim) {\n"
              "  const int bh = blockIdx.x, h = bh % heads;\n"
              "  for (int i = threadIdx.x; i < dim; i += blockDim.x) x[bh * dim + i] *= h;\n}"),
      {"grid = [\"batch * heads\"]", "count = \"(batch * heads) * dim\""});
  expect_parts(spec_of("__global__ void scale(float* x, int heads, int dim) {\n"
                       "  const int h = blockIdx.y % heads, b = blockIdx.y / heads;\n"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < dim) x[(b * heads + h) * dim + i] *= 2;\n}"),
               {"grid = [\"ceil_div(dim, BLOCK)\", \"batch * heads\"]"});
}

/// The kernel has no name for the number of its matrices.
TEST_F(FirstSpecTest, AMatrixForEachBlockAlongZ) {
  expect_parts(
      spec_of(
          "__global__ void add(const float* a, float* c, int M, int N, int K, long strideA,\n"
          "                    long strideC) {\n"
          "  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;\n"
          "  if (row >= M || col >= N) return;\n"
          "  float sum = 0;\n"
          "  for (int k = 0; k < K; ++k) sum += a[blockIdx.z * strideA + row * K + k];\n"
          "  c[blockIdx.z * strideC + row * N + col] = sum;\n}"),
      {"grid = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\", \"batch\"]", "batch = { default = 64",
       "M = { default = 64", "strideA = { default = \"M * K\"", "strideC = { default = \"M * N\""});
}

TEST_F(FirstSpecTest, DynamicSharedMemoryMayBeSplitAndCast) {
  const std::string head =
      "template <typename T, int TILE_M, int TILE_N, int TILE_K>"
      "__global__ void k(const T* x, T* y, int n) {"
      "  const int i = blockIdx.x * TILE_M + threadIdx.x; float s = 0;";
  const std::string end = "  if (i < n) y[i] = s; }";
  expect_parts(spec_of(head +
                       "extern __shared__ T raw[]; T* a = raw; T* b = raw + TILE_M * TILE_K;"
                       "for (int k = 0; k < TILE_K; ++k) s += a[threadIdx.x * TILE_K + k];"
                       "for (int k = 0; k < TILE_K; ++k) s += b[k * TILE_N + threadIdx.x];" +
                       end),
               {"shared = \"4 * (TILE_M * TILE_K + TILE_K * TILE_N)\""});
  expect_parts(spec_of(head +
                       "extern __shared__ unsigned char raw[];"
                       "double* a = reinterpret_cast<double*>(raw);"
                       "T* b = reinterpret_cast<T*>(raw + TILE_M * sizeof(double));"
                       "a[threadIdx.x] = 0; b[threadIdx.x] = x[i]; s = b[0] + a[0];" +
                       end),
               {"shared = \"8 * TILE_M + 4 * TILE_M\""});
}

TEST_F(FirstSpecTest, OperandsOfBitsAreNoExtents) {
  const std::string index = "const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;";
  expect_parts(
      spec_of("__global__ void k(int* v, int j, int k) {" + index +
              "const unsigned p = i ^ j; if (p > i && (i & k) == 0) v[i] = v[p]; }"),
      {"j = { default = 1,", "k = { default = 1,", "n = { default = 1048576", "count = \"n\""});
  expect_parts(spec_of("__global__ void k(float* v, int n, int stage) {" + index +
                       "if (i < n) v[i] *= 1 << stage; }"),
               {"n = { default = 1048576", "stage = { default = 1,"});
}

TEST_F(FirstSpecTest, TheLowestDigitOfAnIndexIsBelowItsPitch) {
  expect_parts(
      spec_of("__global__ void k(const float* x, float* y, int h, int w, int depth) {"
              "  const int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;"
              "  if (i >= w || j >= h) return; const int c = blockIdx.z;"
              "  y[(j * w + i) * depth + c] = x[(c * h + j) * w + i]; }"),
      {"grid = [\"ceil_div(w, 16)\", \"ceil_div(h, 16)\", \"depth\"]",
       "count = \"h * w * depth\""});
  expect_parts(spec_of("__global__ void k(const float* x, float* y, int q, int p) { float s = 0;"
                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;"
                       "  for (int j = 0; j < p; ++j) s += x[j * q + i]; y[i] = s; }"),
               {"grid = [\"ceil_div(q, BLOCK)\"]", "count = \"p * q\"", "count = \"q\""});
}

TEST_F(FirstSpecTest, AConstantOfTheLaunchesGridIsASize) {
  expect_parts(spec_of("#define N 4096\n__global__ void k(float* y) {"
                       "  y[blockIdx.x * 128 + threadIdx.x] = 1; }\n#ifndef __CUDACC_RTC__\n"
                       "void run(float* y) { k<<<N / 128, 128>>>(y); }\n#endif\n"),
               {"N = { default = 4096, help"});
}

TEST_F(FirstSpecTest, APitchSpansTheExtentsBelowIt) {
  const std::string head = "const int i = blockIdx.x * blockDim.x + threadIdx.x;";
  expect_parts(
      spec_of("__global__ void k(const float* a, float* b, int batch, int heads, int n, int dim,"
              "                  int stride_b, int stride_h, int stride_n) {" +
              head +
              "if (i >= n) return;"
              "const float* x = a + blockIdx.z * stride_b + blockIdx.y * stride_h + i * stride_n;"
              "float s = 0; for (int d = 0; d < dim; ++d) s += x[d];"
              "b[(blockIdx.z * heads + blockIdx.y) * n + i] = s; }"),
      {"stride_n = { default = \"dim\"", "stride_h = { default = \"n * stride_n\"",
       "stride_b = { default = \"heads * stride_h\"", "n = { default = 64"});
  expect_parts(spec_of("struct P { const float* a; float* b; int m, n, lda; };"
                       "__global__ void k(P p) {" +
                       head +
                       "if (i >= p.n) return; float s = 0;"
                       "for (int j = 0; j < p.m; ++j) s += p.a[j * p.lda + i]; p.b[i] = s; }"),
               {"lda = { default = \"n\"", "count = \"m * lda\""});
  // The rows of a triangle are limited by a variable that has a limit itself.
  expect_parts(spec_of("__global__ void k(const float* a, float* b, int lda, int n) {" + head +
                       "if (i >= n) return; float s = 0;"
                       "for (int j = 0; j < i; ++j) s += a[j + i * lda]; b[i] = s; }"),
               {"lda = { default = \"n\"", "count = \"n * lda\""});
}

TEST_F(FirstSpecTest, SizesOfSharedMemoryFitIt) {
  expect_parts(
      spec_of("__global__ void nearest(const float* x, const float* c, int* y, int n, int k,\n"
              "                        int dims) {\n"
              "  extern __shared__ float s[];\n"
              "  for (int i = threadIdx.x; i < k * dims; i += blockDim.x) s[i] = c[i];\n"
              "  __syncthreads();\n"
              "  const int p = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  if (p < n) y[p] = x[p * dims] < s[0];\n}"),
      {"shared = \"4 * k * dims\"", "n = { default = 256", "k = { default = 64",
       "dims = { default = 64"});
}

/// `sums[to]` is not understood, the other indices are.
TEST_F(FirstSpecTest, SharedMemoryIsForTheIndicesThatAreUnderstood) {
  const auto expect = [&](const std::string& first, const char* shared) {
    expect_parts(spec_of("__global__ void scan(float* y, const float* x, int n) {\n"
                         "  extern __shared__ float sums[];\n" +
                         first +
                         "  int apart = 1;\n"
                         "  for (int d = n >> 1; d > 0; d >>= 1) {\n"
                         "    const int to = apart * (2 * threadIdx.x + 2) - 1;\n"
                         "    if (threadIdx.x < d) sums[to] += y[0];\n"
                         "    apart *= 2;\n"
                         "  }\n  y[threadIdx.x] = x[threadIdx.x];\n}"),
                 {shared});
  };
  expect("sums[n - 1] = 0;", "shared = \"4 * n\"  # TODO");
  expect("sums[2 * threadIdx.x + 1] = 0;", "shared = \"4 * 2 * BLOCK\"  # TODO");
  expect("sums[0] = 0;", "shared = \"0\"  # TODO");
}

/// `s` begins at half of the block and never exceeds that.
TEST_F(FirstSpecTest, SharedMemoryOfATreeIsForAllItsLeaves) {
  for (const char* const halved : {"s >>= 1", "s /= 2"}) {
    expect_parts(spec_of("__global__ void sum(const float* x, float* y, int n) {\n"
                         "  extern __shared__ float sums[];\n"
                         "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                         "  sums[t] = i < n ? x[i] : 0;\n  __syncthreads();\n"
                         "  for (int s = blockDim.x / 2; s > 0; " +
                         std::string(halved) +
                         ") {\n"
                         "    if (t < s) sums[t] += sums[t + s];\n    __syncthreads();\n  }\n"
                         "  if (t == 0) y[blockIdx.x] = sums[0];\n}"),
                 {"shared = \"4 * BLOCK\"  # TODO", "grid = [\"ceil_div(n, BLOCK)\"]"});
  }
}

/// The block's size has a name of its own.
TEST_F(FirstSpecTest, HalvesOfANamedSizeAreUnderstood) {
  expect_parts(spec_of("__global__ void most(float* y, const float* x, int rows, int n) {\n"
                       "  extern __shared__ float s[];\n"
                       "  int row = blockIdx.x, t = threadIdx.x, threads = blockDim.x;\n"
                       "  s[t] = x[row * n + t];\n"
                       "  for (int half = threads / 2; half >= 1; half /= 2) {\n"
                       "    __syncthreads();\n"
                       "    if (t < half) s[t] = fmaxf(s[t], s[t + half]);\n  }\n"
                       "  if (t == 0) y[row] = s[0];\n}"),
               {"shared = \"4 * BLOCK\"  # TODO", "grid = [\"rows\"]"});
}

TEST_F(FirstSpecTest, AWarpPerRowMayBeDeclaredInOneStatement) {
  expect_parts(spec_of("__global__ void sums(float* y, const float* x, int n, int m) {\n"
                       "  int lane = threadIdx.x % 32, warp = threadIdx.x / 32,\n"
                       "      warps = blockDim.x / 32;\n"
                       "  int row = blockIdx.x * warps + warp;\n  if (row >= n) return;\n"
                       "  const float* of_row = x + row * m;\n  float sum = 0;\n"
                       "  for (int i = lane; i < m; i += 32) sum += of_row[i];\n"
                       "  if (lane == 0) y[row] = sum;\n}"),
               {"grid = [\"ceil_div(n * 32, BLOCK)\"]", "count = \"n * m\""});
}

/// The digits of `i` are not understood, but x has three parts.
TEST_F(FirstSpecTest, BuffersOfUnknownIndicesHaveAsManyPartsAsTheyName) {
  expect_parts(spec_of("__global__ void split(float* q, const float* x, int rows, int heads,\n"
                       "                      int dim) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i >= rows * heads * dim) return;\n"
                       "  int row = i / (heads * dim), rest = i % (heads * dim);\n"
                       "  int from = row * 3 * heads * dim + rest;\n"
                       "  q[i] = x[from];\n}"),
               {"count = \"rows * heads * dim\"", "count = \"3 * rows * heads * dim\""});
}

/// The guard counts x, although the input's index has `2 * x`.
TEST_F(FirstSpecTest, ATileHasWhatTheGuardCounts) {
  expect_parts(
      spec_of("__global__ void pool(const float* in, float* out, int H, int W) {\n"
              "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
              "  int width = W / 2, height = H / 2;\n"
              "  if (x >= width || y >= height) return;\n"
              "  const float* p = in + 2 * y * W + 2 * x;\n"
              "  out[y * width + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));\n}"),
      {"grid = [\"ceil_div(W / 2, BLOCK_X)\", \"ceil_div(H / 2, BLOCK_Y)\"]"});
}

TEST_F(FirstSpecTest, ANamedTileIsThatOfTheGuard) {
  expect_parts(spec_of("__global__ void scale(float* x, int n) {\n"
                       "  const int tile = blockDim.x * 4;\n"
                       "  int i = blockIdx.x * tile + threadIdx.x;\n"
                       "  if (i >= n) return;\n"
                       "  for (int u = 0; u < 4; ++u) {\n"
                       "    if (i + u * blockDim.x < n) x[i + u * blockDim.x] *= 2.0f;\n  }\n}"),
               {"grid = [\"ceil_div(n, 4 * BLOCK)\"]", "count = \"n\""});
}

/// blockIdx.x * D is where a row begins; the guard's stride is no tile.
TEST_F(FirstSpecTest, ThreadsOfARowHaveABlockOfTheirOwn) {
  expect_parts(spec_of("__global__ void scale(float* x, int rows, int D) {\n"
                       "  int i = blockIdx.x * D + threadIdx.x;\n"
                       "  if (i < rows * D) x[i] *= 2.0f;\n}"),
               {"block = [\"BLOCK\"]"});
}

/// `s * half` begins a row of `half` elements, although threads count them with `s * half + d`.
TEST_F(FirstSpecTest, BlocksWithASizeOfElementsAreRows) {
  expect_parts(spec_of("__global__ void rotate(float* q, const float* c, int seq, int heads,\n"
                       "                       int dim) {\n"
                       "  const int s = blockIdx.x, h = blockIdx.y, half = dim / 2;\n"
                       "  for (int d = threadIdx.x; d < half; d += blockDim.x) {\n"
                       "    float* p = q + (s * heads + h) * dim;\n"
                       "    p[d] = p[d + half] * c[s * half + d];\n  }\n}"),
               {"grid = [\"seq\", \"heads\"]", "count = \"seq * heads * dim\"",
                "count = \"seq * (dim / 2)\""});
}

/// Nothing in the source asks which block a thread is of.
TEST_F(FirstSpecTest, AKernelThatAsksOnlyForItsThreadHasOneBlock) {
  const std::string body = "  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = 2.0f;\n}\n";
  expect_parts(spec_of("__global__ void fill(float* y, int n) {\n" + body), {"grid = [1]"});
  expect_parts(spec_of("__device__ int block() { int b = blockIdx.x; return b; }\n"
                       "__global__ void fill(float* y, int n) {\n  y += block();\n" +
                       body),
               {"grid = [\"ceil_div(n, BLOCK)\"]"});
}

}  // namespace
}  // namespace gtune::test
