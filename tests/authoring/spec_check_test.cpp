#include "authoring/spec_check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "authoring/check_report.hpp"
#include "authoring/device_memory.hpp"
#include "authoring/entry_mistake.hpp"
#include "model/checked_json.hpp"
#include "model/value_word.hpp"
#include "support.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

const std::string scale_cu = R"cu(
extern "C" __global__ void scale(const float* x, float* y, int n, float factor) {
  for (int u = 0; u < UNROLL; ++u) {
    const int i = (blockIdx.x * UNROLL + u) * BLOCK + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
  }
}
extern "C" __global__ void reference(const float* x, float* y, int n, float factor) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
)cu";

const std::string scale_toml = R"toml([kernel]
source = "scale.cu"
entry = "scale"
[problem]
n = 4096
[params]
BLOCK = [64, 128, 1024]
UNROLL = [1, 2]
[constraints]
few = "BLOCK * UNROLL <= 1024"
[launch]
grid = ["ceil_div(n, BLOCK * UNROLL)"]
block = ["BLOCK"]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "in"
[[args]]
name = "y"
type = "f32"
count = "n"
direction = "out"
[[args]]
name = "n"
type = "i32"
value = "n"
[[args]]
name = "factor"
type = "f32"
value = 2.0
[check]
reference = { entry = "reference", grid = ["ceil_div(n, 256)"], block = [256] }
rtol = 1e-6
)toml";

class SpecCheckTest : public ::testing::Test {
 protected:
  SpecCheck check(const std::string& part = "", const std::string& other = "",
                  const std::string& source = scale_cu) {
    std::string text = scale_toml;
    if (!part.empty()) {
      const auto at = text.find(part);
      EXPECT_NE(at, std::string::npos) << part;
      text.replace(at, part.size(), other);
    }
    folder.write("scale.cu", source);
    return check_spec(folder.write("scale.toml", text), {}, {}, compile_here);
  }

  static std::string lines(const SpecCheck& check) {
    std::string all;
    for (const CheckMistake& each : check.mistakes) {
      all += each.at.substr(each.at.rfind('/') + 1) + ": " + each.line + "\n";
    }
    return all;
  }

  TemporaryFolder folder;
};

TEST_F(SpecCheckTest, AGoodSpecCompilesWhole) {
  const SpecCheck result = check();
  EXPECT_EQ(lines(result), "");
  EXPECT_EQ(result.combinations, 6U);
  EXPECT_EQ(result.valid, 5U);
  ASSERT_EQ(result.compiles.size(), 6U);
  EXPECT_EQ(result.compiles[0].what, "reference");
  EXPECT_TRUE(std::all_of(result.compiles.begin(), result.compiles.end(),
                          [](const auto& each) { return each.ok && each.compile_ms > 0; }));
  EXPECT_TRUE(result.launch_faults.empty());
  EXPECT_TRUE(result.idle_parameters.empty());
}

TEST_F(SpecCheckTest, SaysWhatCannotLaunch) {
  const SpecCheck result =
      check("grid = [\"ceil", "grid = [1, \"2000 * ceil");  // 65535 at most in y
  EXPECT_EQ(lines(result), "");
  EXPECT_EQ(result.valid, 5U);
  ASSERT_EQ(result.launch_faults.size(), 1U);
  EXPECT_EQ(result.launch_faults[0].count, 1U);
  EXPECT_EQ(result.launch_faults[0].reason, "grid.y is 128000; the device allows 65535");
}

TEST_F(SpecCheckTest, NotesABaselineThatIsNoConfiguration) {
  const auto notes = [&](const std::string& params) {
    const SpecCheck result =
        check("[check]", "[[baselines]]\nname = \"usual\"\nparams = { " + params + " }\n[check]");
    EXPECT_EQ(lines(result), "");
    return result.notes;
  };
  EXPECT_EQ(notes("BLOCK = 128, UNROLL = 1"), std::vector<std::string>());
  EXPECT_EQ(
      notes("BLOCK = 96, UNROLL = 1"),
      std::vector<std::string>{"baseline usual is not a configuration of n=4096, so no search "
                               "tries it: BLOCK has no value 96"});
  EXPECT_EQ(
      notes("UNROLL = 3"),
      std::vector<std::string>{"baseline usual is not a configuration of n=4096, so no search "
                               "tries it: UNROLL has no value 3"});
  ASSERT_EQ(notes("BLOCK = 1024, UNROLL = 2").size(), 1U);
  EXPECT_NE(notes("BLOCK = 1024, UNROLL = 2")[0].find("few: 'BLOCK * UNROLL <= 1024'"),
            std::string::npos);
}

