// Answers are found by reading the nearest problems alone: the same as if all were looked at.
#include "answer/answer.hpp"

#include <random>

#include "spec/spec_reader.hpp"
#include "store/fixture.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

/// Of M rows and N columns in tiles of BM rows.
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
  /// Runs on random devices and problems; some found nothing, some times and sizes are equal.
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

TEST_F(Answers, AreTheNearestOfAllWinners) {
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
  int unanswered = 0;
  for (const Question& question : questions) {
    // Each in a query of its own, as from the command line.
    const std::vector<Answer> answers = find_answers(db, kernel, rules, {question}, none).at(0);
    const Winner* best = nearest_winner(winners, question.problem, [&](const Winner& winner) {
      return same_device_name(winner.device.name, *question.device_name) &&
             (winner.problem == question.problem ||
              rules.is_valid({question.problem, winner.config, winner.device}));
    });
    ASSERT_EQ(answers.size(), best == nullptr ? 0U : 1U) << question.problem.text();
    unanswered += best == nullptr;
    if (best == nullptr) continue;
    const BestRow& row = answers[0].row;
    EXPECT_EQ(row.problem, best->problem) << question.problem.text();
    EXPECT_EQ(row.best.measurement.config, best->config) << question.problem.text();
    EXPECT_EQ(row.device.uuid, best->device.uuid) << question.problem.text();
    EXPECT_EQ(answers[0].tier == Tier::exact, best->problem == question.problem);
  }
  EXPECT_LT(unanswered, 290);
  const auto together = find_answers(db, kernel, rules, questions, none);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto alone = find_answers(db, kernel, rules, {questions[i]}, none).at(0);
    ASSERT_EQ(together[i].size(), alone.size());
    if (alone.empty()) continue;
    EXPECT_EQ(together[i][0].row.best.id, alone[0].row.best.id);
  }
}

/// Of the winners of near problems, the one whose time grows least.
TEST_F(Answers, OfAnotherSizeCountPaddedWork) {
  const auto tuned = [&](std::int64_t m, std::int64_t best, double best_ms, std::int64_t other,
                         double other_ms) {
    key.problem = db.upsert_problem("sgemm", {{"M", m}, {"N", 1}});
    const RunId run = begin_run();
    db.insert_measurement(run, key, timed(other, other_ms));
    RunResult result;
    result.winner = db.insert_measurement(run, key, timed(best, best_ms));
    db.finish_run(run, result);
  };
  DeviceFacts device = some_device();
  device.name = "One";
  key.device = db.upsert_device(device);
  db.use_toolchain(key.device, key.toolchain);
  tuned(128, 64, 1.0, 32, 1.1);
  tuned(32, 32, 1.0, 64, 1.5);
  Question question{{{"M", 96}, {"N", 1}}, "One", std::nullopt};
  KernelSpec spec = spec_of_rows("", "");
  const auto none = [](const std::vector<Winner>&) { return std::vector<Winner>(); };
  const auto rows = [&] {
    const Answer answer = find_answers(db, kernel, SizeRules(spec), {question}, none).at(0).at(0);
    EXPECT_EQ(answer.tier, Tier::nearest_size);
    EXPECT_EQ(answer.row.problem.find("M"), 128);
    EXPECT_EQ(answer.best_there.has_value(), answer.row.best.measurement.config.find("BM") == 32);
    return *answer.row.best.measurement.config.find("BM");
  };
  EXPECT_EQ(rows(), 64);
  spec = spec_of_rows("ceil_div(M, BM) * BM", "");
  EXPECT_EQ(rows(), 32);  // 1.1 ms for 96 rows of 128, where 64 still takes 1 ms for 128
  question.problem = {{"M", 128}, {"N", 1}};
  const Answer exact = find_answers(db, kernel, SizeRules(spec), {question}, none).at(0).at(0);
  EXPECT_EQ(exact.tier, Tier::exact);
  EXPECT_EQ(exact.row.best.measurement.config.find("BM"), 64);
}

}  // namespace
}  // namespace gtune::test
