// gtune check and gtune init as processes: exit codes, and files that they leave alone.
#include <fstream>

#include "fixture.hpp"
#include "support/environment_variable.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class CheckCommand : public CliTest {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return folder / name;
  }

  /// Checks every spec below the folder.
  void expect_no_mistakes(const std::string& of_sources) const {
    int specs = 0;
    const auto root = std::filesystem::path(GTUNE_SOURCE_DIR) / of_sources;
    for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
      if (file.path().extension() != ".toml") continue;
      ++specs;
      const ProgramResult result = gtune({"check", file.path().string(), "--configs", "1"});
      EXPECT_EQ(result.exit_code, 0) << file.path() << result.err << result.out;
    }
    EXPECT_GT(specs, 0) << root;
  }
};

TEST_F(CheckCommand, AGoodSpecIsDone) {
  const ProgramResult result =
      gtune({"check", data + "/toy.toml", "--arch", "sm_80", "--configs", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const json out = json::parse(result.out);
  EXPECT_TRUE(out["passed"].get<bool>());
  EXPECT_EQ(out["mistakes"].size(), 0U);
  EXPECT_GE(out["compiles"].size(), 3U);
  EXPECT_GT(out["median_compile_ms"].get<double>(), 0);
}

/// Specs with planted faults too: those faults show only on a GPU.
TEST_F(CheckCommand, TheSpecsOfTheGpuTestsHaveNoMistakes) { expect_no_mistakes("tests/faults"); }

TEST_F(CheckCommand, TheSpecsOfTheClassicsHaveNoMistakes) {
  expect_no_mistakes("examples/classics");
}

TEST_F(CheckCommand, TheNameOfABundledKernelIsNoted) {
  std::ostringstream toy;
  toy << std::ifstream(data + "/toy.toml").rdbuf();
  std::string text = toy.str();
  std::filesystem::copy(data + "/toy.cu", folder / "toy.cu");
  text.replace(text.find("name = \"toy\""), 12, "name = \"sgemm\"");
  const ProgramResult result =
      gtune({"check", write("mine.toml", text).string(), "--configs", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("a bundled kernel is called 'sgemm' too"), std::string::npos)
      << result.out;
  const ProgramResult own = gtune({"check", "sgemm", "--configs", "1"});
  EXPECT_EQ(own.out.find("a bundled kernel"), std::string::npos) << own.out;
}

TEST_F(CheckCommand, MistakesAreAFailure) {
  const auto file =
      write("bad.toml", "[kernel]\nsource = \"no.cu\"\nentry = \"k\"\n[problem]\nn = 0\n");
  const ProgramResult result = gtune({"check", file.string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("bad.toml:2:10: there is no source 'no.cu'"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("bad.toml:5:5: the default of problem size 'n' is 0"),
            std::string::npos)
      << result.out;
}

TEST_F(CheckCommand, ASpecOfNvccIsCompiledWithItAndWithoutOneALineSaysSo) {
  if (!std::filesystem::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "there is no nvcc";
  write("host.cu",
        "#include <vector>\n"
        "template <int N> __global__ void k(float* y) { y[threadIdx.x] = FACTOR * N; }\n"
        "__global__ void r(float* y) { y[threadIdx.x] = B + 0; }\n"
        "int main() { std::vector<float> y(1); k<1><<<1, 1>>>(y.data()); }\n");
  const auto file = write(
      "host.toml",
      "[kernel]\nsource = \"host.cu\"\nentry = \"k<BLOCK>\"\ncompiler = \"nvcc\"\n"
      "options = [\"-DB={BLOCK}\"]\n[problem]\nn = 64\n[params]\nBLOCK = [32, 64]\nFACTOR = [1]\n"
      "[launch]\ngrid = [1]\nblock = [\"BLOCK\"]\n"
      "[[args]]\nname = \"y\"\ntype = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n"
      "[check]\nreference = { entry = \"r\", grid = [1], block = [32] }\nrtol = 0.0\n");
  const ProgramResult result = gtune({"check", file.string(), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["compiles"].size(), 3U) << result.out;
  for (const json& compile : out["compiles"]) EXPECT_GT(compile["registers"].get<int>(), 0);

  const EnvironmentVariable none("GTUNE_NVCC", "/nonexistent");
  const ProgramResult without = gtune({"check", file.string()});
  EXPECT_EQ(without.exit_code, 1) << without.out;
  expect_one_clear_line(without);
  EXPECT_NE(without.err.find("GTUNE_NVCC"), std::string::npos) << without.err;
}

TEST_F(CheckCommand, AReferenceOnTheHostIsCompiledAndNotCalled) {
  write("k.cu", "extern \"C\" __global__ void k(float* y) { y[threadIdx.x] = B; }\n");
  write("r.cpp", "template <typename T> void r(T* y) { *reinterpret_cast<T*>(8) = *y; }\n");
  const auto file =
      write("k.toml",
            "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = 64\n[params]\nB = [1]\n"
            "[launch]\ngrid = [1]\nblock = [64]\n"
            "[[args]]\nname = \"y\"\ntype = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n"
            "[check]\nreference = { host = \"r.cpp\", entry = \"r<float>\" }\nrtol = 0.0\n");
  const ProgramResult good = gtune({"check", file.string(), "--json"});
  EXPECT_EQ(good.exit_code, 0) << good.err << good.out;
  EXPECT_EQ(json::parse(good.out)["compiles"].size(), 2U) << good.out;
  write("r.cpp", "\ntemplate <typename T> void r(T* y) { nope; }\n");
  const ProgramResult bad = gtune({"check", file.string()});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_NE(bad.out.find("k.toml:17:13: 'r<float>' (reference) does not compile: r.cpp:2:"),
            std::string::npos)
      << bad.out;
}

TEST_F(CheckCommand, WhatIsNotThereIsAMistakeOfTheQuestion) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "/nowhere.toml"},
        {"check", "nosuch"},
        {"check", data + "/toy.toml", "--arch", "sm_1"},
        {"init", "/nowhere.cu"}}) {
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[1];
    expect_one_clear_line(result);
  }
}

TEST_F(CheckCommand, InitWritesASpecThatChecksAndNeverOverOne) {
  const auto source = write("scale.cu",
                            "extern \"C\" __global__ void scale(const float* x, float* y, int n) "
                            "{\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < "
                            "n) y[i] = 2 * x[i];\n}\n");
  const ProgramResult first = gtune({"init", source.string()});
  ASSERT_EQ(first.exit_code, 0) << first.err << first.out;
  EXPECT_NE(first.out.find("no mistakes found"), std::string::npos) << first.out;
  std::ostringstream text;
  text << std::ifstream(folder / "scale.toml").rdbuf();
  EXPECT_NE(text.str().find("#:schema "), std::string::npos);
  EXPECT_EQ(gtune({"check", (folder / "scale.toml").string()}).exit_code, 0);
  std::ofstream(folder / "scale.toml") << "mine";
  const ProgramResult second = gtune({"init", source.string()});
  EXPECT_EQ(second.exit_code, 2);
  expect_one_clear_line(second);
  std::ostringstream kept;
  kept << std::ifstream(folder / "scale.toml").rdbuf();
  EXPECT_EQ(kept.str(), "mine");
}

TEST_F(CheckCommand, InitTakesHostCodeWithNvcc) {
  if (!std::filesystem::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "there is no nvcc";
  const auto source =
      write("host.cu",
            "#include <vector>\n__global__ void k(float* y, int n) { if (n > TILE) y[0] = 1; }\n"
            "int main() { std::vector<float> y(1); }\n");
  const ProgramResult result = gtune({"init", source.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("no mistakes found"), std::string::npos) << result.out;
  std::ostringstream text;
  text << std::ifstream(folder / "host.toml").rdbuf();
  EXPECT_NE(text.str().find("compiler = \"nvcc\""), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("TILE = ["), std::string::npos) << text.str();
}

TEST_F(CheckCommand, InitLooksForIncludesWhereItIsTold) {
  std::filesystem::create_directories(folder / "common");
  write("common/tile.h", "#define SCALE 2\n");
  const auto source =
      write("k.cu", "#include <tile.h>\n__global__ void k(float* y, int n) { y[n] = SCALE; }\n");
  const ProgramResult result = gtune({"init", source.string(), "-I", (folder / "common").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ostringstream text;
  text << std::ifstream(folder / "k.toml").rdbuf();
  EXPECT_NE(text.str().find("options = [\"-Icommon\"]"), std::string::npos) << text.str();
  const ProgramResult nowhere = gtune({"init", source.string(), "-I", "/nowhere", "-o", "x.toml"});
  EXPECT_EQ(nowhere.exit_code, 2);
  expect_one_clear_line(nowhere);
}

TEST_F(CheckCommand, InitTakesWhatTheBuildGivesTheCompiler) {
  write("types.h", "typedef float real;\n");
  const auto source = write("k.cu", "__global__ void k(real* y, int n) { y[N] = n; }\n");
  const ProgramResult result = gtune({"init", source.string(), "-D", "N=4", "-D", "FAST", "--std",
                                      "c++20", "--pre-include", (folder / "types.h").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ostringstream text;
  text << std::ifstream(folder / "k.toml").rdbuf();
  EXPECT_NE(text.str().find("options = [\"--std=c++20\", \"--pre-include=types.h\", \"-DN=4\", "
                            "\"-DFAST\"]"),
            std::string::npos)
      << text.str();
  for (const auto& words : {std::vector<std::string>{"-D", "4x=1"}, {"--std", "c++99"}}) {
    std::vector<std::string> all = {"init", source.string(), "-o", "other.toml"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult refused = gtune(all);
    EXPECT_EQ(refused.exit_code, 2);
    expect_one_clear_line(refused);
  }
}

TEST_F(CheckCommand, InitWithoutNvccRefusesHostCodeInOneLine) {
  const auto source =
      write("host.cu", "#include <cstdio>\n__global__ void k() {}\nint main() { return 0; }\n");
  const EnvironmentVariable none("GTUNE_NVCC", "/nonexistent");
  const ProgramResult result = gtune({"init", source.string()});
  EXPECT_EQ(result.exit_code, 1);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("host code"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "host.toml"));
}

TEST_F(CheckCommand, InitAdvisesNoCommandWhoseFileIsAnOption) {
  write("-lead.cu", "__global__ void k(float* y, int n) { if (threadIdx.x < n) y[0] = 1; }\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  const ProgramResult result = gtune({"init", "--", "-lead.cu"});
  const ProgramResult check = gtune({"check", "./-lead.toml"});
  std::filesystem::current_path(before);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("then gtune check ./-lead.toml, then gtune tune ./-lead.toml"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

/// The one-line refusal of a file of the wrong kind.
TEST_F(CheckCommand, WhatIsNoSpecOrNoSourceIsRefusedWithWhatToDo) {
  const std::string source = write("scale.cu", "__global__ void k() {}\n").string();
  const std::string host = write("host.cu", "int main() {}\n").string();
  const std::string spec = write("own.toml", "").string();
  const std::string text = write("x.txt", "").string();
  const struct {
    std::vector<std::string> arguments;
    int exit_code;
    std::string expected;
  } cases[] = {
      {{"init", host}, 1, "has no kernel; expected a __global__ function"},
      {{"init", spec}, 2, "is a spec; expected a CUDA source, FILE.cu (gtune check"},
      {{"init", source, "-o", text},
       2,
       "is not named like a spec; expected -o " + (folder / "x.toml").string()},
      {{"tune", source}, 2, "is a source; expected its spec, FILE.toml: gtune init " + source},
      {{"query", source}, 2, "is a source; expected its spec"},
      {{"check", source}, 2, "is a source; expected its spec"},
      {{source}, 2, "is a source; expected its spec"},
      {{"check", text}, 2, "is not named like a spec; expected FILE.toml"},
      {{"tune", text}, 2, "is not named like a spec; expected FILE.toml"},
      {{"check"}, 2, "KERNEL is missing, as in: gtune check mykernel.toml"},
      {{"init"}, 2, "FILE.cu is missing, as in: gtune init mykernel.cu"},
  };
  for (const auto& each : cases) {
    const ProgramResult result = gtune(each.arguments);
    EXPECT_EQ(result.exit_code, each.exit_code) << each.arguments[0];
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(each.expected), std::string::npos) << result.err;
  }
}

TEST_F(CheckCommand, InitNamesAKernelWhoseFileCannot) {
  const std::string kernel =
      "__global__ void k(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }\n";
  for (const auto& [stem, name] :
       {std::pair("my-kernel", "my_kernel"), std::pair("3d", "kernel_3d"),
        std::pair("tune", "tune_kernel")}) {
    const auto source = write(std::string(stem) + ".cu", kernel);
    const ProgramResult result = gtune({"init", source.string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("no mistakes found"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("the kernel is called " + std::string(name)), std::string::npos)
        << result.out;
  }
}

TEST_F(CheckCommand, AWrongNameHidesNoOtherMistake) {
  write("k.cu", "__global__ void k(float* y) { y[0] = nonsense; }\n");
  const auto file =
      write("my-kernel.toml",
            "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = 64\n[params]\nBLOCK = "
            "[64]\n[launch]\ngrid = [1]\nblock = [\"BLOCK\"]\n[[args]]\nname = \"y\"\ntype = "
            "\"f32\"\ncount = \"n\"\ndirection = \"out\"\n[check]\nreference = \"none\"\n");
  const ProgramResult result = gtune({"check", file.string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("my-kernel.toml:1:1: the kernel's name 'my-kernel'"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("does not compile"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace gtune::test
