// On a real GPU: planted faults are caught, good configurations are unaffected, and one tuner at a
// time measures. Skipped, visibly, if there is no device.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <thread>

#include "gpu/needs_gpu.hpp"
#include "model/checked_json.hpp"
#include "support/build_under_test.hpp"
#include "support/environment_variable.hpp"
#include "support/run_program.hpp"

namespace gtune::test {
namespace {

class OnDevice : public NeedsGpu {
 protected:
  void SetUp() override {
    NeedsGpu::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    char name[] = "/tmp/gtune-gpu-XXXXXX";
    folder = mkdtemp(name);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }

  ProgramResult gtune(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), test::gtune_binary());
    return run_program(arguments,
                       {"GTUNE_DB=" + database(), "GTUNE_CACHE=" + folder.string() + "/cache"});
  }
  [[nodiscard]] std::string database() const { return (folder / "gtune.db").string(); }

  std::filesystem::path folder;
};

TEST_F(OnDevice, ATensorMapReachesTheKernel) {
  // K = 100 has an aligned pitch for TMA, K = 77 does not. A constraint excludes other devices.
  for (const char* k : {"100", "77"}) {
    const ProgramResult result = gtune({"sgemm", "--math", "tf32x3", "--M", "300", "--K", k,
                                        "--device", "0", "--budget", "5s", "--json"});
    if (result.err.find("has_wgmma") != std::string::npos) {
      EXPECT_EQ(result.exit_code, 4);
      GTEST_SKIP() << result.err;
    }
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto out = nlohmann::json::parse(result.out);
    EXPECT_EQ(out["kernel"], "sgemm_tf32x3");
    EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  }
}

TEST_F(OnDevice, EveryPlantedFaultIsCaught) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/faults.toml", "--device", "0",
             "--strategy", "exhaustive", "--timeout", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["best"]["config"]["FAULT"], 0);
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);

  const std::map<int, std::string> expected = {{0, "ok"},
                                               {1, "wrong_result"},
                                               {2, "wrong_result"},
                                               {3, "wrong_result"},
                                               {4, "wrong_result"},
                                               {5, "wrong_result"},
                                               {6, "timeout"},
                                               {7, "crashed"},
                                               {8, "crashed"},
                                               {9, "crashed"},
                                               {10, "wrong_result"},
                                               {11, "pruned"},
                                               {12, "compile_error"},
                                               {13, "wrong_result"}};
  SQLite::Database db(database());
  SQLite::Statement rows(db,
                         "SELECT FAULT, BLOCK, status, reason FROM all_faults "
                         "WHERE phase = 'search'");
  int seen = 0;
  while (rows.executeStep()) {
    ++seen;
    EXPECT_EQ(rows.getColumn(2).getString(), expected.at(rows.getColumn(0).getInt()))
        << "FAULT " << rows.getColumn(0).getInt() << ", BLOCK " << rows.getColumn(1).getInt()
        << ": " << rows.getColumn(3).getString();
  }
  EXPECT_EQ(seen, 56);
}

TEST_F(OnDevice, AReferenceThatWritesOutOfBoundsIsBlamedItself) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/wrong_reference.toml",
             "--device", "0", "--strategy", "exhaustive"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("the spec's reference kernel is wrong: out: written out of bounds, 0 "
                            "bytes after the end"),
            std::string::npos)
      << result.err;
  SQLite::Database db(database());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM measurement").getInt(), 0);
}

TEST_F(OnDevice, AKernelOfNvccIsComparedWithAFunctionOnTheHost) {
  const EnvironmentVariable trust("GTUNE_TRUST", std::string(GTUNE_SOURCE_DIR) + "/tests/faults");
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/host.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto out = nlohmann::json::parse(result.out);
  if (out["device"]["arch"] < "sm_90") GTEST_SKIP() << "launches overlap from sm_90 on";
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 1}, {"wrong_result", 1}})) << out["failures"];
}

TEST_F(OnDevice, KernelsReadAndWriteSurfaces) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/surface.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}, {"wrong_result", 2}})) << out["failures"];
}

