// An option that puts another spec in a kernel's place.
#include <sstream>

#include "fixture.hpp"
#include "spec/reserved_names.hpp"

namespace gtune::test {
namespace {

class VariantsOfAKernel : public CliTest {};

TEST_F(VariantsOfAKernel, AreListedAndChosen) {
  const ProgramResult list = gtune({"list"});
  EXPECT_NE(list.out.find("  variants    --math fp32 or tf32x3\n"), std::string::npos) << list.out;
  EXPECT_NE(gtune({"sgemm", "--help"}).out.find("--math CHOICE"), std::string::npos);
  // The variant's sizes, and its own name.
  EXPECT_NE(gtune({"sgemm", "--math", "tf32x3", "--help"}).out.find("--CARRY"), std::string::npos);
  const auto kernel_of = [&](const std::vector<std::string>& command) {
    const ProgramResult result = gtune(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.substr(0, result.out.find(' '));
  };
  EXPECT_EQ(kernel_of({"space", "sgemm", "--M", "512"}), "sgemm");
  EXPECT_EQ(kernel_of({"space", "sgemm", "--M", "512", "--math", "fp32"}), "sgemm");
  EXPECT_EQ(kernel_of({"space", "sgemm", "--M", "512", "--math", "tf32x3"}), "sgemm_tf32x3");
  EXPECT_EQ(kernel_of({"space", "sgemm", "--math=tf32x3", "--M", "512"}), "sgemm_tf32x3");
}

TEST_F(VariantsOfAKernel, AreWhatAQueryIsAbout) {
  EXPECT_EQ(gtune(toy()).exit_code, 0);  // something is in the database, but nothing of the kernel
  const ProgramResult result = gtune({"query", "sgemm", "--math", "tf32x3", "--M", "512"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("nothing stored of sgemm_tf32x3"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("run gtune sgemm --math tf32x3"), std::string::npos) << result.err;
}

TEST_F(VariantsOfAKernel, HaveNoConfigurationWhereTheDeviceLacksTheInstructions) {
  const ProgramResult result =
      gtune({"space", "sgemm", "--math", "tf32x3", "--M", "512", "--arch", "sm_80"});
  EXPECT_NE(result.out.find(" 960 excluded by has_wgmma"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n0 of "), std::string::npos) << result.out;
}

/// Commands stand at the beginning of a line, behind two spaces.
TEST_F(VariantsOfAKernel, CannotBeCalledLikeAnyCommand) {
  const std::string help = gtune({"--help"}).out;
  const std::size_t begin = help.find("\nSubcommands:\n");
  ASSERT_NE(begin, std::string::npos) << help;
  std::istringstream lines(help.substr(begin + 14, help.find("\n\n", begin + 14) - begin - 14));
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (name.empty() || name.find('-') != std::string::npos) continue;  // no kernel's
    EXPECT_TRUE(is_reserved_command(name)) << name;
    ++seen;
  }
  EXPECT_GE(seen, 9) << help;
}

/// No size or variant may take the name of an option that a kernel's commands have.
TEST_F(VariantsOfAKernel, CannotBeCalledLikeAnyOption) {
  for (const char* command : {"tune", "space", "query", "explain", "export", "run"}) {
    const ProgramResult help = gtune({command, data + "/toy.toml", "--help"});
    ASSERT_EQ(help.exit_code, 0) << help.err;
    std::istringstream words(help.out);
    int seen = 0;
    for (std::string word; words >> word;) {
      const std::size_t at = word.find("--");
      if (at == std::string::npos) continue;
      const std::size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at + 2);
      const std::string name = word.substr(at + 2, end - at - 2);
      if (name.empty() || name == "n" || name.find('-') != std::string::npos) continue;
      EXPECT_TRUE(is_reserved_option(name)) << command << " has --" << name;
      ++seen;
    }
    EXPECT_GT(seen, 3) << command;
  }
}

}  // namespace
}  // namespace gtune::test
