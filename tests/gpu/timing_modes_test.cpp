// The modes of timing, with a copy that is short beside its launch. Skipped without a device.
#include <gtest/gtest.h>

#include "gpu/needs_gpu.hpp"
#include "model/checked_json.hpp"
#include "support/build_under_test.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class TimingModesOnDevice : public NeedsGpu {
 protected:
  /// The best of a run, after checking that it was timed in `mode`.
  [[nodiscard]] json best_of(const std::string& mode, std::vector<std::string> arguments) const {
    const std::vector<std::string> always = {"--device", "0",         "--json",
                                             "--quiet",  "--profile", "off"};
    arguments.insert(arguments.begin(), test::gtune_binary());
    arguments.insert(arguments.end(), always.begin(), always.end());
    const ProgramResult result =
        run_program(arguments, {"GTUNE_DB=" + (m_folder.path() / "gtune.db").string(),
                                "GTUNE_CACHE=" + (m_folder.path() / "cache").string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (result.exit_code != 0) return {};
    json best = json::parse(result.out)["best"];
    EXPECT_EQ(best["timing"], mode);
    return best;
  }
  [[nodiscard]] double copy_ms(const std::string& order, int streams,
                               const std::string& size) const {
    const std::string mode = order + (streams > 1 ? "/" + std::to_string(streams) : "");
    const json best = best_of(
        mode, {"copy", "--bytes", size, "--timing", order, "--streams", std::to_string(streams),
               "--config", "WIDTH=16,UNROLL=1,BLOCK=128,BLOCKS_PER_SM=0,CACHE=0,BULK=0"});
    return best.is_null() ? 0 : best["median_ms"].get<double>();
  }

  TemporaryFolder m_folder;
};

TEST_F(TimingModesOnDevice, DifferAsTheyShould) {
  const std::string small = "65536";
  EXPECT_LT(copy_ms("graph", 1, small), copy_ms("back-to-back", 1, small));
  const std::string in_l2 = "8388608";
  EXPECT_LT(copy_ms("warm", 1, in_l2), 0.9 * copy_ms("cold", 1, in_l2));
  // A few blocks leave room for those of other streams.
  EXPECT_LT(copy_ms("graph", 4, small), 0.8 * copy_ms("graph", 1, small));
  // More streams do not make memory faster.
  const std::string large = "268435456";
  EXPECT_NEAR(copy_ms("back-to-back", 4, large) / copy_ms("cold", 1, large), 1, 0.1);
}

TEST_F(TimingModesOnDevice, TakeKernelsOfSeveralStepsOnSeveralStreams) {
  const std::string chunks = std::string(GTUNE_SOURCE_DIR) + "/tests/faults/chunks.toml";
  for (const char* order : {"warm", "back-to-back", "graph"}) {
    const json best =
        best_of(std::string(order) + "/2", {"tune", chunks, "--timing", order, "--streams", "2",
                                            "--config", "CHUNKS=4,ORDERED=1,FAULT=0"});
    EXPECT_GT(best["median_ms"], 0) << order;
  }
}

TEST_F(TimingModesOnDevice, TuneSgemmWithWorkspaces) {
  const json best = best_of("graph/3", {"sgemm", "--M", "64", "--N", "64", "--K", "8192",
                                        "--timing", "graph", "--streams", "3", "--budget", "40"});
  EXPECT_GT(best["median_ms"], 0);
}

}  // namespace
}  // namespace gtune::test
