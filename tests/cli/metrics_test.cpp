#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Metrics : public CliTest {};

TEST_F(Metrics, AreListedWithoutAGpu) {
  const ProgramResult result = gtune({"metrics", "--chip", "AD102", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json listed = json::parse(result.out);
  EXPECT_EQ(listed["chip"], "AD102");
  EXPECT_GT(listed["metrics"].size(), 20U);
  for (const json& each : listed["metrics"]) EXPECT_GT(each["passes"], 0) << each;
}

TEST_F(Metrics, ByNameAreThoseAlone) {
  const ProgramResult result = gtune({"metrics", "gld_efficiency", "dram__bytes.sum", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json listed = json::parse(result.out);
  ASSERT_EQ(listed["metrics"].size(), 2U);
  EXPECT_EQ(listed["metrics"][0]["unit"], "percent");
  EXPECT_EQ(listed["metrics"][1]["metric"], "dram__bytes.sum");
}

TEST_F(Metrics, MistakesAreOneClearLine) {
  for (const std::vector<std::string>& mistake :
       std::vector<std::vector<std::string>>{{"metrics", "--chip", "H200"}, {"metrics", "gld"}}) {
    const ProgramResult result = gtune(mistake);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    expect_one_clear_line(result);
  }
  const ProgramResult hidden = gtune({"metrics"}, {"GTUNE_CUPTI=/nonexistent/libcupti.so"});
  EXPECT_EQ(hidden.exit_code, 1) << hidden.err;
  expect_one_clear_line(hidden);
}

}  // namespace
}  // namespace gtune::test
