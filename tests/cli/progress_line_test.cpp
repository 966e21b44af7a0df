#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

Progress some_progress() {
  Progress progress;
  progress.stage = "search";
  progress.done = 60;
  progress.total = 2052;
  progress.seconds = 2;
  progress.budget_seconds = 30;
  progress.best_ms = 2.5396;
  progress.best = {{"BM", 128}};
  progress.compiling = 14;
  return progress;
}

TEST(ProgressText, KeepsTheWidthOfItsNumbers) {
  EXPECT_EQ(progress_text(some_progress()),
            "search   60/2052,  30/s, 0:28 left, best 2.5396 ms: BM=128");
}

TEST(ProgressText, SaysWhatIsWaitedForWhereItStandsStill) {
  Progress progress = some_progress();
  EXPECT_EQ(progress_text(progress, true),
            "search   60/2052,  30/s, 0:28 left, best 2.5396 ms, waiting for 14 compiles: BM=128");
  progress.measuring = 1;  // compilers are ahead of it
  EXPECT_EQ(
      progress_text(progress, true),
      "search   60/2052,  30/s, 0:28 left, best 2.5396 ms, waiting for 1 measurement: BM=128");
}

}  // namespace
}  // namespace gtune