TEST_F(SpecCheckTest, AnAwkwardSizeThatNoConfigurationCanHaveIsAMistake) {
  const auto with = [&](const std::string& also) {
    return lines(check("rtol = 1e-6", "rtol = 1e-6\nalso = [{ n = 1 }, " + also + "]"));
  };
  EXPECT_EQ(with("{ n = \"BLOCK - 64\" }"), "");  // possible for BLOCK=128
  EXPECT_EQ(
      with("{ n = \"BLOCK * 0\" }"),
      "scale.toml:35:26: an entry of 'also' is possible for no configuration: n = 'BLOCK * 0' "
      "is 0; expected 1 to 1099511627776 (BLOCK=64,UNROLL=1)\n");
  EXPECT_EQ(with("{ n = \"BLOCK / (UNROLL - UNROLL)\" }"),
            "scale.toml:35:26: an entry of 'also' is possible for no configuration: n = 'BLOCK / "
            "(UNROLL - UNROLL)': division by zero (BLOCK=64,UNROLL=1)\n");
}

TEST_F(SpecCheckTest, AFunctionOnTheHostHasTheArguments) {
  const std::string usual =
      "{ entry = \"reference\", grid = [\"ceil_div(n, 256)\"], block = [256] }";
  const std::string host = "{ host = \"right.cpp\", entry = \"right\" }";
  const auto with = [&](const std::string& function) {
    folder.write("right.cpp", function);
    return lines(check(usual, host));
  };
  EXPECT_EQ(
      with("#include <cstdint>\nbool right(const float* x, float* y, const unsigned& n, float "
           "factor) noexcept { return n > 0; }"),
      "");
  EXPECT_EQ(with("void right(const float* x, float* y, int n) {}"),
            "scale.toml:14:1: the spec passes 4 arguments (x, y, n, factor); the 3 parameters of "
            "'right' are a pointer or an integer of 8 bytes, a pointer or an integer of 8 bytes, "
            "an integer of 4 bytes; write one argument for each, in this order\n");
  EXPECT_EQ(with("void right(const double* x, const float* y, long n, float factor) {}"),
            "scale.toml:14:1: argument 'x' has elements of type f32, but parameter 1 of 'right' "
            "points to double; write type = \"f64\"\n"
            "scale.toml:19:1: argument 'y' is an output, but parameter 2 of 'right' points to "
            "const; write direction = \"in\"\n"
            "scale.toml:24:1: argument 'n' is i32, but parameter 3 of 'right' is a pointer or an "
            "integer of 8 bytes; write 'count' for a buffer, or 'value' and type = \"i64\" or "
            "\"u64\" for an integer\n");
}

TEST_F(SpecCheckTest, NegativeWorkAndNoResultAreMistakes) {
  EXPECT_EQ(lines(check("[check]", "[work]\nflops = \"2 * n\"\nbytes = \"n - 5000\"\n[check]")),
            "scale.toml:34:9: bytes of [work]: -904 is negative; expected 0 or more (n=4096)\n");
  EXPECT_EQ(lines(check("count = \"n\"\ndirection = \"out\"", "count = 0\ndirection = \"out\"")),
            "scale.toml:22:9: no output has an element for the default problem (n=4096)\n");
}

TEST_F(SpecCheckTest, ABaselinesOwnMistakeIsAtTheBaseline) {
  const std::string source = std::string(scale_cu) +
                             "extern \"C\" __global__ void naive(const float* x, float* y, long n, "
                             "float factor) {}\n";
  const SpecCheck result =
      check("rtol = 1e-6\n",
            "rtol = 1e-6\n[[baselines]]\nname = \"naive\"\nentry = \"naive\"\ngrid = [1]\nblock = "
            "[32]\n",
            source);
  ASSERT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_EQ(lines(result).substr(0, 62),
            "scale.toml:37:9: argument 'n' is i32, but parameter 3 ('n') of");
}

