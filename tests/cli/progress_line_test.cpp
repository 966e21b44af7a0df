#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

#include "cli/terminal.hpp"

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

TEST(ProgressText, NamesWhatAStalledSearchWaitsFor) {
  Progress progress = some_progress();
  EXPECT_EQ(progress_text(progress, true),
            "search   60/2052,  30/s, 0:28 left, best 2.5396 ms, waiting for 14 compiles: BM=128");
  progress.measuring = 1;  // compilers are ahead of it
  EXPECT_EQ(
      progress_text(progress, true),
      "search   60/2052,  30/s, 0:28 left, best 2.5396 ms, waiting for 1 measurement: BM=128");
}

TEST(ProgressLine, KnowsTheLatestProgressOfThePartEvenIfQuiet) {
  ProgressLine line(ProgressLine::Style::quiet);
  EXPECT_FALSE(line.latest());
  line.on_progress(some_progress());
  EXPECT_EQ(line.latest().value().done, 60U);
  line.begin_part("2/3 n=7: ");
  EXPECT_FALSE(line.latest());
}

TEST(Terminal, KnowsTheNamesOfUtf8) {
  for (const char* name : {"C.UTF-8", "en_US.utf8", "en_US.utf-8", "de_DE.UTF8"}) {
    EXPECT_TRUE(is_utf8_locale(name)) << name;
  }
  for (const char* name : {"C", "POSIX", "en_US", "de_DE.ISO-8859-1", ""}) {
    EXPECT_FALSE(is_utf8_locale(name)) << name;
  }
}

}  // namespace
}  // namespace gtune
