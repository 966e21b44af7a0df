#include "jit/launch_only.hpp"

#include <gtest/gtest.h>

#include "jit/support.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

using Names = std::vector<std::string>;

Names launch_only_of(const std::filesystem::path& spec_file, const std::filesystem::path& kernels) {
  const std::vector<std::filesystem::path> folders = {kernels};
  const KernelSpec spec = read_spec(spec_file, folders);
  return launch_only_parameters(spec, KernelSource(spec.source, spec.compiler));
}

/// A kernel with parameters BLOCK, GRID and STEP. `more` adds keys to [kernel].
class LaunchOnly : public testing::Test {
 protected:
  [[nodiscard]] Names of(const std::string& source, const std::string& entry,
                         const std::string& more = "") const {
    (void)m_folder.write("k.cu", source);
    const auto file = m_folder.write(
        "k.toml", "[kernel]\nsource = \"k.cu\"\nentry = \"" + entry + "\"\n" + more +
                      "[problem]\nn = { default = 64 }\n[params]\nBLOCK = [32, 64]\n"
                      "GRID = [1, 2]\nSTEP = [1, 2]\n[let]\ntwice = \"2 * STEP\"\n"
                      "[launch]\ngrid = [\"GRID\"]\nblock = [\"BLOCK\"]\n[[args]]\nname = \"out\"\n"
                      "type = \"f32\"\ncount = \"n\"\ndirection = \"out\"\n[check]\n"
                      "reference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n");
    return launch_only_of(file, m_folder.path());
  }

  test::TemporaryFolder m_folder;
};

TEST_F(LaunchOnly, IsWhatNeitherSourceNorTemplateNorOptionsSee) {
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

TEST_F(LaunchOnly, IsSplitAloneOfTheBundledProduct) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  EXPECT_EQ(launch_only_of(root / "tuner_configs" / "sgemm.toml", root / "kernels"),
            Names{"SPLIT"});
}

}  // namespace
}  // namespace gtune