TEST_F(SpecCheckTest, ACompileThatDoesNotEndIsNoMistake) {
  folder.write("scale.cu", scale_cu);
  const CompileAll slow = [](std::vector<KernelRequest> requests) {
    std::vector<CompileResult> results = compile_here(std::move(requests));
    results.back() = {};
    results.back().reason = "the compiler took more than 120 s (signal 9)";
    results.back().timed_out = true;
    return results;
  };
  const SpecCheck result = check_spec(folder.write("scale.toml", scale_toml), {}, {}, slow);
  EXPECT_EQ(lines(result), "");
  EXPECT_FALSE(result.compiles.back().ok);
  EXPECT_EQ(result.compiles.back().cannot_launch,
            "not checked: the compiler took more than 120 s (signal 9)");
  const std::string report = text_of(check_report(result));
  EXPECT_NE(report.find("no mistakes found in the spec, but 1 of "), report.npos) << report;
  EXPECT_EQ(report.find("no mistakes found\n"), report.npos) << report;
}

TEST_F(SpecCheckTest, WhatCouldNotBeCompiledIsNotCalledFaultless) {
  folder.write("scale.cu", scale_cu);
  const CompileAll slow = [](const std::vector<KernelRequest>& requests) {
    CompileResult late;
    late.reason = "the compiler took more than 120 s (signal 9)";
    late.timed_out = true;
    return std::vector<CompileResult>(requests.size(), late);
  };
  const SpecCheck result = check_spec(folder.write("scale.toml", scale_toml), {}, {}, slow);
  EXPECT_TRUE(result.passed());
  const std::string report = text_of(check_report(result));
  EXPECT_NE(report.find("but none of "), report.npos) << report;
}

TEST_F(SpecCheckTest, AnErrorOfATemplateIsOneMistakeForAllItsInstances) {
  std::string spec = scale_toml;
  spec.replace(spec.find("\"scale\""), 7, "\"scale<BLOCK>\"");
  folder.write("scale.cu",
               "template <int B> __global__ void scale(const float* x, float* y, int n) {\n"
               "  static_assert(B < 0, \"never\");\n}\n");
  const std::string all = lines(check_spec(folder.write("scale.toml", spec), {}, {}, compile_here));
  EXPECT_NE(all.find("(BLOCK=64,UNROLL=1 and 4 more) does not compile: "), std::string::npos)
      << all;
  EXPECT_EQ(all.find("does not compile"), all.rfind("does not compile")) << all;
}

TEST_F(SpecCheckTest, ABlockAboveTheKernelsBoundsIsExcludedAfterItsCompile) {
  std::string source = scale_cu;
  source.replace(source.find("void scale"), 4, "void __launch_bounds__(128)");
  const SpecCheck result = check("", "", source);
  EXPECT_EQ(lines(result), "");
  for (const CheckedCompile& each : result.compiles) {
    const bool is_large = each.what.find("BLOCK=1024") != std::string::npos;
    EXPECT_EQ(each.cannot_launch.value_or(""),
              is_large ? "1024 threads per block; the kernel's __launch_bounds__ allow 128" : "");
  }
}

TEST_F(SpecCheckTest, ABlockOfTooManyThreadsIsExcludedAndNotCompiled) {
  const SpecCheck result = check(
      "BLOCK = [64, 128, 1024]\nUNROLL = [1, 2]\n[constraints]\nfew = \"BLOCK * UNROLL <= 1024\"",
      "BLOCK = [64, 2048]\nUNROLL = [1, 2]");
  EXPECT_EQ(lines(result), "");
  EXPECT_EQ(result.valid, 2U);
  EXPECT_EQ(result.compiles.size(), 3U);  // with the reference
  ASSERT_EQ(result.excluded.size(), 1U);
  EXPECT_EQ(result.excluded[0].constraint, "launch");
  EXPECT_EQ(result.excluded[0].combinations, 2U);
}

