// --also and GTUNE_ALSO: databases of others, read beside one's own.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    contents[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return contents;
}

/// A team's database that holds a tuning of the toy kernel; the user has none yet.
class Also : public CliTest {
 protected:
  Also() {
    fs::create_directory(team.parent_path());
    EXPECT_EQ(gtune(toy({"--db", team.string(), "--quiet"})).exit_code, 0);
  }

  [[nodiscard]] json query(const std::vector<std::string>& more,
                           const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments = {"query", data + "/toy.toml", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = gtune(arguments, environment);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  [[nodiscard]] std::string team_tier() const {
    return "from " + team.string() + ": this device and size";
  }
  [[nodiscard]] int own_rows(const std::string& phase) const {
    SQLite::Database own(database.string());
    return own.execAndGet("SELECT count(*) FROM measurement WHERE phase = '" + phase + "'")
        .getInt();
  }

  fs::path team = folder / "team" / "team.db";
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Also, QueryNamesTheFileOfTheAnswer) {
  const json answer = query({"--also", team.string()});
  EXPECT_EQ(answer["best"][0]["tier"], team_tier());
  EXPECT_EQ(answer["best"][0]["config"]["BLOCK"], 256);
  EXPECT_FALSE(fs::exists(database));
  const ProgramResult text = gtune({"query", data + "/toy.toml", "--also", team.string()});
  EXPECT_NE(text.out.find("source    " + team.string() + " (same device and size)"),
            std::string::npos)
      << text.out;
  const ProgramResult csv = gtune({"query", data + "/toy.toml", "--also", team.string(), "--csv"});
  EXPECT_NE(csv.out.find('\n' + team_tier() + ','), std::string::npos) << csv.out;
  const ProgramResult field =
      gtune({"query", data + "/toy.toml", "--also", team.string(), "--field", "BLOCK"});
  EXPECT_EQ(field.out, "256\n");
  EXPECT_NE(field.err.find("this is from " + team.string()), std::string::npos) << field.err;
}

TEST_F(Also, OnOneGpuTheFasterOfBothAnswers) {
  store_winner("Made-up GPU", 90, 1048576, 32, "GPU-made-up");  // slower than BLOCK=256
  const json answer = query({"--also", team.string(), "--device", "Made-up GPU"});
  EXPECT_EQ(answer["best"][0]["tier"], team_tier());
  EXPECT_EQ(query({"--device", "Made-up GPU"})["best"][0]["config"]["BLOCK"], 32);
  const json other_way =
      query({"--db", team.string(), "--also", database.string(), "--device", "Made-up GPU"});
  EXPECT_EQ(other_way["best"][0]["tier"], "this device and size");
  EXPECT_EQ(other_way["best"][0]["config"]["BLOCK"], 256);
}

TEST_F(Also, OfGpusOfOneModelTheFasterAnswers) {
  store_winner("Made-up GPU", 90, 1048576, 32);  // on another GPU, slower than BLOCK=256
  const json answer = query({"--also", team.string(), "--device", "Made-up GPU", "--n", "1048576"});
  EXPECT_EQ(answer["best"][0]["tier"], team_tier());
  EXPECT_EQ(answer["best"][0]["config"]["BLOCK"], 256);
}

TEST_F(Also, DamageIsThatOfTheTeamsFile) {
  store_winner("Made-up GPU", 90, 1048576, 32);
  const auto size = fs::file_size(team);
  std::fstream file(team, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(size / 2));
  file << std::string(size - size / 2, 'x');
  file.close();
  const ProgramResult result = gtune({"query", data + "/toy.toml", "--also", team.string()});
  EXPECT_EQ(result.exit_code, 1);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find(team.string()), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(database.string()), std::string::npos) << result.err;
}

TEST_F(Also, NoOutputReplacesATeamsDatabase) {
  const std::string before = content_of(team);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"export", data + "/toy.toml", "-o", team.string()},
           {"query", data + "/toy.toml", "--plot", "BLOCK", "-o", team.string()},
           {"report", data + "/toy.toml", "-o", team.string()}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--also", team.string()});
    const ProgramResult result = gtune(all);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    expect_one_clear_line(result);
  }
  EXPECT_EQ(content_of(team), before);
}

TEST_F(Also, TheEnvironmentNamesFilesUnlessTheOptionDoes) {
  const std::string list = "GTUNE_ALSO=" + database.string() + ":" + team.string();
  EXPECT_EQ(query({}, {list})["best"][0]["tier"], team_tier());
  EXPECT_EQ(query({"--also", team.string()}, {"GTUNE_ALSO=/none.db"})["best"][0]["tier"],
            team_tier());
}

