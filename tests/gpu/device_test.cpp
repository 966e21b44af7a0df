// On a real GPU: planted faults are caught, the good configurations are not affected, and one
// tuner at a time measures. Skipped, visibly, where there is no device.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/run_program.hpp"

namespace gtune::test {
namespace {

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult devices = run_program({GTUNE_BINARY, "devices"});
    if (devices.exit_code != 0) {
      // Where there has to be one, a driver that broke must not look like a pass.
      ASSERT_EQ(std::getenv("GTUNE_REQUIRE_GPU"), nullptr) << devices.err;
      GTEST_SKIP() << devices.err;
    }
    char name[] = "/tmp/gtune-gpu-XXXXXX";
    folder = mkdtemp(name);
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }

  ProgramResult gtune(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), GTUNE_BINARY);
    return run_program(arguments,
                       {"GTUNE_DB=" + database(), "GTUNE_CACHE=" + folder.string() + "/cache"});
  }
  [[nodiscard]] std::string database() const { return (folder / "gtune.db").string(); }

  std::filesystem::path folder;
};

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

TEST_F(OnDevice, SgemmIsRightOnRaggedSizes) {
  const ProgramResult result = gtune({"sgemm", "--M", "257", "--N", "131", "--K", "67", "--device",
                                      "0", "--budget", "40", "--strategy", "random", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["statuses"], nlohmann::json({{"ok", 40}})) << out["failures"];
}

TEST_F(OnDevice, ASecondTunerIsToldWhoHoldsTheGpu) {
  std::thread first([&] { static_cast<void>(gtune({"copy", "--device", "0", "--budget", "4s"})); });
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const ProgramResult second =
      run_program({GTUNE_BINARY, "transpose", "--device", "0", "--no-wait"},
                  {"GTUNE_DB=" + folder.string() + "/second.db"});
  first.join();
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_NE(second.err.find("in use by gtune, process"), std::string::npos) << second.err;
}

}  // namespace
}  // namespace gtune::test