TEST_F(SpecCheckTest, TooMuchSharedMemoryIsAConfigurationThatCannotBeHad) {
  const std::string with_tile =
      "extern \"C\" __global__ void scale(const float* x, float* y, int n, float factor) {\n"
      "  __shared__ float tile[BLOCK * UNROLL * 100];\n"
      "  tile[threadIdx.x] = x[threadIdx.x];\n  __syncthreads();\n"
      "  if (n > 0) y[threadIdx.x] = tile[BLOCK - 1 - threadIdx.x] * factor;\n}\n";
  const SpecCheck result = check("", "", with_tile + scale_cu.substr(scale_cu.rfind("extern")));
  EXPECT_EQ(lines(result), "");
  const auto refused = std::find_if(result.compiles.begin(), result.compiles.end(),
                                    [](const auto& each) { return !each.ok; });
  ASSERT_NE(refused, result.compiles.end());
  EXPECT_NE(refused->cannot_launch.value_or("").find("uses too much shared data"),
            std::string::npos);
}

TEST_F(SpecCheckTest, ConstraintsAndLaunchesAfterACompileAreTriedOnWhatWasCompiled) {
  const std::string with_tile =
      "extern \"C\" __global__ void scale(const float* x, float* y, int n, float factor) {\n"
      "  __shared__ float tile[BLOCK];\n"
      "  tile[threadIdx.x] = x[threadIdx.x];\n  __syncthreads();\n"
      "  if (n > 0) y[threadIdx.x] = tile[BLOCK - 1 - threadIdx.x] * factor;\n}\n";
  std::string source = with_tile + scale_cu.substr(scale_cu.rfind("extern"));
  std::string text = scale_toml;
  text.replace(text.find("[launch]"), 8, "small = \"static_shared_bytes < 4096\"\n[launch]");
  text.replace(text.find("ceil_div(n, BLOCK * UNROLL)"), 27,
               "resident_blocks * (static_shared_bytes != 512)");
  folder.write("scale.cu", source);
  const SpecCheck result = check_spec(folder.write("scale.toml", text), {}, {}, compile_here);
  EXPECT_EQ(lines(result), "");
  EXPECT_TRUE(result.launch_faults.empty());
  std::map<std::string, std::string> refused;  // by configuration
  for (const CheckedCompile& each : result.compiles) {
    EXPECT_TRUE(each.ok) << each.what;
    if (each.cannot_launch) refused[each.what] = *each.cannot_launch;
  }
  EXPECT_EQ(refused["BLOCK=1024,UNROLL=1"], "excluded by small: 'static_shared_bytes < 4096'");
  EXPECT_NE(refused["BLOCK=128,UNROLL=1"].find("is 0; expected at least 1"), std::string::npos);
  EXPECT_EQ(refused.count("BLOCK=64,UNROLL=1"), 0U);
}

TEST_F(SpecCheckTest, ThatNoConfigurationIsLeftAfterItsCompileIsAMistake) {
  const std::string few = "BLOCK = [64]\nUNROLL = [1, 2]\n[constraints]\nsmall = ";
  std::string text = scale_toml;
  const auto begin = text.find("BLOCK = [");
  text.replace(begin, text.find("[launch]") - begin, few + "\"registers <= 4\"\n");
  folder.write("scale.cu", scale_cu);
  const SpecCheck result = check_spec(folder.write("scale.toml", text), {}, {}, compile_here);
  ASSERT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_TRUE(result.mistakes[0].line.ends_with(
      ": all 2 are compiled and cannot be launched, excluded by small: 'registers <= 4'"))
      << lines(result);
}

TEST_F(SpecCheckTest, AMissingArgumentIsFoundWithoutAGpu) {
  const std::string n = "[[args]]\nname = \"n\"\ntype = \"i32\"\nvalue = \"n\"\n";
  const SpecCheck result = check(n);
  EXPECT_EQ(lines(result),
            "scale.toml:14:1: the spec passes 3 arguments (x, y, factor); the 4 parameters of "
            "'reference' and 'scale' are x, y, n, factor; write one argument for each, in this "
            "order\n");
}

/// Two steps in place of the launch; `args` are the arguments of the second.
std::string stepwise(const std::string& args) {
  return "[[steps]]\nentry = \"scale\"\ngrid = [\"ceil_div(n, BLOCK * UNROLL)\"]\nblock = "
         "[\"BLOCK\"]\n[[steps]]\nentry = \"add\"\ngrid = [1]\nblock = [64]\nargs = [" +
         args + "]\n";
}

