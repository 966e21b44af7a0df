// Answers are found by reading the nearest problems alone: the same as if all were looked at.
#include "report/answer.hpp"

#include <random>

#include "store/fixture.hpp"

namespace gtune::test {
namespace {

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
  std::vector<Question> questions;
  for (int i = 0; i < 300; ++i) {
    const Problem wanted = problem();
    questions.push_back({wanted, draw(2) == 0 ? "one" : "TWO", std::nullopt,
                         [](const Problem&) { return true; },
                         [wanted](const Winner& winner, const DeviceFacts&) {
                           return *winner.config.find("BM") <= *wanted.find("M");
                         },
                         nullptr});
  }
  const std::vector<Winner> winners = db.winners(kernel);
  ASSERT_GT(winners.size(), 50U);
  int unanswered = 0;
  for (const Question& question : questions) {
    // Each in a query of its own, as from the command line.
    const std::vector<Answer> answers = find_answers(db, kernel, {question}, none).at(0);
    const Winner* best = nearest_winner(winners, question.problem, [&](const Winner& winner) {
      return same_device_name(winner.device.name, *question.device_name) &&
             (winner.problem == question.problem || question.is_valid(winner, winner.device));
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
  const auto together = find_answers(db, kernel, questions, none);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto alone = find_answers(db, kernel, {questions[i]}, none).at(0);
    ASSERT_EQ(together[i].size(), alone.size());
    if (alone.empty()) continue;
    EXPECT_EQ(together[i][0].row.best.id, alone[0].row.best.id);
  }
}

}  // namespace
}  // namespace gtune::test
