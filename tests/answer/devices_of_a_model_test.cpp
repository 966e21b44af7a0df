// What `gtune query --all` lists, and what it chooses among, if several GPUs of a model have
// results.
#include <gtest/gtest.h>

#include "answer/known_winners.hpp"
#include "answer/query_service.hpp"
#include "answer/stored_run.hpp"
#include "answer/toy_spec.hpp"

namespace gtune::test {
namespace {

class DevicesOfAModel : public ::testing::Test {
 protected:
  Problem size(std::int64_t n) const { return {{"n", n}, {"kind", 0}}; }

  TemporaryFolder folder;
  Database db{folder.path() / "gtune.db", OpenMode::create};
  KernelSpec spec = toy_spec();
  KernelIdentity kernel{"k", "aa", "bb", {"n", "kind"}, {"A"}};
};

TEST_F(DevicesOfAModel, ListTheirBestOfEachProblemOnce) {
  store_run(db, kernel, device_of("Large", "GPU-1"), size(64), {{2, 1.5}});
  store_run(db, kernel, device_of("Large", "GPU-2"), size(64), {{3, 1}});
  store_run(db, kernel, device_of("Small", "GPU-3"), size(64), {{4, 9}});
  store_run(db, kernel, device_of("Large", "GPU-1"), size(32), {{5, 0.5}});
  DeviceFacts recording = device_of("Large", "GPU-1");
  recording.replayed = true;
  store_run(db, kernel, recording, size(64), {{6, 0.1}});
  std::string text;
  for (const Answer& each : answers_of_models(all_answers(db, kernel, ""))) {
    text += each.row.device.name + (each.row.device.replayed ? " (replayed) " : " ") +
            each.asked.text() + ": " + each.config.text() + "\n";
  }
  EXPECT_EQ(text,
            "Large n=32,kind=0: A=5\n"
            "Large n=64,kind=0: A=3\n"
            "Large (replayed) n=64,kind=0: A=6\n"
            "Small n=64,kind=0: A=4\n");
}

TEST_F(DevicesOfAModel, AnswerWithWhatWonOnTheFastestOfThem) {
  store_run(db, kernel, device_of("Large", "GPU-1"), size(64), {{2, 1.5}});
  store_run(db, kernel, device_of("Large", "GPU-2"), size(64), {{3, 1}});
  const SizeRules rules(spec);
  KnownWinners known(db, kernel, rules, [](const std::vector<Winner>& used) { return used; });
  EXPECT_EQ(known.tuned().configs, (std::vector<Config>{{{"A", 3}}}));
  EXPECT_EQ(known.fallbacks().configs, (std::vector<Config>{{{"A", 3}}}));
}

}  // namespace
}  // namespace gtune::test
