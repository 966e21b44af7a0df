#include "exchange/reference_times.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "model/value_word.hpp"

namespace gtune {
namespace {

ReferenceTime entry(const std::string& kernel, std::int64_t m) {
  ReferenceTime made;
  made.kernel = kernel;
  made.problem = {{"M", m}, {"K", 64}};
  made.config = {{"BM", 128}, {"TYPE", value_of_word("half")}};
  made.source_hash = "aa";
  made.spec_hash = "bb";
  made.gpu_uuid = "GPU-1";
  made.toolchain = {"580.1", "13.0", "13.1", "", "0.1.0"};
  made.created = "2026-01-01T00:00:00Z";
  made.rounds_ms = {2.5, 2.51, 2.52, 2.5049152374};
  return made;
}

ReferenceTimes some_times() {
  ReferenceTimes times;
  times.device = {"NVIDIA \"H200\"", 90, 132, 143156, false};
  times.put(entry("sgemm", 4096));
  times.put(entry("sgemm", 512));
  ReferenceTime own = entry("own", 1);
  own.spec = "kernels/own.toml";
  times.put(own);
  return times;
}

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(parse_reference_times(text, "gate.json"));
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "it is read: " << text;
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(ReferenceTimes, ComeBackAsTheyWereWritten) {
  const std::string text = reference_times_text(some_times());
  const ReferenceTimes read = parse_reference_times(text, "gate.json");
  EXPECT_EQ(read.device, some_times().device);
  ASSERT_EQ(read.problems.size(), 3U);
  EXPECT_EQ(read.problems[0].kernel, "own");
  EXPECT_EQ(read.problems[0].spec, "kernels/own.toml");
  EXPECT_EQ(read.problems[1].problem, (Problem{{"M", 512}, {"K", 64}}));
  EXPECT_EQ(read.problems[2].problem, (Problem{{"M", 4096}, {"K", 64}}));
  EXPECT_EQ(read.problems[2].config, entry("", 1).config);
  EXPECT_EQ(read.problems[2].rounds_ms, (std::vector<double>{2.5, 2.51, 2.52, 2.504915}));
  EXPECT_EQ(read.problems[2].toolchain.driver, "580.1");
  EXPECT_EQ(reference_times_text(read), text) << "written again, nothing changes";
}

TEST(ReferenceTimes, HaveALineForEachFact) {
  const std::string text = reference_times_text(some_times());
  EXPECT_NE(text.find("\n      \"problem\": {\"K\":64,\"M\":4096},\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      \"config\": {\"BM\":128,\"TYPE\":\"half\"},\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n      \"rounds_ms\": [2.5,2.51,2.52,2.504915],\n"), std::string::npos)
      << text;
}

TEST(ReferenceTimes, OfARecordingAreMarked) {
  ReferenceTimes times = some_times();
  EXPECT_EQ(reference_times_text(times).find("replayed"), std::string::npos);
  times.device.replayed = true;
  const std::string text = reference_times_text(times);
  EXPECT_NE(text.find("\n    \"replayed\": true\n"), std::string::npos) << text;
  const ReferenceTimes read = parse_reference_times(text, "gate.json");
  EXPECT_EQ(read.device, times.device);
  EXPECT_NE(read.device, some_times().device);
  EXPECT_NE(device_text(read.device).find("(replayed from a recording)"), std::string::npos);
}

TEST(ReferenceTimes, ANewEntryReplacesThatOfTheSameProblem) {
  ReferenceTimes times = some_times();
  ReferenceTime again = entry("sgemm", 512);
  again.rounds_ms = {1, 1, 1, 1};
  times.put(again);
  EXPECT_EQ(times.problems.size(), 3U);
  EXPECT_EQ(times.problems.back().rounds_ms.front(), 1);
  again.mode.order = LaunchOrder::warm;
  times.put(again);
  EXPECT_EQ(times.problems.size(), 4U) << "a warm cache is another condition";
}

TEST(ReferenceTimes, OtherFilesAreRefusedWithOneLine) {
  const std::string good = reference_times_text(some_times());
  EXPECT_NE(refusal_of("").find("gate.json: "), std::string::npos);
  EXPECT_NE(refusal_of(good.substr(0, good.size() / 2)).find("gate.json: "), std::string::npos);
  for (const char* other : {"{}", "[]", "7", "null", "{\"device\": 1}"}) {
    EXPECT_EQ(refusal_of(other), "gate.json: it is not a file of gtune baseline save");
  }
  const std::string key = "\"gtune_reference_times\": ";
  EXPECT_EQ(refusal_of(replaced(good, key + "1", key + "2")),
            "gate.json: its form is 2; this gtune reads form 1");
  EXPECT_NE(refusal_of(std::string(100, '[')), "");
}

TEST(ReferenceTimes, ValuesThatCannotBeAreRefused) {
  const std::string good = reference_times_text(some_times());
  const std::string rounds = "[2.5,2.51,2.52,2.504915]";
  for (const std::string bad :
       {"[]", "[1,1,1]", "[1,1,1,0]", "[1,1,1,-2]", "[1,1,1,1e300]", "[1,1,1,1e-320]",
        "[1,1,1,\"x\"]", "[1,1,1,null]", "7", "[1,1,1,1e400]"}) {
    EXPECT_NE(refusal_of(replaced(good, rounds, bad)), "") << bad;
  }
  EXPECT_NE(refusal_of(replaced(good, "{\"K\":64,\"M\":512}", "{\"K\":64,\"M\":1e19}")), "");
  EXPECT_NE(refusal_of(replaced(good, "{\"K\":64,\"M\":512}", "[[\"M\",512]]")), "");
  EXPECT_NE(refusal_of(replaced(good, "\"kernel\": \"own\"", "\"kernel\": 7")), "");
  EXPECT_NE(refusal_of(replaced(good, "\"own\"", '"' + std::string(5000, 'x') + '"')), "");
  EXPECT_NE(refusal_of(replaced(good, "{\"BM\":128,\"TYPE\":\"half\"}", "{}")), "");
  for (const std::string bad : {"a\\u0000b", "\\u001b[31m", "\\u202e", "a\\nb"}) {
    EXPECT_NE(refusal_of(replaced(good, "\"own\"", '"' + bad + '"')).find("control characters"),
              std::string::npos)
        << bad;
    EXPECT_NE(refusal_of(replaced(good, "\"BM\"", '"' + bad + '"')), "") << bad;
  }
  EXPECT_NE(refusal_of(replaced(good, "\"M\":512", "\"M\":4096")).find("is there twice"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune
