#include "answer/answer.hpp"

#include <algorithm>
#include <random>

#include "answer/time_model.hpp"
#include "spec/spec_reader.hpp"
#include "store/fixture.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

/// A spec for M rows and N columns in tiles of BM rows.
KernelSpec spec_of_rows(const std::string& padded, const std::string& constraint) {
  const TemporaryFolder files;
  files.write("k.cu", "");
  return read_spec(
      files.write("k.toml",
                  "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nM = 64\nN = 64\n"
                  "[params]\nBM = [1, 2, 4, 8, 16, 32, 64, 128]\nBK = [8]\n[constraints]\n" +
                      (constraint.empty() ? "" : "fits = \"" + constraint + "\"\n") +
                      "[launch]\ngrid = [1]\nblock = [32]\n[[args]]\nname = \"out\"\n"
                      "type = \"f32\"\ncount = \"M\"\ndirection = \"out\"\n" +
                      (padded.empty() ? "" : "[work]\npadded = \"" + padded + "\"\n") +
                      "[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\n"
                      "rtol = 0.0\n"),
      {});
}

class Answers : public StoreTest {
 protected:
  /// Stores runs on random devices and problems. Some find no winner; some times and sizes are
  /// equal.
  void store_random_runs(int count) {
    for (int i = 0; i < count; ++i) {
      DeviceFacts device = some_device();
      device.name = draw(2) == 0 ? "One" : "Two";
      device.uuid = device.name + std::to_string(draw(2));
      key.device = db.upsert_device(device);
      key.problem = db.upsert_problem("sgemm", problem());
      if (draw(5) == 0) {
        db.finish_run(begin_run(), RunResult{});
      } else if (draw(4) == 0) {
        db.insert_measurement(begin_run(), key, timed(size(), static_cast<double>(1 + draw(3))));
      } else {
        ended_run(size(), static_cast<double>(1 + draw(3)));
      }
    }
  }

  std::int64_t draw(std::int64_t below) {
    return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
  }
  std::int64_t size() { return std::int64_t{1} << draw(8); }
  Problem problem() { return {{"M", size()}, {"N", size()}}; }

  std::mt19937_64 random{7};
};

/// The answer is the winner of that very problem if there is one, else the fastest configuration by
/// a model of all measurements on devices of that name.
TEST_F(Answers, AreWhatWonOrWhatIsExpectedToBeTheFastest) {
  store_random_runs(150);
  const auto none = [](const std::vector<Winner>&) { return std::vector<Winner>(); };
  const KernelSpec spec = spec_of_rows("", "BM <= M");
  const SizeRules rules(spec);
  std::vector<Question> questions;
  for (int i = 0; i < 300; ++i) {
    const Problem wanted = problem();
    questions.push_back({wanted, draw(2) == 0 ? "one" : "TWO", std::nullopt});
  }
  const std::vector<Winner> winners = db.winners(kernel);
  ASSERT_GT(winners.size(), 50U);
  std::vector<Config> configs;
  for (const Winner& winner : winners) configs.push_back(winner.config);
  configs = rules.launches_of(configs);
  const auto models = fit_models(group_speeds(rules, db.load_speeds(kernel)), configs);
  int unanswered = 0, exact = 0;
  for (const Question& question : questions) {
    // Each in a query of its own, as from the command line.
    const std::vector<Answer> answers = find_answers(db, kernel, rules, {question}, none).at(0);
    const Winner* best = nullptr;
    for (const Winner& winner : winners) {
      if (!same_device_name(winner.device.name, *question.device_name)) continue;
      if (winner.problem != question.problem) continue;
      if (best == nullptr || winner.median_ms < best->median_ms) best = &winner;
    }
    const Config* expected = best == nullptr ? nullptr : &best->config;
    for (std::size_t i = 0; i < models.size() && expected == nullptr; ++i) {
      if (!same_device_name(models[i].device.name, *question.device_name)) continue;
      const auto found =
          expected_fastest(rules, models[i], configs, question.problem, models[i].device);
      if (found) expected = &configs[found->place];
    }
    ASSERT_EQ(answers.size(), expected == nullptr ? 0U : 1U) << question.problem.text();
    unanswered += expected == nullptr;
    if (expected == nullptr) continue;
    EXPECT_EQ(answers[0].config, *expected) << question.problem.text();
    EXPECT_EQ(answers[0].row.best.measurement.config, *expected) << question.problem.text();
    EXPECT_TRUE(same_device_name(answers[0].row.device.name, *question.device_name));
    EXPECT_EQ(answers[0].tier == Tier::exact, best != nullptr);
    EXPECT_EQ(answers[0].expected.has_value(), best == nullptr);
    exact += best != nullptr;
  }
  EXPECT_LT(unanswered, 290);
  EXPECT_GT(exact, 10);
  const auto together = find_answers(db, kernel, rules, questions, none);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto alone = find_answers(db, kernel, rules, {questions[i]}, none).at(0);
    ASSERT_EQ(together[i].size(), alone.size());
    if (alone.empty()) continue;
    EXPECT_EQ(together[i][0].row.best.id, alone[0].row.best.id);
    EXPECT_EQ(together[i][0].config, alone[0].config);
  }
}

/// A row costs 1.2 times as much in tiles of 32 rows as in tiles of 64, but less of it is padding.
TEST_F(Answers, OfAnotherSizeCountPaddedWork) {
  DeviceFacts device = some_device();
  device.name = "One";
  key.device = db.upsert_device(device);
  db.use_toolchain(key.device, key.toolchain);
  for (const std::int64_t m : {32, 64, 256, 1024, 4096}) {
    key.problem = db.upsert_problem("sgemm", {{"M", m}, {"N", 1}});
    const RunId run = begin_run();
    const double of_32 = 1.2 * static_cast<double>(m),
                 of_64 = std::max(64.0, static_cast<double>(m));
    const MeasurementId first = db.insert_measurement(run, key, timed(32, of_32));
    const MeasurementId second = db.insert_measurement(run, key, timed(64, of_64));
    RunResult result;
    result.winner = of_32 < of_64 ? first : second;
    db.finish_run(run, result);
  }
  Question question{{{"M", 90}, {"N", 1}}, "One", std::nullopt};
  const KernelSpec spec = spec_of_rows("ceil_div(M, BM) * BM", "");
  const auto none = [](const std::vector<Winner>&) { return std::vector<Winner>(); };
  const auto ask = [&](std::int64_t m) {
    question.problem = {{"M", m}, {"N", 1}};
    return find_answers(db, kernel, SizeRules(spec), {question}, none).at(0).at(0);
  };
  const Answer small = ask(80);  // padded to 96 rows or 128
  EXPECT_EQ(small.tier, Tier::expected);
  EXPECT_EQ(small.config.find("BM"), 32);
  EXPECT_NEAR(small.expected->ms, 1.2 * 96, 12);
  EXPECT_TRUE(small.expected->error);
  const Answer large = ask(2000);
  EXPECT_EQ(large.config.find("BM"), 64);
  EXPECT_EQ(large.row.problem.find("M"), 1024);  // the nearest size at which it was measured
  const Answer exact = ask(1024);
  EXPECT_EQ(exact.tier, Tier::exact);
  EXPECT_FALSE(exact.expected);
  EXPECT_EQ(exact.config.find("BM"), 64);
}

}  // namespace
}  // namespace gtune::test
