// --help, --version and the manual pages present one description in several forms.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/command_help.hpp"
#include "cli/command_line.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/manual_page.hpp"
#include "cli/parsers.hpp"
#include "fixture.hpp"
#include "support/build_under_test.hpp"

namespace gtune::test {
namespace {

void collect(CLI::App& command, std::vector<CLI::App*>& all) {
  for (CLI::App* below : all_subcommands(command)) {
    if (below->get_group().empty()) continue;  // hidden from users
    all.push_back(below);
    collect(*below, all);
  }
}

/// Every command that --help lists, at any depth.
class Help : public CliTest {
 protected:
  Help() {
    describe_program(app);
    declare_commands(app, context);
    add_program_examples(app);
    collect(app, commands);
  }

  CLI::App app;
  CommandContext context;
  std::vector<CLI::App*> commands;
};

/// The words of an example; quotes are only around whole words.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    if (word.front() == '\'') {
      std::string rest;
      if (word.back() != '\'' && std::getline(in, rest, '\'')) word += rest + '\'';
      word = word.substr(1, word.size() - 2);
    }
    words.push_back(word);
  }
  return words;
}

TEST_F(Help, EveryCommandHasExamplesOfItsOwn) {
  std::set<std::string> seen = {command_help(app).examples};
  ASSERT_GT(commands.size(), 12U);
  for (const CLI::App* command : commands) {
    const CommandHelp help = command_help(*command);
    EXPECT_NE(help.examples.find(help.name), std::string::npos)
        << help.name << " has no example of itself";
    EXPECT_TRUE(seen.insert(help.examples).second) << help.name << " shows another's examples";
  }
}

TEST_F(Help, EveryExampleIsACommandLineThatGtuneTakes) {
  std::ofstream(folder / "mykernel.toml") << std::ifstream(data + "/toy.toml").rdbuf();
  KernelFinder kernels({GTUNE_SOURCE_DIR});
  int tried = 0;
  std::vector<CLI::App*> all = commands;
  all.push_back(&app);
  for (const CLI::App* command : all) {
    std::istringstream lines(command_help(*command).examples);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find("gtune ");
      if (line.starts_with('#') || line.starts_with("source") || line.ends_with("source")) continue;
      ASSERT_NE(begin, std::string::npos) << line;
      std::vector<std::string> words = words_of(line.substr(begin + 6));
      std::replace(words.begin(), words.end(), std::string("mykernel.toml"), data + "/toy.toml");
      EXPECT_NO_THROW((void)parse_command_line(words, kernels)) << line;
      ++tried;
    }
  }
  EXPECT_GT(tried, 25);
}

TEST_F(Help, ValuesHaveNamesThatSayWhatTheyAre) {
  for (const CLI::App* command : commands) {
    for (const CLI::Option* option : command->get_options()) {
      if (!takes_value(*option)) continue;
      const std::string type = value_type_of(*option);
      for (const char* of_parser : {"TEXT", "INT", "UINT", "FLOAT", ""}) {
        EXPECT_NE(type, of_parser) << full_name(*command) << " " << option->get_name();
      }
    }
  }
}

TEST_F(Help, ShowsDefaultsAndWhatDoesNotGoTogether) {
  const std::string out = gtune({"query", "--help"}).out;
  EXPECT_NE(out.find("--field PARAMETER"), std::string::npos) << out;
  EXPECT_NE(out.find("(not with --csv, --json,"), std::string::npos) << out;
  EXPECT_NE(gtune({"run", "--help"}).out.find("[best]"), std::string::npos);
}

TEST_F(Help, NoLineIsWiderThanAPageButForLongWords) {
  for (const std::string command : {"tune", "query", "export"}) {
    std::istringstream lines(gtune({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST_F(Help, VersionNamesTheLibraries) {
  const ProgramResult result =
      gtune({"--version"}, {"GTUNE_NVRTC=/none/libnvrtc.so", "GTUNE_CUPTI=/none/libcupti.so"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out.starts_with("gtune ")) << result.out;
  EXPECT_NE(result.out.find("CUDA runtime  1"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("NVRTC         not found: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("CUPTI         not found: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("SQLite        3."), std::string::npos) << result.out;
}

TEST_F(Help, ColoursAreForTerminalsThatWantThem) {
  if (run_program({"/usr/bin/env", "script", "--version"}).exit_code != 0)
    GTEST_SKIP() << "script is not installed";
  const auto on_terminal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings = environment();
    settings.insert(settings.end(), more.begin(), more.end());
    return run_program({"/usr/bin/env", "script", "-qec",
                        test::gtune_binary() + " list --help; " + test::gtune_binary() + " lst",
                        "/dev/null"},
                       settings)
        .out;
  };
  EXPECT_NE(on_terminal({"TERM=xterm", "NO_COLOR="}).find("\033[1mUsage:"), std::string::npos);
  EXPECT_NE(on_terminal({"TERM=xterm", "NO_COLOR="}).find("\033[1;31mgtune:"), std::string::npos);
  EXPECT_EQ(on_terminal({"TERM=xterm", "NO_COLOR=1"}).find('\033'), std::string::npos);
  EXPECT_EQ(on_terminal({"TERM=dumb", "NO_COLOR="}).find('\033'), std::string::npos);
  EXPECT_EQ(gtune({"list", "--help"}, {"TERM=xterm"}).out.find('\033'), std::string::npos);
  EXPECT_EQ(gtune({"lst"}, {"TERM=xterm"}).err.find('\033'), std::string::npos);
}

TEST_F(Help, EveryCommandIsInTheTableOfUsageMd) {
  std::ifstream file(std::string(GTUNE_SOURCE_DIR) + "/docs/usage.md");
  const std::string usage(std::istreambuf_iterator<char>(file), {});
  for (const std::string& name : commands_for_people()) {
    EXPECT_NE(usage.find("`gtune " + name), std::string::npos) << name;
  }
}

TEST_F(Help, ManualPagesAreWithoutAWarning) {
  const std::filesystem::path pages = folder / "man";
  ASSERT_EQ(gtune({"manual", pages.string()}).exit_code, 0);
  std::size_t count = 0;
  const bool has_man = run_program({"/usr/bin/env", "man", "--version"}).exit_code == 0;
  for (const auto& page : std::filesystem::directory_iterator(pages)) {
    ++count;
    if (!has_man) continue;
    const ProgramResult result = run_program(
        {"/usr/bin/env", "man", "--warnings", "-l", page.path().string()}, {"LC_ALL=C.UTF-8"});
    EXPECT_EQ(result.err, "") << page.path();
    EXPECT_NE(result.out.find("SYNOPSIS"), std::string::npos) << page.path();
  }
  EXPECT_EQ(count, commands.size() + 1);
}

TEST(ManualPage, TakesTextForTextAndNotForRequests) {
  CommandHelp help{"gtune x", "A summary", "gtune x [OPTIONS]", {}, "# say\ngtune x\n"};
  help.sections.push_back({"Options", {{"-h, --help", ".TH \\fB'quoted'\n'next"}}});
  const std::string page = manual_page(help, {"gtune", "gtune-x"});
  EXPECT_NE(page.find("\n\\&.TH \\efB'quoted'\n.br\n\\&'next\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fBgtune\\fP(1)\n"), std::string::npos) << page;
  EXPECT_EQ(page.find("\\fBgtune\\-x\\fP(1)"), std::string::npos) << "a page does not name itself";
}

}  // namespace
}  // namespace gtune::test
