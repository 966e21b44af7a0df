// Energy without a GPU: --objective, metrics and queries on recordings with energies.
#include <SQLiteCpp/SQLiteCpp.h>

#include "fixture.hpp"
#include "model/energy_use.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Energy : public CliTest {
 protected:
  /// Gives the recording's kernels energies. VARIANT 0, which is slower than VARIANT 1, takes less.
  void record_energies() const {
    Recording recorded = read_recording(recording);
    for (RecordedMeasurement& each : recorded.measurements) {
      const Measurement& m = each.measurement;
      if (!m.timing) continue;
      const double power_w = m.config.find("VARIANT").value_or(1) == 0 ? 200 : 300;
      each.metrics = energy_metrics({m.timing->median_ms * power_w, power_w, 0, 0, 0});
    }
    write_recording(recorded, recording);
  }
  [[nodiscard]] ProgramResult query(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"query", data + "/toy.toml", "--n", "1048576"};
    words.insert(words.end(), more.begin(), more.end());
    return gtune(words);
  }
};

std::int64_t variant_of(const json& measurement) {
  return measurement["config"]["VARIANT"].get<std::int64_t>();
}

TEST_F(Energy, TheObjectiveChoosesTheWinnerAndTheReportComparesIt) {
  record_energies();
  const json by_time = tune_toy();
  EXPECT_EQ(by_time["objective"], "time");
  EXPECT_FALSE(by_time.contains("pareto"));
  const json by_energy = tune_toy({"--objective", "energy"});
  EXPECT_FALSE(by_energy["from_store"]) << "the run by time answers only for time";
  EXPECT_EQ(by_energy["objective"], "energy");
  EXPECT_EQ(variant_of(by_time["best"]), 1);
  EXPECT_EQ(variant_of(by_energy["best"]), 0);
  EXPECT_GT(by_energy["best"]["median_ms"], by_time["best"]["median_ms"]);
  EXPECT_TRUE(by_energy["best"]["metrics"]["energy_mj"]["value"].is_number());
  EXPECT_GE(by_energy["pareto"].size(), 2U);
  EXPECT_EQ(by_energy["pareto"][0]["least"], json({"time"}));

  const ProgramResult text = gtune(toy({"--quiet", "--objective", "energy"}));
  EXPECT_NE(text.out.find("this is the stored result of an earlier run"), std::string::npos);
  for (const char* part : {"objective", "least energy of a launch", "fastest", "time and energy"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << text.out;
  }
  EXPECT_NE(text.out.find("--objective energy"), std::string::npos) << "to run it again";
}

TEST_F(Energy, AMetricOfItsOwnNeedsNoObjective) {
  record_energies();
  const json plain = tune_toy();
  EXPECT_FALSE(plain["best"]["metrics"].contains("energy_mj"));
  const json asked = tune_toy({"--metrics", "energy_mj"});
  EXPECT_EQ(asked["best"]["config"], plain["best"]["config"]);
  EXPECT_EQ(asked["best"]["metrics"]["power_w"]["unit"], "W");
  EXPECT_EQ(asked["best"]["metrics"]["energy_mj"]["unit"], "mJ");
  EXPECT_TRUE(asked["baselines"][0]["metrics"].contains("energy_mj"));
}

TEST_F(Energy, ARunWithEnergiesIsRecordedWithThem) {
  record_energies();
  const auto again = folder / "again.jsonl";
  (void)tune_toy({"--metrics", "energy_mj", "--record", again.string()});
  const Recording recorded = read_recording(again);
  EXPECT_TRUE(std::any_of(recorded.measurements.begin(), recorded.measurements.end(),
                          [](const RecordedMeasurement& each) {
                            return each.measurement.phase == Phase::search &&
                                   energy_use(each.metrics).has_value();
                          }));
}

TEST_F(Energy, ARecordingWithoutEnergiesIsRefusedBeforeTheSearch) {
  const ProgramResult result = gtune(toy({"--objective", "edp"}));
  EXPECT_EQ(result.exit_code, 5) << result.err;
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("--objective edp: the recording has no energies"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("--metrics energy_mj"), std::string::npos) << result.err;
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("SELECT COUNT(*) FROM measurement").getInt(), 0);
}

TEST_F(Energy, AMetricThatARecordingLacksIsStoredWithTheReason) {
  const json out = tune_toy({"--metrics", "energy_mj"});
  EXPECT_EQ(out["best"]["metrics"]["energy_mj"]["reason"], "not in the recording");
}

TEST_F(Energy, MistakesAreOneClearLine) {
  const ProgramResult objective = gtune(toy({"--objective", "enery"}));
  EXPECT_EQ(objective.exit_code, 2);
  expect_one_clear_line(objective);
  EXPECT_NE(objective.err.find("'enery'; expected time, energy or edp"), std::string::npos)
      << objective.err;
  const ProgramResult metric = gtune(toy({"--metrics", "enegy_mj"}));
  EXPECT_EQ(metric.exit_code, 2);
  EXPECT_NE(metric.err.find("did you mean 'energy_mj'?"), std::string::npos) << metric.err;
  const ProgramResult listed = gtune({"metrics", "power_w"});
  EXPECT_EQ(listed.exit_code, 2);
  expect_one_clear_line(listed);
  EXPECT_NE(listed.err.find("power_w is no metric of CUPTI"), std::string::npos) << listed.err;
}

TEST_F(Energy, AQueryAnswersFromStoredEnergies) {
  record_energies();
  const json run = tune_toy({"--objective", "energy"});
  const ProgramResult result = query({"--objective", "energy", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json best = json::parse(result.out)["best"][0];
  EXPECT_EQ(best["config"], run["best"]["config"]);
  EXPECT_EQ(best["energy_mj"], run["best"]["metrics"]["energy_mj"]["value"]);
  EXPECT_FALSE(best.contains("pareto"));

  const json front = json::parse(query({"--pareto", "--json"}).out)["best"][0];
  EXPECT_EQ(front["pareto"], run["pareto"]);
  const ProgramResult csv = query({"--pareto", "--csv"});
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.out.begin(), csv.out.end(), '\n')),
            run["pareto"].size() + 1);
}

TEST_F(Energy, AQueryWithoutStoredEnergiesSaysHowToMeasureThem) {
  (void)tune_toy();
  const ProgramResult result = query({"--objective", "energy"});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("--objective energy measures it"), std::string::npos) << result.err;
  EXPECT_EQ(query({"--objective", "energy", "--field", "BLOCK"}).exit_code, 2);
}

}  // namespace
}  // namespace gtune::test