TEST_F(OnDevice, AnEntryOfTheSpecJudgesAnOutput) {
  const std::string faults = std::string(GTUNE_SOURCE_DIR) + "/tests/faults/";
  const ProgramResult result =
      gtune({"tune", faults + "bag.toml", "--device", "0", "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}, {"wrong_result", 2}})) << out["failures"];
  EXPECT_NE(out["failures"].dump().find("kept: the compare entry counts"), std::string::npos)
      << out["failures"];
  const ProgramResult wrong = gtune({"tune", faults + "bag_wrong.toml", "--device", "0"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(
      wrong.err.find("in the reference itself, kept: the compare entry counts 4096 mismatches"),
      std::string::npos)
      << wrong.err;
}

TEST_F(OnDevice, AReferenceOnTheHostThatCrashesOrIsNotTrustedEndsTheRunInALine) {
  const std::string spec = std::string(GTUNE_SOURCE_DIR) + "/tests/faults/host_crash.toml";
  {
    const EnvironmentVariable trust("GTUNE_TRUST", std::string(GTUNE_SOURCE_DIR));
    const ProgramResult crashed = gtune({"tune", spec, "--device", "0"});
    EXPECT_EQ(crashed.exit_code, 1);
    EXPECT_NE(crashed.err.find("the reference on the host ended without a result (signal 11"),
              std::string::npos)
        << crashed.err;
  }
  const EnvironmentVariable nobody("GTUNE_TRUST", "");
  const ProgramResult refused = gtune({"tune", spec, "--device", "0"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("set GTUNE_TRUST="), std::string::npos) << refused.err;
}

TEST_F(OnDevice, BuffersAreFilledAsTheSpecSays) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/data.toml", "--device", "0",
             "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}})) << out["failures"];
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
}

/// Distinct statuses of each FAULT of a spec, over all BLOCKs.
std::map<int, std::string> statuses_by_fault(const std::string& database, const std::string& view) {
  SQLite::Database db(database);
  SQLite::Statement rows(db, "SELECT FAULT, group_concat(DISTINCT status) FROM " + view +
                                 " WHERE phase = 'search' GROUP BY FAULT");
  std::map<int, std::string> statuses;
  while (rows.executeStep()) statuses[rows.getColumn(0).getInt()] = rows.getColumn(1).getString();
  return statuses;
}

TEST_F(OnDevice, OfEachOutputOnlyTheSaidPartIsCompared) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/partly_params.toml", "--device",
             "0", "--strategy", "exhaustive"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::map<int, std::string> expected = {{0, "ok"},          {1, "ok"}, {2, "wrong_result"},
                                               {3, "ok"},          {4, "ok"}, {5, "wrong_result"},
                                               {6, "wrong_result"}};
  EXPECT_EQ(statuses_by_fault(database(), "all_partly_params"), expected);
}

TEST_F(OnDevice, WithoutAReferenceOnlyWhatIsOutOfBoundsIsWrong) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/partly_none.toml", "--device",
             "0", "--strategy", "exhaustive"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("partly_none (results not checked: reference = \"none\")"))
      << result.out;
  std::map<int, std::string> expected;
  for (int fault = 0; fault <= 6; ++fault) expected[fault] = fault == 5 ? "wrong_result" : "ok";
  EXPECT_EQ(statuses_by_fault(database(), "all_partly_none"), expected);
}

TEST_F(OnDevice, BuffersAndResultsComeFromFiles) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/spmv/spmv.toml", "--device",
             "0", "--strategy", "exhaustive"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(statuses_by_fault(database(), "all_spmv"),
            (std::map<int, std::string>{{0, "ok"}, {1, "wrong_result"}}));
}

TEST_F(OnDevice, StepsRunInOrderAndTheirFaultsAreCaught) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/steps.toml", "--device", "0",
             "--strategy", "exhaustive", "--timeout", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::map<int, std::string> expected = {{0, "ok"},           {1, "wrong_result"},
                                               {2, "crashed"},      {3, "timeout"},
                                               {4, "wrong_result"}, {5, "wrong_result"}};
  EXPECT_EQ(statuses_by_fault(database(), "all_steps"), expected);
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  ASSERT_TRUE(out["best"]["metrics"].contains("step_time:add")) << out["best"];
  EXPECT_GT(out["best"]["metrics"]["step_time:add"]["value"].get<double>(), 0);
  EXPECT_FALSE(out["best"]["metrics"].contains("step_time:prepare"));  // it is not timed
  // The reason names the step that failed.
  SQLite::Database db(database());
  for (const char* status : {"crashed", "timeout"}) {
    SQLite::Statement reason(db, "SELECT DISTINCT reason FROM all_steps WHERE status = ?");
    reason.bind(1, status);
    ASSERT_TRUE(reason.executeStep());
    EXPECT_EQ(reason.getColumn(0).getString().substr(0, 11), "step finish");
  }
}

