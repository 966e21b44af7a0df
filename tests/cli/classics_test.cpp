// The recorded measurements of examples/classics, as a reader without a GPU replays them.
#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

struct RecordedLesson {
  std::string name;
  std::vector<std::string> sizes;
  std::string naive;               // a baseline
  std::vector<std::string> rules;  // what gtune explain finds in it first
};

class Classics : public CliTest, public testing::WithParamInterface<RecordedLesson> {};

TEST_P(Classics, ReplaysAndNamesItsLesson) {
  const auto& [name, sizes, naive, rules] = GetParam();
  const std::string folder_of_lessons = GTUNE_SOURCE_DIR "/examples/classics/";
  const std::string spec = folder_of_lessons + name + ".toml";
  std::vector<std::string> tune = {
      "tune",       spec,
      "--device",   "replay:" + folder_of_lessons + "recordings/" + name + "-h200.jsonl",
      "--strategy", "exhaustive",
      "--json"};
  tune.insert(tune.end(), sizes.begin(), sizes.end());
  const ProgramResult tuned = gtune(tune);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  std::vector<std::string> explain = {"explain", spec, "--config", naive, "--json"};
  explain.insert(explain.end(), sizes.begin(), sizes.end());
  const ProgramResult explained = gtune(explain);
  ASSERT_EQ(explained.exit_code, 0) << explained.err;
  const json report = json::parse(explained.out);
  const json& findings = report["explanations"][0]["findings"];
  ASSERT_GE(findings.size(), rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) EXPECT_EQ(findings[i]["rule"], rules[i]);
}

INSTANTIATE_TEST_SUITE_P(
    Lessons, Classics,
    testing::Values(RecordedLesson{"vector_add",
                                   {"--n", "1048576"},
                                   "one_block",
                                   {"few_waves", "latency_bound"}},
                    RecordedLesson{"layout", {}, "aos", {"uncoalesced_loads"}},
                    RecordedLesson{"matvec", {}, "thread_per_row", {"uncoalesced_loads"}},
                    RecordedLesson{"histogram", {}, "global_atomics", {"atomics_bound"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace gtune::test
