// `gtune report`, and --report at the end of a tuning run.
#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>
#include <sstream>

#include "fixture.hpp"

namespace gtune::test {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class Report : public CliTest {
 protected:
  /// Runs `gtune report` on the toy kernel and returns the page.
  std::string page_of_toy(const std::vector<std::string>& more = {}) {
    const fs::path file = folder / "page.html";
    std::vector<std::string> arguments = {"report", data + "/toy.toml", "-o", file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    return contents_of(file);
  }

  void expect_refused(const std::vector<std::string>& arguments, int exit_code,
                      const std::string& part) const {
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  }
};

TEST_F(Report, HasTheAnswerTheSearchAndTheEffects) {
  tune_toy({"--strategy", "exhaustive"});
  const std::string page = page_of_toy();
  for (const char* part : {"<title>gtune: ", "BLOCK=256,UNROLL=4,VARIANT=1", ">Search</h4>",
                           ">What matters</h4>", ">What limits it</h4>", "plain"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_F(Report, RunAgainIsTheWholeSearch) {
  tune_toy({"--strategy", "exhaustive"});
  const std::string page = page_of_toy();
  const std::size_t begin = page.find("<dt>run again</dt>");
  const std::string command = page.substr(begin, page.find("</dd>", begin) - begin);
  EXPECT_NE(command.find("toy.toml"), std::string::npos) << command;
  EXPECT_NE(command.find("--strategy exhaustive"), std::string::npos) << command;
  EXPECT_EQ(command.find("--config"), std::string::npos) << command;
  EXPECT_NE(page.find("--config BLOCK=256,<wbr>UNROLL=4"), std::string::npos);
}

TEST_F(Report, AtTheEndOfARunIsThatOfTheDatabase) {
  const fs::path file = folder / "end.html";
  const ProgramResult result = gtune(toy({"--report", file.string(), "--quiet"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(contents_of(file), page_of_toy());
}

TEST_F(Report, SameDatabaseSameBytes) {
  tune_toy();
  EXPECT_EQ(page_of_toy(), page_of_toy());
}

TEST_F(Report, ANewRunAddsToTheHistory) {
  tune_toy();
  EXPECT_EQ(page_of_toy().find(">History</h4>"), std::string::npos);
  tune_toy({"--fresh", "--seed", "2"});
  EXPECT_NE(page_of_toy().find(">History</h4>"), std::string::npos);
}

TEST_F(Report, WithoutAKernelIsOfAllWhoseSpecsAreKnown) {
  tune_toy();
  expect_refused({"report"}, 5, "to report: ");  // the toy is no bundled kernel
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE kernel SET name = '<b>'");
  expect_refused({"report"}, 5, "<b>: no bundled kernel has this name");
}

TEST_F(Report, NothingStoredIsOneClearLine) {
  expect_refused({"report", data + "/toy.toml"}, 5, "no database at");
  tune_toy();
  expect_refused({"report", data + "/toy.toml", "--n", "12345"}, 5, "; tuned are n=1048576");
  expect_refused({"report", data + "/toy.toml", "--device", "Other"}, 5, "'Other'");
  expect_refused({"report", data + "/toy.toml", "--db", (folder / "no.db").string()}, 5, "no.db");
}

TEST_F(Report, NotesSizesThatItLeavesOut) {
  tune_toy();
  const ProgramResult result = gtune({"report", data + "/toy.toml", "--n", "1048576,12345", "-o",
                                      (folder / "page.html").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("note: no stored result of n=12345"), std::string::npos) << result.err;
}

TEST_F(Report, AFileThatCannotBeWrittenIsRefusedBeforeTheWork) {
  const std::string file = (folder / "missing" / "page.html").string();
  expect_refused(toy({"--report", file}), 1, "cannot be written");
  EXPECT_FALSE(fs::exists(database)) << "refused only after the run";
  tune_toy();
  expect_refused({"report", data + "/toy.toml", "-o", file}, 1, "cannot be written");
  expect_refused({"report", data + "/toy.toml", "-o", folder.string()}, 1, "cannot be written");
}

TEST_F(Report, NeverReplacesADatabase) {
  tune_toy();
  const auto size = fs::file_size(database);
  expect_refused({"report", data + "/toy.toml", "-o", database.string()}, 2, "give another name");
  expect_refused(toy({"--report", database.string()}), 2, "give another name");
  fs::copy_file(database, folder / "other.db");
  expect_refused({"report", data + "/toy.toml", "-o", (folder / "other.db").string()}, 2,
                 "is a database");
  EXPECT_EQ(fs::file_size(database), size);
}

TEST_F(Report, TextFromTheDatabaseStaysText) {
  tune_toy({"--strategy", "exhaustive"});
  SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE measurement SET status = 'launch_error', "
          "reason = '</script><img src=x onerror=alert(1)>' WHERE id % 5 = 0 AND phase = "
          "'search'");
  const std::string page = page_of_toy();
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("&lt;img src=x"), std::string::npos);
}

}  // namespace
}  // namespace gtune::test