class StepsCheckTest : public SpecCheckTest {
 protected:
  SpecCheck check_steps(const std::string& args) {
    std::string text = scale_toml;
    const auto begin = text.find("[launch]");
    text.replace(begin, text.find("[[args]]") - begin, stepwise(args));
    text.erase(text.find("entry = \"scale\"\n"), 16);
    folder.write("scale.cu", std::string(scale_cu) +
                                 "extern \"C\" __global__ void add(float* y, int n) { if "
                                 "(threadIdx.x < n) y[threadIdx.x] += 1; }\n");
    return check_spec(folder.write("scale.toml", text), {}, {}, compile_here);
  }
};

TEST_F(StepsCheckTest, EachStepIsCheckedByItself) {
  const SpecCheck good = check_steps("\"y\", \"n\"");
  EXPECT_EQ(lines(good), "");
  ASSERT_EQ(good.compiles.size(), 11U);  // the reference, and two launches for each configuration
  EXPECT_EQ(good.compiles[2].entry, "add");
  EXPECT_FALSE(good.compiles[2].compile_ms);
  EXPECT_EQ(lines(check_steps("\"y\"")),
            "scale.toml:15:9: the spec passes 1 argument (y); the 2 parameters of 'add' are y, n; "
            "write one argument for each, in this order\n");
  EXPECT_EQ(lines(check_steps("\"n\", \"y\"")),
            "scale.toml:29:1: the spec passes n, y; the parameters of 'add' are y, n; put the "
            "arguments into that order\n");
}

TEST_F(SpecCheckTest, AFloatForAnIntIsFoundWithoutAGpu) {
  const SpecCheck result = check("type = \"i32\"\nvalue = \"n\"", "type = \"f32\"\nvalue = \"n\"");
  EXPECT_EQ(lines(result),
            "scale.toml:24:1: argument 'n' is f32, but parameter 3 ('n') of 'reference' and "
            "'scale' is an integer of 4 bytes; write type = \"i32\" or \"u32\"\n");
}

TEST_F(SpecCheckTest, AnEntryThatIsNotThereIsOneMistakeForAllConfigurations) {
  const SpecCheck result = check("entry = \"scale\"", "entry = \"scales\"");
  EXPECT_EQ(lines(result),
            "scale.toml:3:9: scale.cu has no kernel 'scales' (its kernels: scale, reference); did "
            "you mean 'scale'?\n");
  EXPECT_EQ(result.mistakes.at(0).log, "");
  EXPECT_EQ(lines(check("entry = \"reference\"", "entry = \"right\"")),
            "scale.toml:33:23: scale.cu has no kernel 'right' (its kernels: scale, reference)\n");
}

TEST(EntryMistake, SaysWhichTemplateArgumentsTheKernelHas) {
  std::vector<TemplateParameter> two(2);
  two[0].name = "BM";
  two[1].name = "BN";
  const std::vector<OutlinedKernel> kernels = {{.name = "plain"},
                                               {.name = "ns::tile", .template_parameters = two}};
  EXPECT_EQ(entry_mistake("plain<BM>", "plain<BM>", "k.cu", kernels),
            "'plain' is not a template; write \"plain\"");
  EXPECT_EQ(entry_mistake("ns::tile", "ns::tile", "k.cu", kernels),
            "'ns::tile' is a template; write its arguments too, as in \"ns::tile<BM,BN>\"");
  EXPECT_EQ(entry_mistake("ns::tile<1,A<2,3>,4>", "ns::tile<1,A<2,3>,4>", "k.cu", kernels),
            "'ns::tile' has 2 template parameters, but the entry has 3 arguments; write "
            "\"ns::tile<BM,BN>\"");
  EXPECT_EQ(entry_mistake("ns::tile<BM,BN>", "ns::tile<BM,BN>", "k.cu", kernels), "");
  EXPECT_EQ(entry_mistake("ns::tile<1, 2>", "ns::tile<1, 2>", "k.cu", kernels), "");
  EXPECT_EQ(entry_mistake("ns::tile<BM, T>", "ns::tile<1, unsigned int>", "k.cu", kernels),
            "template parameter 2 of 'ns::tile' is a value ('BN'), and the entry has 'T' there; "
            "write \"ns::tile<BM,BN>\"");
  EXPECT_EQ(entry_mistake("tile<BM,BN>", "tile<BM,BN>", "k.cu", kernels),
            "k.cu has no kernel 'tile' (its kernels: plain, ns::tile)");
  EXPECT_EQ(entry_mistake("k", "k", "k.cu", {}),
            "k.cu has no kernel 'k', and no __global__ function at all");
}

