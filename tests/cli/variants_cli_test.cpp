// An option that puts another spec in a kernel's place.
#include "fixture.hpp"

namespace gtune::test {
namespace {

class VariantsOfAKernel : public CliTest {};

TEST_F(VariantsOfAKernel, AreListedAndChosen) {
  const ProgramResult list = gtune({"list"});
  EXPECT_NE(list.out.find("  variants    --math fp32 or tf32x3\n"), std::string::npos) << list.out;
  EXPECT_NE(gtune({"sgemm", "--help"}).out.find("--math VARIANT"), std::string::npos);
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
  EXPECT_EQ(gtune(toy()).exit_code, 0);  // the database has results, but none of the kernel
  const ProgramResult result = gtune({"query", "sgemm", "--math", "tf32x3", "--M", "512"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("no stored result of sgemm_tf32x3"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("run gtune sgemm --math tf32x3"), std::string::npos) << result.err;
}

TEST_F(VariantsOfAKernel, HaveNoConfigurationWhereTheDeviceLacksTheInstructions) {
  const ProgramResult result =
      gtune({"space", "sgemm", "--math", "tf32x3", "--M", "512", "--arch", "sm_80"});
  EXPECT_NE(result.out.find(" 960  excluded by has_wgmma"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n0 of "), std::string::npos) << result.out;
}

}  // namespace
}  // namespace gtune::test
