// What `gtune export` writes: that it compiles alone, and chooses as `gtune query` does.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Export : public CliTest {
 protected:
  [[nodiscard]] ProgramResult compile(const std::string& source, const std::string& program) const {
    std::ofstream(folder / "main.cpp") << source;
    return run_program({GTUNE_CXX, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                        "-I" + folder.string(), (folder / "main.cpp").string(), "-o", program},
                       {});
  }

  std::filesystem::path header = folder / "gtune_toy.hpp";
};

TEST_F(Export, ChoosesAsTheQueryDoes) {
  store_winner("One", 90, 1000, 64);
  store_winner("One", 90, 4000, 128);
  store_winner("One", 90, 90000, 256);
  store_winner("Two \"quoted\" */ ?", 80, 1000, 256);
  const ProgramResult exported = gtune({"export", data + "/toy.toml", "-o", header.string(),
                                        "--max-variants", "0", "--max-loss", "0"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;

  std::mt19937 engine(7);
  std::uniform_int_distribution<std::int64_t> sizes(1, 200000);
  std::set<std::int64_t> asked_for;
  while (asked_for.size() < 10000) asked_for.insert(sizes(engine));
  std::string list;
  for (const std::int64_t n : asked_for) list += (list.empty() ? "" : ",") + std::to_string(n);
  const std::string program = (folder / "chooser").string();
  const ProgramResult compiled = compile(R"(
#include "gtune_toy.hpp"
#include "gtune_toy.hpp"
#include <cstdio>
#include <initializer_list>
namespace k = gtune_toy;
constexpr k::Device one = k::known_device("oNE");
static_assert(one.dev_cc == 90);
static_assert(k::select(one, k::problem(1000)).exact);
static_assert(k::config(k::select(one, k::problem(1000)).variant).BLOCK == 64);
static_assert(k::launch(k::problem(1000), k::config(0), one).block[0] > 0);
int main() {
  for (long long n : {)" + list + R"(}) {
    const k::Selection chosen = k::select(one, k::problem(n));
    std::printf("%lld\n", chosen.variant < 0 ? -1 : k::config(chosen.variant).BLOCK);
  }
})",
                                         program);
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  std::istringstream chosen(run_program({program}, {}).out);
  const ProgramResult asked =
      gtune({"query", data + "/toy.toml", "--n", list, "--device", "One", "--json"});
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  int answers = 0;
  const json answered = json::parse(asked.out);
  for (const json& answer : answered["best"]) {
    long long block = 0;
    ASSERT_TRUE(chosen >> block);
    EXPECT_EQ(block, answer["config"]["BLOCK"].get<long long>()) << answer["asked"];
    ++answers;
  }
  EXPECT_EQ(answers, 10000);
}

TEST_F(Export, OfOneDeviceNamesNoOther) {
  store_winner("One", 90, 1000, 64);
  store_winner("Two", 80, 1000, 256);
  const ProgramResult result = gtune({"export", data + "/toy.toml", "--device", "one"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("measured on: One"), std::string::npos) << result.out.substr(0, 500);
  EXPECT_EQ(result.out.find("Two"), std::string::npos) << result.out.substr(0, 500);
}

TEST_F(Export, IsTheSameEveryTimeAndWholeOrNotAtAll) {
  store_winner("One", 90, 1000, 64);
  const std::vector<std::string> command = {"export", data + "/toy.toml", "-o", header.string()};
  ASSERT_EQ(gtune(command).exit_code, 0);
  const auto text = [&] {
    std::ifstream in(header);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string first = text();
  ASSERT_EQ(gtune(command).exit_code, 0);
  EXPECT_EQ(text(), first);
  const ProgramResult no_folder =
      gtune({"export", data + "/toy.toml", "-o", (folder / "no" / "x.hpp").string()});
  EXPECT_EQ(no_folder.exit_code, 1);
  expect_one_clear_line(no_folder);
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--max-loss", "much"}, {"--max-variants", "-1"}}) {
    std::vector<std::string> arguments = {"export", data + "/toy.toml"};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const ProgramResult refused = gtune(arguments);
    EXPECT_EQ(refused.exit_code, 2) << bad[1];
    expect_one_clear_line(refused);
  }
}

TEST_F(Export, AsCsvHasALineForEachProblem) {
  store_winner("One, \"1\"", 90, 1000, 64);
  store_winner("Two", 90, 4000, 128);
  const ProgramResult result = gtune({"export", data + "/toy.toml", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("device,replayed,n,variant,BLOCK,UNROLL,VARIANT,best_ms,loss"))
      << result.out;
  EXPECT_NE(result.out.find("\"One, \"\"1\"\"\",1,1000,"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
}

TEST_F(Export, OfABadDatabaseOrWithoutATemplateWritesNothing) {
  store_winner("One", 90, 1000, 64);
  const auto refused = [&](const std::string& file, const std::string& why, int code = 1) {
    for (const char* format : {"header", "dispatcher", "json"}) {
      const ProgramResult result = gtune(
          {"export", data + "/toy.toml", "--db", file, "--format", format, "-o", header.string()});
      EXPECT_EQ(result.exit_code, code);
      expect_one_clear_line(result);
      EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
      EXPECT_FALSE(std::filesystem::exists(header));
    }
  };
  const std::string other = (folder / "other.db").string();
  std::ofstream(other) << std::string(5000, 'x');
  refused(other, "is not a database");
  std::filesystem::copy_file(database, other, std::filesystem::copy_options::overwrite_existing);
  SQLite::Database(other, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  refused(other, "newer gtune");
  refused((folder / "none.db").string(), "no database", 5);
  const ProgramResult plain =
      gtune({"export", data + "/toy.toml", "--format", "dispatcher", "-o", header.string()});
  EXPECT_EQ(plain.exit_code, 2);
  expect_one_clear_line(plain);
  EXPECT_FALSE(std::filesystem::exists(header));
}

TEST_F(Export, OfNothingIsOneClearLine) {
  store_winner("One", 90, 1000, 64);
  const ProgramResult result =
      gtune({"export", data + "/toy.toml", "--device", "Three", "-o", header.string()});
  EXPECT_EQ(result.exit_code, 5);
  expect_one_clear_line(result);
  EXPECT_FALSE(std::filesystem::exists(header));
}

}  // namespace
}  // namespace gtune::test
