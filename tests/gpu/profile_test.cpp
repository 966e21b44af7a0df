// Hardware metrics of a copy, whose every byte is known. Skipped without a device whose counters
// may be read.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/needs_gpu.hpp"
#include "model/checked_json.hpp"
#include "support/build_under_test.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
constexpr double bytes = 268435456;

class Counters : public NeedsGpu {
 protected:
  [[nodiscard]] ProgramResult copy(const std::vector<std::string>& more,
                                   const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments = {
        test::gtune_binary(),
        "copy",
        "--bytes",
        "268435456",
        "--device",
        "0",
        "--config",
        "WIDTH=4,UNROLL=4,BLOCK=256,BLOCKS_PER_SM=0,CACHE=0,BULK=0",
        "--json",
        "--fresh"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> all = {"GTUNE_DB=" + (m_folder.path() / "gtune.db").string(),
                                    "GTUNE_CACHE=" + (m_folder.path() / "cache").string()};
    all.insert(all.end(), environment.begin(), environment.end());
    return run_program(arguments, all);
  }
  /// The metrics by name; empty if the counters may not be read.
  [[nodiscard]] json metrics_of_copy(const std::vector<std::string>& more = {}) const {
    const ProgramResult result = copy(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (result.err.find("no hardware metrics") != std::string::npos) return {};
    return json::parse(result.out)["best"]["metrics"];
  }

  TemporaryFolder m_folder;
};

TEST_F(Counters, ACoalescedCopyIsWhatItIs) {
  const json metrics = metrics_of_copy();
  if (metrics.is_null()) GTEST_SKIP() << "counters may not be read";
  const auto value = [&](const char* name) { return metrics[name]["value"].get<double>(); };
  EXPECT_NEAR(value("gld_efficiency"), 100, 0.5);
  EXPECT_NEAR(value("gst_efficiency"), 100, 0.5);
  EXPECT_NEAR(value("gld_transactions"), bytes / 32, bytes / 32 * 0.01);
  EXPECT_NEAR(value("gst_transactions"), bytes / 32, bytes / 32 * 0.01);
  EXPECT_NEAR(value("gld_requested_bytes"), bytes, bytes * 0.01);
  EXPECT_EQ(value("async_requested_bytes"), 0);
  EXPECT_NEAR(value("dram_read_bytes"), bytes, bytes * 0.1);
  EXPECT_NEAR(value("l1_bytes"), 2 * bytes, 2 * bytes * 0.01);  // read and written
  EXPECT_GT(value("l2_bytes"), 2 * bytes * 0.95);
  EXPECT_LT(value("l2_bytes"), 4 * bytes * 1.1);  // of two partitions
  EXPECT_EQ(value("bank_conflicts"), 0);
  EXPECT_GT(value("dram_throughput"), 20);
  EXPECT_LE(value("dram_throughput"), 100);
  EXPECT_GT(value("achieved_occupancy"), 10);
}

TEST_F(Counters, AStrideAndAnOffsetShow) {
  const json strided = metrics_of_copy({"--stride", "8"});
  if (strided.is_null()) GTEST_SKIP() << "counters may not be read";
  EXPECT_NEAR(strided["gld_efficiency"]["value"].get<double>(), 12.5, 0.5);
  const json offset = metrics_of_copy({"--in_offset", "4"});
  EXPECT_NEAR(offset["gld_efficiency"]["value"].get<double>(), 80, 1);  // four of five sectors
}

TEST_F(Counters, HiddenCuptiCostsOneLine) {
  const ProgramResult result = copy({"--quiet"}, {"GTUNE_CUPTI=/nonexistent/libcupti.so"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("no hardware metrics: CUPTI cannot be opened"), std::string::npos)
      << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["best"]["metrics"]["ipc"]["value"], nullptr);
  EXPECT_GT(out["best"]["median_ms"], 0);
}

TEST_F(Counters, OneConfigurationRunsAlone) {
  const ProgramResult result =
      run_program({test::gtune_binary(), "run", "copy", "--bytes", "268435456", "--config", "naive",
                   "--launches", "3", "--flush-l2", "--json"},
                  {"GTUNE_CACHE=" + (m_folder.path() / "cache").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json out = json::parse(result.out);
  EXPECT_EQ(out["baseline"], "naive");
  ASSERT_EQ(out["ms"].size(), 3U);
  for (const json& ms : out["ms"]) EXPECT_GT(ms, 0);
}

}  // namespace
}  // namespace gtune::test
