#include "jit/macro_overrides.hpp"

#include <ctime>

#include "jit/known_macros.hpp"
#include "spec/spec_reader.hpp"
#include "support.hpp"

namespace gtune {
namespace {

class MacroOverrides : public testing::Test {
 protected:
  /// "FILE:LINE DIRECTIVE|" of each override, for a kernel whose parameter TILE has several values.
  std::string overrides(const std::string& source, const std::string& kernel_keys = "",
                        const std::string& values = "[16, 32]") const {
    folder.write("k.cu", source);
    const auto file = folder.write(
        "k.toml", "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n" + kernel_keys +
                      "\n[problem]\nn = 1\n[params]\nTILE = " + values +
                      "\n[launch]\ngrid = [1]\nblock = [32]\n[[args]]\nname = \"y\"\n"
                      "type = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n[check]\nreference = { "
                      "entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n");
    const KernelSpec spec = read_spec(file, {});
    std::string all;
    for (const MacroOverride& each : macro_overrides(spec, KernelSource(spec.source), "sm_90a")) {
      all += each.file.lexically_relative(folder.path()).string() + ":" +
             std::to_string(each.line) + " " + each.directive + "|";
    }
    return all;
  }

  const test::TemporaryFolder folder;
};

const std::string use = "__device__ int size = TILE;\n";
const std::string define = "#define TILE 16\n";

TEST_F(MacroOverrides, ADefinitionWithoutAConditionIsOne) {
  EXPECT_EQ(overrides(define + use), "k.cu:1 #define TILE 16|");
  EXPECT_EQ(overrides("\n#undef TILE\n#define TILE 16  // fast\n" + use),
            "k.cu:3 #define TILE 16|");
  EXPECT_EQ(overrides("#undef TILE\nconstexpr int TILE = 16;\n"), "k.cu:1 #undef TILE|");
  EXPECT_EQ(overrides("#define TILE(x) x\n" + use), "k.cu:1 #define TILE(x) x|");
}

TEST_F(MacroOverrides, ADefinitionThatABuildMayReplaceIsNone) {
  EXPECT_EQ(overrides("#ifndef TILE\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#if !defined(TILE)\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#if ! defined TILE && 1\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#ifdef TILE\n#else\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#ifdef TILE\n#elif 1\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#undef TILE\n#ifndef TILE\n" + define + "#endif\n" + use),
            "k.cu:3 #define TILE 16|");
}

TEST_F(MacroOverrides, OneThatIsNotCompiledIsNone) {
  EXPECT_EQ(overrides("#if 0\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#ifdef DEBUG\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#ifndef __CUDACC_RTC__\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#if 0\n#if 1\n" + define + "#endif\n#else\n#endif\n" + use), "");
  EXPECT_EQ(overrides("// #define TILE 16\n/*\n" + define + "*/\nconst char* s = R\"(\n" + define +
                      ")\";\n" + use),
            "");
}

TEST_F(MacroOverrides, AConditionThatHoldsMakesNoDifference) {
  EXPECT_EQ(overrides("#if __CUDA_ARCH__ >= 800\n" + define + "#else\n#endif\n" + use),
            "k.cu:2 #define TILE 16|");
  EXPECT_EQ(overrides("#define FAST 2\n#if FAST > 1u && defined(__CUDACC_RTC__)\n" + define +
                      "#endif\n" + use),
            "k.cu:3 #define TILE 16|");
  EXPECT_EQ(overrides("#if 0\n#elif defined FAST || !defined(SLOW)\n" + define + "#endif\n" + use),
            "k.cu:3 #define TILE 16|");
  EXPECT_EQ(overrides("#ifdef FAST\n" + define + "#endif\n" + use, "options = [\"-DFAST\"]"),
            "k.cu:2 #define TILE 16|");
}

TEST_F(MacroOverrides, AConditionThatTheTextDoesNotDecideIsLeftAlone) {
  EXPECT_EQ(overrides("#if __has_include(<x.h>)\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#ifdef __OPTIMIZE__\n" + define + "#endif\n" + use), "");
  EXPECT_EQ(overrides("#if TILE > 16\n#undef TILE\n" + define + "#endif\n" + use), "");
}

TEST_F(MacroOverrides, AnIncludedHeaderIsReadInItsPlace) {
  folder.write("tile.h", "#ifndef TILE_H\n#define TILE_H\n" + define + "#endif\n");
  EXPECT_EQ(overrides("#include \"tile.h\"\n" + use), "tile.h:3 #define TILE 16|");
  EXPECT_EQ(overrides("#include <tile.h>\n" + use), "tile.h:3 #define TILE 16|");
  EXPECT_EQ(overrides("#define TILE_H\n#include \"tile.h\"\n" + use), "");
  EXPECT_EQ(overrides("#if 0\n#include \"tile.h\"\n#endif\n" + use), "");
  EXPECT_EQ(overrides(use, "options = [\"--pre-include=tile.h\"]"), "tile.h:3 #define TILE 16|");
}

TEST_F(MacroOverrides, AValueThatCodeUsesFirstIsNotLost) {
  EXPECT_EQ(overrides(use + "#undef TILE\n" + define + use), "");
  EXPECT_EQ(overrides(use + "#undef TILE\n"), "");
  EXPECT_EQ(overrides("#define AREA (TILE * TILE)\n" + define + "__device__ int a = AREA;\n"),
            "k.cu:2 #define TILE 16|");
}

TEST_F(MacroOverrides, APoppedMacroIsWhatItWas) {
  EXPECT_EQ(overrides("#pragma push_macro(\"TILE\")\n#undef TILE\n" + define +
                      "#pragma pop_macro(\"TILE\")\n" + use),
            "");
}

TEST_F(MacroOverrides, OneThatRepeatsTheOnlyValueIsNone) {
  EXPECT_EQ(overrides(define + use, "", "[16]"), "");
  EXPECT_EQ(overrides(define + use, "", "[32]"), "k.cu:1 #define TILE 16|");
}

TEST_F(MacroOverrides, MacrosThatTheSpecSaysAreLookedAtToo) {
  const std::string size = "#define SIZE 1\n__device__ int s = SIZE;\n";
  EXPECT_EQ(overrides(size + use, "macros = { SIZE = \"2 * TILE\" }"), "k.cu:1 #define SIZE 1|");
  EXPECT_EQ(overrides(size + use, "options = [\"-DSIZE={TILE}\"]"), "k.cu:1 #define SIZE 1|");
  EXPECT_EQ(overrides(size + use), "");
}

TEST_F(MacroOverrides, AHeaderThatIncludesItselfEnds) {
  folder.write("self.h", "#include \"self.h\"\n");
  EXPECT_EQ(overrides("#include \"self.h\"\n" + define + use), "k.cu:2 #define TILE 16|");
}

TEST_F(MacroOverrides, ALargeHeaderThatIncludesItselfTwiceIsReadOnce) {
  std::string large = "#include \"self.h\"\n#include \"self.h\"\n";
  for (int i = 0; i < 10000; ++i) large += "int a;\n";
  folder.write("self.h", large);
  const std::clock_t start = std::clock();
  EXPECT_EQ(overrides("#include \"self.h\"\n" + define + use), "k.cu:2 #define TILE 16|");
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5.0);
}

TEST(MacroOverride, SaysWhatToDo) {
  EXPECT_EQ((MacroOverride{"k.cu", 1, "#define TILE 16", "TILE"}.complaint()),
            "#define TILE 16 overrides the value that gtune passes (-DTILE=...), so all values "
            "compile to the same code; write #ifndef TILE before it and #endif after it");
}

TEST(KnownMacros, AConditionIsUndecidedWhereANameMayBeTheCompilers) {
  KnownMacros macros;
  macros.define("N", "(1 << 4)");
  EXPECT_EQ(macros.holds("N == 16L && true"), Truth::yes);
  EXPECT_EQ(macros.holds("UNKNOWN || N < 16"), Truth::no);
  EXPECT_EQ(macros.holds("__SOME__ > 3"), Truth::maybe);
  EXPECT_EQ(macros.holds("__SOME__ > 3 && N == 0"), Truth::no);
  EXPECT_EQ(macros.holds("F(3)"), Truth::maybe);
  EXPECT_EQ(macros.holds(""), Truth::maybe);
}

}  // namespace
}  // namespace gtune
