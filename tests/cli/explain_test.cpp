// What `gtune explain` says of stored measurements.
#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Explain : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    tune_toy({"--strategy", "exhaustive"});
  }
};

TEST_F(Explain, EffectsNameEveryMeasuredValue) {
  const ProgramResult result = gtune({"explain", data + "/toy.toml", "--effects", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json problems = json::parse(result.out).at("problems");
  ASSERT_EQ(problems.size(), 1U);
  for (const json& parameter : problems[0]["parameters"]) {
    EXPECT_EQ(parameter["values"][0]["cost"], 0.0) << parameter;
    EXPECT_GT(parameter["values"].size(), 1U) << parameter;
  }
  const ProgramResult text = gtune({"explain", data + "/toy.toml", "--effects"});
  EXPECT_NE(text.out.find("BLOCK"), std::string::npos) << text.out;
}

TEST_F(Explain, NothingStoredIsOneClearLine) {
  const ProgramResult result = gtune({"explain", data + "/toy.toml", "--effects", "--n", "12345"});
  EXPECT_EQ(result.exit_code, 5);
  expect_one_clear_line(result);
}

}  // namespace
}  // namespace gtune::test