TEST_F(SpecCheckTest, EveryCompilerErrorIsThere) {
  const SpecCheck result =
      check("", "", "__device__ void f() {\n  one();\n  two();\n}\n" + scale_cu);
  ASSERT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_NE(result.mistakes[0].log.find("scale.cu(2): error"), std::string::npos);
  EXPECT_NE(result.mistakes[0].log.find("scale.cu(3): error"), std::string::npos);
}

TEST_F(SpecCheckTest, HostCodeIsNamedAsSuch) {
  const SpecCheck result = check("", "", "#include <cstdio>\n" + scale_cu + "int main() {}\n");
  ASSERT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_NE(result.mistakes[0].line.find("the source has host code"), std::string::npos);
}

TEST_F(SpecCheckTest, AParameterThatTheSourceDeclaresIsNamed) {
  const SpecCheck result =
      check("", "", "template <int N, int UNROLL>\n__device__ int f();\n" + scale_cu);
  EXPECT_EQ(lines(result),
            "scale.toml:33:13: 'reference' (reference and 5 more) does not compile: the source "
            "declares a "
            "name 'UNROLL', but the parameter of that name is a macro, since the entry does not "
            "have it as a template argument: give one of them another name\n");
}

TEST_F(SpecCheckTest, AnEntryWithoutItsTemplateArgumentsIsTheOneMistake) {
  const SpecCheck result =
      check("entry = \"scale\"", "entry = \"scale_all\"",
            "template <int UNROLL, int BLOCK> __global__ void scale_all(const float* x, float* y, "
            "int n, float factor) {}\n" +
                scale_cu);
  ASSERT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_NE(result.mistakes[0].line.find("'scale_all' is a template"), std::string::npos)
      << lines(result);
}

TEST_F(SpecCheckTest, AnIdleParameterAndUnusedValuesAreNamed) {
  const SpecCheck result = check("UNROLL = [1, 2]", "UNROLL = [1, 2, 4096]\nIDLE = [1, 2]");
  EXPECT_EQ(lines(result), "");
  EXPECT_EQ(result.idle_parameters, std::vector<std::string>{"IDLE"});
  ASSERT_EQ(result.unused_values.size(), 1U);
  EXPECT_EQ(result.unused_values[0].parameter, "UNROLL");
  EXPECT_EQ(result.unused_values[0].values, std::vector<std::int64_t>{4096});
}

TEST_F(SpecCheckTest, AMacroThatTheSourceSetsItselfIsAMistakeAtItsPlace) {
  EXPECT_EQ(lines(check("", "", "\n#define UNROLL 2\n" + scale_cu)),
            "scale.cu:2: #define UNROLL 2 overrides the value that gtune passes (-DUNROLL=...), so "
            "all values compile to the same code; write #ifndef UNROLL before it and #endif after "
            "it\n");
  EXPECT_EQ(lines(check("", "", "#ifndef UNROLL\n#define UNROLL 2\n#endif\n" + scale_cu)), "");
}

TEST_F(SpecCheckTest, ASpaceWithoutConfigurationsIsAMistake) {
  EXPECT_EQ(lines(check("<= 1024", "<= 2")),
            "scale.toml:10:7: no configuration is valid for n=4096 on sm_90: few excludes 6 of 6 "
            "combinations, 'BLOCK * UNROLL <= 2' does not hold (BLOCK=64,UNROLL=1)\n");
  EXPECT_EQ(lines(check("BLOCK = [64, 128, 1024]\nUNROLL = [1, 2]\n[constraints]\nfew = \"BLOCK * "
                        "UNROLL <= 1024\"",
                        "BLOCK = [2048]\nUNROLL = [1, 2]")),
            "scale.toml:7:9: no configuration is valid for n=4096 on sm_90: launch excludes 2 of 2 "
            "combinations, 2048 threads per block; the device allows 1024 (BLOCK=2048)\n");
}