TEST_F(Also, AFileThatIsNamedTwiceIsReadOnce) {
  const ProgramResult result = gtune({"export", data + "/toy.toml", "--also", team.string(),
                                      "--also", team.parent_path() / "." / "team.db"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t first = result.err.find("includes results from");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("includes results from", first + 1), std::string::npos) << result.err;
}

TEST_F(Also, TuningTakesTheStoredResultOfAnEqualRun) {
  const json out = tune_toy({"--also", team.string()});
  EXPECT_EQ(out["from_store"], true);
  EXPECT_EQ(out["database"], team.string());
  EXPECT_EQ(out["tried"], 69);
  EXPECT_EQ(own_rows("search"), 0);
}

TEST_F(Also, TuningMeasuresNothingThatTheTeamMeasured) {
  fs::remove(team);
  EXPECT_EQ(gtune(toy({"--db", team.string(), "--budget", "30", "--quiet"})).exit_code, 0);
  const auto before = files_in(team.parent_path());
  const json out = tune_toy({"--also", team.string(), "--budget", "40"});
  EXPECT_EQ(out["from_store"], false);
  EXPECT_EQ(out["tried"], 40);
  EXPECT_EQ(out["database"], database.string());
  EXPECT_EQ(out["reused"].get<int>() + own_rows("search"), 40);
  EXPECT_GT(out["reused"], 20);
  EXPECT_GT(own_rows("final"), 0);
  EXPECT_TRUE(files_in(team.parent_path()) == before);
  EXPECT_EQ(query({})["best"][0]["tier"], "this device and size");
}

TEST_F(Also, FreshMeasuresAgain) {
  const json out = tune_toy({"--also", team.string(), "--fresh"});
  EXPECT_EQ(out["reused"], 0);
  EXPECT_EQ(own_rows("search"), 69);
}

TEST_F(Also, ExplainExportAndReportReadItAndChangeNothing) {
  const auto before = files_in(team.parent_path());
  ASSERT_EQ(before.size(), 1U);
  const ProgramResult explained =
      gtune({"explain", data + "/toy.toml", "--json", "--also", team.string()});
  EXPECT_NE(explained.out.find(team_tier()), std::string::npos) << explained.out << explained.err;
  const ProgramResult exported = gtune({"export", data + "/toy.toml", "--also", team.string()});
  EXPECT_NE(exported.out.find("// from: team.db, 1 of 1 problems"), std::string::npos)
      << exported.out.substr(0, 1000);
  EXPECT_NE(exported.err.find("includes results from " + team.string()), std::string::npos);
  const ProgramResult page = gtune({"report", data + "/toy.toml", "--also", team.string()});
  EXPECT_NE(page.out.find("with team.db."), std::string::npos) << page.err;
  EXPECT_EQ(page.out.find(team.parent_path().string()), std::string::npos);
  const ProgramResult all = gtune({"report", "--also", team.string()});
  EXPECT_NE((all.out + all.err).find("toy"), std::string::npos) << all.err;
  EXPECT_TRUE(files_in(team.parent_path()) == before);
}

TEST_F(Also, ThePageOfATuningHasTheTeamsResult) {
  const fs::path page = folder / "page.html";
  tune_toy({"--also", team.string(), "--report", page.string()});
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find(">team.db<"), std::string::npos);
}

TEST_F(Also, MistakesAreOneClearLine) {
  const std::string toy_spec = data + "/toy.toml";
  const auto expect = [&](const std::vector<std::string>& arguments, int code,
                          const std::string& part) {
    const ProgramResult result = gtune(arguments);
    expect_one_clear_line(result);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  expect({"query", toy_spec, "--also", "/none.db"}, 1,
         "/none.db (--also or $GTUNE_ALSO): there is no such file");
  expect({"query", toy_spec, "--also", toy_spec}, 1, "is not a database");
  expect({"query", toy_spec, "--db", team.string(), "--also", team.string()}, 2,
         "is your own database");
  expect({"query", toy_spec, "--also", ""}, 2, "--also");
  expect({"report", toy_spec, "--also", team.string(), "-o", team.string()}, 2, "--also");
  expect(toy({"--quiet", "--also", "/none.db"}), 1,
         "/none.db (--also or $GTUNE_ALSO): there is no such file");
  expect(toy({"--record", "r.jsonl", "--also", team.string()}), 2, "--also");
  EXPECT_FALSE(fs::exists(database));
}

}  // namespace
}  // namespace gtune::test