TEST_F(OnDevice, ChunksAreCopiedAndWorkedOnOnSeveralStreams) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/chunks.toml", "--device", "0",
             "--strategy", "exhaustive", "--timeout", "2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["best"]["config"]["ORDERED"], 1);
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  const nlohmann::json& metrics = out["best"]["metrics"];
  for (const char* step : {"fill", "in", "work", "add", "out"}) {
    EXPECT_TRUE(metrics.contains(std::string("step_time:") + step)) << step << ": " << metrics;
  }
  EXPECT_FALSE(metrics.contains("step_time:out_at_once"));
  SQLite::Database db(database());
  SQLite::Statement rows(db,
                         "SELECT FAULT, group_concat(DISTINCT status) FROM all_chunks WHERE "
                         "phase = 'search' AND ORDERED = 1 GROUP BY FAULT");
  std::map<int, std::string> statuses;
  while (rows.executeStep()) statuses[rows.getColumn(0).getInt()] = rows.getColumn(1).getString();
  const std::map<int, std::string> expected = {
      {0, "ok"}, {1, "crashed"}, {2, "timeout"}, {3, "wrong_result"}};
  EXPECT_EQ(statuses, expected);
  // A copy that does not wait for earlier work is a race, which the whole run shows.
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM all_chunks WHERE phase = 'search' AND ORDERED = 0 "
                          "AND status = 'wrong_result'")
                .getInt(),
            2);
}

TEST_F(OnDevice, AParameterChoosesTheKindOfMemoryAndStreamsTakeTurns) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/placed.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["checked_on_awkward_sizes"], true);
  EXPECT_EQ(statuses_by_fault(database(), "all_placed"),
            (std::map<int, std::string>{{0, "ok"}, {1, "wrong_result"}, {2, "wrong_result"}}));
  // Five kinds on one to three streams, and three kinds that kernels reach.
  SQLite::Database db(database());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM (SELECT DISTINCT MEMORY, DIRECT, STREAMS FROM "
                          "all_placed WHERE phase = 'search' AND FAULT = 0)")
                .getInt(),
            18);
}

TEST_F(OnDevice, ASecondGpuHoldsPeerMemory) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/examples/classics/peer.toml", "--device",
             "0", "--bytes", "4194304", "--direction", "2", "--strategy", "exhaustive", "--json"});
  if (result.err.find("needs a second GPU") != std::string::npos) {
    EXPECT_EQ(result.exit_code, 1) << result.err;
    GTEST_SKIP() << result.err;
  }
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 21}})) << out["failures"];
}

TEST_F(OnDevice, CopiesAloneCanBeTuned) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/copies.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 4}})) << out["failures"];
}

TEST_F(OnDevice, LaunchesMayBeCooperativeAndOfClusters) {
  for (const char* name : {"cooperative", "clusters"}) {
    SCOPED_TRACE(name);
    const std::string spec = std::string(GTUNE_SOURCE_DIR) + "/tests/faults/" + name + ".toml";
    const ProgramResult result =
        gtune({"tune", spec, "--device", "0", "--strategy", "exhaustive", "--json"});
    if (result.err.find("clusters need compute capability") != std::string::npos) continue;
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto out = nlohmann::json::parse(result.out);
    EXPECT_EQ(out["statuses"].size(), 1U) << out["statuses"] << out["failures"];
  }
}

TEST_F(OnDevice, AProgrammaticLaunchBeginsBeforeTheOneBeforeItHasEnded) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/programmatic.toml", "--device",
             "0", "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  if (out["device"]["arch"] < "sm_90") GTEST_SKIP() << "launches overlap from sm_90 on";
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 1}, {"wrong_result", 1}})) << out["failures"];
  EXPECT_EQ(out["best"]["config"]["WAITS"], 1);
}

TEST_F(OnDevice, ACarveoutDecidesHowManyBlocksShareAnSm) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/carveout.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}})) << out["failures"];
}

TEST_F(OnDevice, ACooperativeGridIsAllThatTheDeviceHolds) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/resident.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  // One block more, or a launch that is not cooperative, would be refused or wrong.
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}, {"pruned", 2}})) << out["failures"];
  EXPECT_EQ(out["best"]["config"]["SPILL"], 0);
}

TEST_F(OnDevice, BuffersMayHaveAnotherSizeInEachConfiguration) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/padded.toml", "--device", "0",
             "--strategy", "exhaustive"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(statuses_by_fault(database(), "all_padded"),
            (std::map<int, std::string>{{0, "ok"}, {1, "wrong_result"}, {2, "wrong_result"}}));
}

