// The source lines of a copy, which waits for its loads. Skipped without a device that can be
// sampled.
#include <gtest/gtest.h>

#include "gpu/needs_gpu.hpp"
#include "model/checked_json.hpp"
#include "support/build_under_test.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class SourceLines : public NeedsGpu {
 protected:
  [[nodiscard]] ProgramResult gtune(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), test::gtune_binary());
    return run_program(arguments, {"GTUNE_DB=" + (m_folder.path() / "gtune.db").string(),
                                   "GTUNE_CACHE=" + (m_folder.path() / "cache").string()});
  }
  /// Tunes one configuration for each size, and samples its lines.
  [[nodiscard]] ProgramResult copy(const std::string& bytes, const std::string& profile) const {
    return gtune({"copy", "--bytes", bytes, "--device", "0", "--config",
                  "WIDTH=4,UNROLL=4,BLOCK=256,BLOCKS_PER_SM=0,CACHE=0,BULK=0", "--json", "--quiet",
                  "--profile", profile});
  }

  TemporaryFolder m_folder;
};

TEST_F(SourceLines, OfACopyAreItsLoadsAndStores) {
  const ProgramResult tuned = copy("268435456", "lines");
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  if (tuned.err.find("no source lines") != std::string::npos) GTEST_SKIP() << tuned.err;
  for (const char* config : {"best", "naive"}) {
    const ProgramResult result =
        gtune({"explain", "copy", "--lines", "--json", "--config", config});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json explained = json::parse(result.out)["explanations"][0];
    EXPECT_GT(explained["samples"], 1000);
    EXPECT_EQ(explained["dropped"], 0);
    const json& first = explained["lines"][0];
    EXPECT_GT(first["share"], 0.1);
    EXPECT_EQ(first["file"].get<std::string>().find('/'), std::string::npos) << first;
    EXPECT_NE(first["code"], "") << first;
    EXPECT_GT(first["stalls"].value("long_scoreboard", 0) + first["stalls"].value("lg_throttle", 0),
              0)
        << first;
  }
}

/// CUPTI gives samples of a kernel to one that was unloaded from the same place before it.
TEST_F(SourceLines, OfKernelsAfterTheFirstAreTheirOwn) {
  const ProgramResult tuned =
      gtune({"transpose", "--rows", "2048", "--device", "0", "--config",
             "KIND=0,TILE_R=64,TILE_C=64,THREADS=256,WIDTH=16,STAGES=1,SQUARES=1,STRIPS=1,BAND=0",
             "--quiet", "--profile", "lines"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  if (tuned.err.find("no source lines") != std::string::npos) GTEST_SKIP() << tuned.err;
  for (const char* config : {"best", "naive", "tiled"}) {
    const ProgramResult result =
        gtune({"explain", "transpose", "--lines", "--json", "--config", config});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json explained = json::parse(result.out)["explanations"][0];
    ASSERT_FALSE(explained["lines"].empty()) << config;
    for (const json& line : explained["lines"]) EXPECT_NE(line["file"], "") << config << line;
  }
}

TEST_F(SourceLines, AreSampledOfEachProblemOfASweep) {
  const ProgramResult tuned = copy("1048576,2097152", "lines");
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  if (tuned.err.find("no source lines") != std::string::npos) GTEST_SKIP() << tuned.err;
  const ProgramResult result = gtune({"explain", "copy", "--lines", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["explanations"].size(), 2U);
}

}  // namespace
}  // namespace gtune::test
