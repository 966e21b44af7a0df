// After killed tuners and lost workers nothing stored is lost, doubled or torn.
#include <SQLiteCpp/SQLiteCpp.h>

#include <csignal>
#include <ostream>
#include <random>

#include "fixture.hpp"
#include "support/build_under_test.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Survival : public CliTest {};

std::int64_t count(const std::filesystem::path& database, const std::string& sql) {
  SQLite::Database db(database.string());
  return db.execAndGet(sql).getInt64();
}

TEST_F(Survival, FiftyKillsLoseNothing) {
  const json undisturbed = tune_toy();
  std::filesystem::remove(database);
  std::vector<std::string> argv = {test::gtune_binary()};
  for (const std::string& word : toy()) argv.push_back(word);
  std::vector<std::string> slow = environment();
  slow.emplace_back("GTUNE_REPLAY_DELAY_MS=2");
  std::mt19937 random(1);
  std::int64_t rows = 0;
  for (int round = 0; round < 50; ++round) {
    run_and_kill(argv, slow, static_cast<int>(random() % 150), SIGKILL);
    if (!std::filesystem::exists(database)) continue;
    SQLite::Database db(database.string(), SQLite::OPEN_READWRITE);
    ASSERT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok") << "round " << round;
    if (!db.tableExists("measurement")) continue;
    const std::int64_t now = db.execAndGet("SELECT COUNT(*) FROM measurement").getInt64();
    ASSERT_GE(now, rows) << "a stored row is gone, round " << round;
    rows = now;
  }
  const json final_run = tune_toy();
  EXPECT_EQ(final_run["best"]["config"], undisturbed["best"]["config"]);
  EXPECT_EQ(count(database, "SELECT COUNT(*) FROM measurement WHERE phase='search'"), 69);
  EXPECT_EQ(
      count(database, "SELECT COUNT(DISTINCT config_id) FROM measurement WHERE phase='search'"),
      69);
}

struct Fault {
  const char* text;  // GTUNE_FAULT
  int exit_code;
  int lost_at_least;  // configurations that get a status of their own
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.text; }

class WorkerFault : public CliTest, public ::testing::WithParamInterface<Fault> {};

TEST_P(WorkerFault, CostsNoMoreThanItsConfiguration) {
  const Fault& fault = GetParam();
  std::vector<std::string> arguments = toy({"--json", "--timeout", "0.05"});
  const ProgramResult result =
      gtune(arguments, {std::string("GTUNE_FAULT=") + fault.text, "GTUNE_WORKER_GRACE_MS=300"});
  ASSERT_EQ(result.exit_code, fault.exit_code) << result.err;
  if (fault.exit_code != 0) {
    EXPECT_NE(result.err.find("no worker stays up"), std::string::npos) << result.err;
    return;
  }
  const json out = json::parse(result.out);
  const int lost = out["statuses"].value("crashed", 0) + out["statuses"].value("timeout", 0);
  EXPECT_GE(lost, fault.lost_at_least);
  EXPECT_EQ(out["tried"], 69);
  EXPECT_GE(out["statuses"]["ok"], 40);
  EXPECT_GE(out["workers_lost"], fault.lost_at_least);
}

// Each process misbehaves at its Nth message; so do its replacements.
INSTANTIATE_TEST_SUITE_P(, WorkerFault,
                         ::testing::Values(Fault{"worker:crash@measure#20", 0, 3},
                                           Fault{"worker:hang@measure#40", 0, 1},
                                           Fault{"worker:garbage@measure#20", 0, 3},
                                           Fault{"worker:truncate@measure#20", 0, 3},
                                           Fault{"worker:exit@measure#20", 0, 3},
                                           Fault{"worker:crash@hello#1", 1, 0},
                                           Fault{"worker:garbage@prepare#1", 1, 0},
                                           Fault{"worker:truncate@open_problem#1", 1, 0},
                                           Fault{"worker:hang@hello#1", 1, 0},
                                           Fault{"worker:hang@open_problem#1", 1, 0}),
                         [](const auto& named) {
                           std::string name = named.param.text;
                           for (char& c : name) {
                             if (!isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

TEST_F(Survival, AKernelThatAlwaysKillsItsWorkerEndsTheRun) {
  const ProgramResult result = gtune(toy(), {"GTUNE_FAULT=worker:crash@measure#1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("workers lost in a row"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace gtune::test