TEST_F(OnDevice, ArgumentsMayBeStructsAndTablesOfPointers) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/structs.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}})) << out["failures"];
}

TEST_F(OnDevice, KernelsReadConstantMemoryAndTextures) {
  const ProgramResult result =
      gtune({"tune", std::string(GTUNE_SOURCE_DIR) + "/tests/faults/memory.toml", "--device", "0",
             "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 2}})) << out["failures"];
}

/// Every bundled kernel on sizes that divide nothing: one, a single row, primes, no K.
TEST_F(OnDevice, KernelsAreRightOnOddSizes) {
  const std::vector<std::string> tunings = {
      "sgemm --M 257 --N 131 --K 67",
      "sgemm --M 1 --N 1 --K 1",
      "sgemm --M 1 --N 301 --K 17",
      "sgemm --M 301 --N 1 --K 509 --TB",
      "sgemm --M 127 --N 251 --K 0",
      "sgemm --M 127 --N 251 --K 509 --TA",
      "sgemm --M 260 --N 132 --K 68 --TA --TB --LDA 264 --LDB 72 --LDC 140",
      "sgemm --M 200 --N 104 --K 3000 --deterministic",
      "sgemm --math tf32x3 --M 257 --N 131 --K 67",
      "sgemm --math tf32x3 --M 1 --N 301 --K 17",
      "sgemm --math tf32x3 --M 256 --N 132 --K 5000",
      "transpose --rows 1 --cols 1",
      "transpose --rows 127 --cols 251 --element 1",
      "transpose --rows 251 --cols 127 --element 2",
      "transpose --rows 127 --cols 1021 --element 8",
      "transpose --rows 33 --cols 257 --element 16",
      "transpose --rows 1027 --cols 517 --element 1 --batch 2",
      "transpose --rows 100003 --cols 3 --element 1",
      "transpose --rows 7 --cols 30011 --element 2 --batch 3",
      "copy --bytes 1",
      "copy --bytes 1048573",
  };
  for (const std::string& tuning : tunings) {
    SCOPED_TRACE(tuning);
    std::istringstream words(tuning);
    std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
    for (const char* word : {"--device", "0", "--budget", "6", "--strategy", "random", "--json"}) {
      arguments.emplace_back(word);
    }
    const ProgramResult result = gtune(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto out = nlohmann::json::parse(result.out);
    EXPECT_EQ(out["statuses"].size(), 1U) << out["statuses"] << out["failures"];
    EXPECT_GT(out["statuses"]["ok"], 0);
    EXPECT_EQ(out["checked_on_awkward_sizes"], true);
  }
}

TEST_F(OnDevice, TheDoctorExaminesTheGpu) {
  const ProgramResult result = gtune({"doctor", "--device", "0", "--json"});
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1) << result.out;
  const auto out = nlohmann::json::parse(result.out);
  ASSERT_EQ(out["devices"].size(), 1U);
  const auto& gpu = out["devices"][0];
  EXPECT_EQ(gpu["checks"].size(), 13U) << gpu;
  for (const auto& check : gpu["checks"]) {  // others may use the GPU
    if (check["check"] == "processes") continue;
    EXPECT_NE(check["verdict"], "BAD") << check;
  }
  EXPECT_TRUE(gpu["pci_bus_id"].is_string()) << gpu;
  EXPECT_GT(gpu["facts"]["sm_clock_mhz"], 0);
  EXPECT_GE(gpu["facts"]["max_sm_clock_mhz"], gpu["facts"]["sm_clock_mhz"]);
  EXPECT_TRUE(gpu["facts"]["clock_reasons"].is_number()) << gpu;
  EXPECT_TRUE(gpu["facts"]["lock_holder"].is_null()) << gpu;
}

TEST_F(OnDevice, TheDoctorSaysThatADeviceDoesNotExist) {
  const ProgramResult result = gtune({"doctor", "--device", "1000"});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_NE(result.out.find("no device 1000: this machine has "), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("usable"), std::string::npos) << result.out;
}

TEST_F(OnDevice, ASecondTunerIsToldWhoHoldsTheGpu) {
  std::thread first([&] { static_cast<void>(gtune({"copy", "--device", "0", "--budget", "4s"})); });
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const ProgramResult second =
      run_program({test::gtune_binary(), "transpose", "--device", "0", "--no-wait"},
                  {"GTUNE_DB=" + folder.string() + "/second.db"});
  first.join();
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_NE(second.err.find("in use by process"), std::string::npos) << second.err;
}

}  // namespace
}  // namespace gtune::test