TEST_F(SpecCheckTest, ASpecThatCannotBeReadHasItsMistakesAndNothingIsCompiled) {
  const SpecCheck result = check("BLOCK = [64, 128, 1024]", "BLOCK = []");
  EXPECT_EQ(result.mistakes.size(), 1U) << lines(result);
  EXPECT_TRUE(result.compiles.empty());
  EXPECT_TRUE(result.kernel.empty());
}

TEST_F(SpecCheckTest, AnArgumentWithoutAValueIsOneMistakeAtItsPlace) {
  EXPECT_EQ(lines(check("count = \"n\"", "count = \"n - 5000\"")),
            "scale.toml:17:9: count of 'x': 'n - 5000' is -904; expected at least 0 (n=4096, "
            "BLOCK=64,UNROLL=1; no configuration can be launched on sm_90)\n");
}

TEST_F(SpecCheckTest, WhatExcludesConfigurationsIsSaidWithTheirValues) {
  const SpecCheck result = check(
      "BLOCK = [64, 128, 1024]\nUNROLL = [1, 2]\n[constraints]\nfew = \"BLOCK * UNROLL <= 1024\"",
      "BLOCK = [64, 2048]\nUNROLL = [1, 2]\n[let]\nrest = \"n % (3 * UNROLL)\"\n[constraints]\n"
      "divides = \"rest < 4\"\nnew = \"dev_cc > 80\"");
  const std::string text = text_of(check_report(result));
  EXPECT_NE(text.find("2  excluded by divides: 'rest < 4' does not hold (rest=4)\n"), text.npos)
      << text;
  EXPECT_NE(text.find("1  excluded by launch: 2048 threads per block; the device allows 1024 "
                      "(BLOCK=2048)\n"),
            text.npos)
      << text;
  EXPECT_EQ(text.find("excluded by new"), text.npos) << text;  // it excludes no configuration
}

TEST(SampleConfigs, FewHaveEveryValue) {
  std::vector<Config> all;
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) all.push_back({{"A", a}, {"B", b}});
  }
  const std::vector<Config> chosen = sample_configs(SearchSpace::from_configs(all), 10);
  std::set<std::int64_t> values;
  for (const Config& config : chosen) {
    values.insert(*config.find("A"));
    values.insert(100 + *config.find("B"));
  }
  EXPECT_EQ(values.size(), 20U);
}

TEST_F(SpecCheckTest, ACompareEntryIsCompiledAndItsArgumentsAreMatched) {
  const std::string source = std::string(scale_cu) + R"cu(
__global__ void same(const float* y, const float* right, int n, unsigned long long* wrong) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (y[i] != right[i]) atomicAdd(wrong, 1ULL);
  }
}
)cu";
  const std::string outputs =
      "rtol = 1e-6\n[check.outputs.y.compare]\nentry = \"same\"\ngrid = [1]\nblock = [256]\nargs "
      "= ";
  const SpecCheck right = check(
      "rtol = 1e-6\n", outputs + "[\"y\", \"y.reference\", \"n\", \"y.mismatches\"]\n", source);
  EXPECT_TRUE(right.mistakes.empty()) << lines(right);
  const auto row = std::find_if(right.compiles.begin(), right.compiles.end(),
                                [](const auto& one) { return one.what == "compare y"; });
  ASSERT_NE(row, right.compiles.end());
  EXPECT_TRUE(row->ok);
  const SpecCheck wrong =
      check("rtol = 1e-6\n", outputs + "[\"y\", \"n\", \"y.mismatches\"]\n", source);
  EXPECT_NE(lines(wrong).find("the spec passes 3 arguments (y, n, y.mismatches); the 4 parameters "
                              "of 'same' are y, right, n, wrong; "),
            std::string::npos)
      << lines(wrong);
}

