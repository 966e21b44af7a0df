#include "jit/unnamed_parameters.hpp"

#include <gtest/gtest.h>

#include "jit/support.hpp"
#include "spec/launch_only.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

using Names = std::vector<std::string>;

/// The launch-only parameters of a configuration.
Names launch_only_of(const KernelSpec& spec, const Config& config) {
  const KernelSource source(spec.source, spec.compiler);
  Names names;
  for (const Parameter* param : LaunchOnly(spec, unnamed_parameters(spec, source)).of(config)) {
    names.push_back(param->name);
  }
  return names;
}

/// A kernel with parameters BLOCK, GRID and STEP. `more` adds keys to [kernel].
class UnnamedParameters : public testing::Test {
 protected:
  [[nodiscard]] Names of(const std::string& source, const std::string& entry,
                         const std::string& more = "", std::int64_t block = 32) const {
    (void)m_folder.write("k.cu", source);
    const auto file = m_folder.write(
        "k.toml", "[kernel]\nsource = \"k.cu\"\nentry = \"" + entry + "\"\n" + more +
                      "[problem]\nn = { default = 64 }\n[params]\nBLOCK = [32, 64]\n"
                      "GRID = [1, 2]\nSTEP = [1, 2]\n[let]\ntwice = \"2 * STEP\"\n"
                      "step_of_wide = \"BLOCK > 32 && n > 0 ? STEP : BLOCK\"\n"
                      "[launch]\ngrid = [\"GRID\"]\nblock = [\"BLOCK\"]\n[[args]]\nname = \"out\"\n"
                      "type = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n[check]\n"
                      "reference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n");
    const std::vector<std::filesystem::path> folders = {m_folder.path()};
    return launch_only_of(read_spec(file, folders), {{"BLOCK", block}, {"GRID", 1}, {"STEP", 1}});
  }

  test::TemporaryFolder m_folder;
};

TEST_F(UnnamedParameters, AreLaunchOnlyUnlessACompiledExpressionDependsOnThem) {
  const std::string plain = "extern \"C\" __global__ void k(float* out) {}\n";
  EXPECT_EQ(of(plain, "k"), (Names{"BLOCK", "GRID", "STEP"}));
  EXPECT_EQ(of("template <int B> __global__ void k(float* out) {}\n", "k<BLOCK>"),
            (Names{"GRID", "STEP"}));
  EXPECT_EQ(of("template <int T> __global__ void k(float* out) {}\n", "k<twice>"),
            (Names{"BLOCK", "GRID"}));
  EXPECT_EQ(of("extern \"C\" __global__ void k(float* out) { out[GRID] = 0; }\n", "k"),
            (Names{"BLOCK", "STEP"}));
  EXPECT_EQ(of(plain, "k", "options = [\"-DSIZE={BLOCK}\"]\n"), (Names{"GRID", "STEP"}));
  EXPECT_EQ(of(plain, "k", "macros = { SIZE = \"n * STEP\" }\n"), (Names{"BLOCK", "GRID"}));
}

TEST_F(UnnamedParameters, AreLaunchOnlyInConfigurationsThatTakeAnotherBranch) {
  const std::string source = "template <int T> __global__ void k(float* out) {}\n";
  EXPECT_EQ(of(source, "k<step_of_wide>", "", 32), (Names{"GRID", "STEP"}));
  EXPECT_EQ(of(source, "k<step_of_wide>", "", 64), Names{"GRID"});
}

TEST(UnnamedParametersOfSgemm, AreSplitAndTheLayoutOfATile) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> folders = {root / "kernels"};
  const KernelSpec spec = read_spec(root / "tuner_configs" / "sgemm.toml", folders);
  EXPECT_EQ(unnamed_parameters(spec, KernelSource(spec.source, spec.compiler)),
            (Names{"BM", "BN", "BK", "LANE_ROWS", "K_LANES", "K_WARPS", "UNROLL", "KEEP_A",
                   "MIN_BLOCKS", "SPLIT"}));
}

}  // namespace
}  // namespace gtune