TEST_F(SpecCheckTest, ADataFileIsReadForItsBuffer) {
  const std::string x = "name = \"x\"\ntype = \"f32\"\ncount = \"n\"\n";
  folder.write("x.raw", std::string(std::size_t{4} * 4096, '\0'));
  EXPECT_EQ(lines(check(x, x + "fill = { file = \"x.raw\" }\n")), "");
  const std::string file = folder.write("short.raw", std::string(100, '\0')).string();
  EXPECT_EQ(lines(check(x, x + "fill = { file = \"short.raw\" }\n")),
            "scale.toml:18:17: " + file +
                ": it holds 25 elements of f32, but the buffer has 4096 (n=4096)\n");
}

TEST_F(SpecCheckTest, ADataFileOfTheResultIsReadToo) {
  const std::string file = folder.write("y.npy", "abc").string();
  EXPECT_EQ(
      lines(check("reference = { entry = \"reference\", grid = [\"ceil_div(n, 256)\"], block = "
                  "[256] }",
                  "reference = { files = { y = \"y.npy\" } }")),
      "scale.toml:33:29: " + file + ": it is not an .npy file (n=4096)\n");
}

TEST_F(SpecCheckTest, AVariableIsOneOfTheCompiledCode) {
  const std::string source = R"cu(__constant__ float weights[4];
extern "C" __global__ void scale(const float* x, float* y, int n, float factor) {
  const int i = blockIdx.x * BLOCK * UNROLL + threadIdx.x;
  if (i < n) y[i] = factor * x[i] * weights[0];
}
extern "C" __global__ void reference(const float* x, float* y, int n, float factor) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = factor * x[i] * weights[1];
}
)cu";
  const auto with = [&](const std::string& symbol, const std::string& count) {
    return lines(check("[check]\n",
                       "[[args]]\nname = \"w\"\ntype = \"f32\"\ncount = " + count +
                           "\nsymbol = \"" + symbol + "\"\n[check]\n",
                       source));
  };
  EXPECT_EQ(with("weights", "4"), "");
  EXPECT_EQ(with("wieghts", "4"),
            "scale.toml:36:10: the compiled code of 'reference' and 'scale' has no variable "
            "'wieghts'; did you mean 'weights'?\n");
  EXPECT_EQ(with("weights", "5"),
            "scale.toml:36:10: variable 'weights' of 'scale' has 16 bytes, but the buffer 'w' has "
            "20\n");
}

TEST_F(SpecCheckTest, AComparedPartBeyondItsOutputHasItsPlace) {
  EXPECT_EQ(lines(check("rtol = 1e-6\n", "rtol = 1e-6\n[check.outputs.y]\ncount = \"n + 1\"\n")),
            "scale.toml:36:9: count of output 'y': 4097 elements are compared, but it has 4096 "
            "(n=4096, BLOCK=64,UNROLL=1)\n");
}

TEST(CheckReport, UnusedWordsAreNamedAsTheSpecSpellsThem) {
  SpecCheck check;
  check.kernel = "scale";
  check.unused_values = {{"T", {value_of_word("half")}}};
  const Document report = check_report(check);
  EXPECT_NE(text_of(report).find("no valid configuration has T = half\n"), std::string::npos)
      << text_of(report);
  EXPECT_EQ(json::parse(json_of(report))["unused_values"], json({{"T", {"half"}}}));
}

TEST(DeviceMemory, HoldsTheBuffersOfAProblem) {
  DeviceFacts device;
  device.memory_bytes = std::int64_t{1} << 30;
  BufferPlan half;
  half.name = "half";
  half.type = ElementType::f64;
  half.count = std::int64_t{1} << 26;
  BufferPlan rest = half;
  rest.name = "rest";
  rest.count += 1;
  BufferPlan pinned = half;
  pinned.memory = MemoryKind::pinned;
  EXPECT_FALSE(buffer_beyond_memory({half, half, pinned}, device).has_value());
  const auto beyond = buffer_beyond_memory({half, rest}, device);
  ASSERT_TRUE(beyond.has_value());
  EXPECT_EQ(beyond->buffer, "rest");
  EXPECT_EQ(beyond->line,
            "buffer 'rest' takes 1 GiB with the buffers before it; the device has 1 GiB");
}

}  // namespace
}  // namespace gtune::test
