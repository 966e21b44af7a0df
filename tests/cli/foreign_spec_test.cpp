// Specs from strangers, and user specs with the names of bundled ones.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "fixture.hpp"
#include "model/checked_json.hpp"

namespace gtune::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class ForeignSpec : public CliTest {
 protected:
  /// The toy kernel's spec with `from` replaced, in a folder of its own.
  [[nodiscard]] fs::path changed(const std::string& from, const std::string& to) const {
    fs::create_directories(folder / "own");
    fs::copy_file(data + "/toy.cu", folder / "own/toy.cu", fs::copy_options::overwrite_existing);
    std::string text = text_of(data + "/toy.toml");
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder / "own/toy.toml") << text;
    return folder / "own/toy.toml";
  }

  void expect_refused(const ProgramResult& result, int exit_code, const std::string& line) const {
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(line), std::string::npos) << result.err;
  }
};

TEST_F(ForeignSpec, WritesNoFileWhateverTheCommand) {
  const fs::path victim = folder / "rc";
  std::ofstream(victim) << "precious\n";
  for (const std::string option : {"--create-pch=", "--time=", "--fdevice-time-trace="}) {
    const fs::path spec = changed(
        "entry = \"toy\"", "entry = \"toy\"\noptions = [\"" + option + victim.string() + "\"]");
    for (const char* command : {"tune", "space", "query", "export", "explain", "run"}) {
      expect_refused(gtune({command, spec.string()}), 2, "toy.toml:7:12: option '" + option);
    }
  }
  EXPECT_EQ(text_of(victim), "precious\n");
}

TEST_F(ForeignSpec, AKeyOfAMillionPartsIsOneLine) {
  std::string parts = "a";
  for (int i = 1; i < 500'000; ++i) parts += ".a";
  const fs::path spec = changed("# A kernel", "[" + parts + "]\n# A kernel");
  expect_refused(gtune({"space", spec.string()}), 2, "toy.toml:1:65: a key has more than 32 parts");
}

TEST_F(ForeignSpec, AnotherKernelOfABundledNameIsNotReplayedFromTheBundledRecording) {
  const fs::path spec = changed("name = \"toy\"", "name = \"copy\"");
  expect_refused(gtune({"tune", spec.string(), "--device", "replay"}), 5,
                 "no recording of copy in " + spec.string());
  // Identical files elsewhere are the same kernel.
  const fs::path copies = folder / "copies";
  fs::copy(fs::path(GTUNE_SOURCE_DIR) / "kernels", copies);
  fs::copy(fs::path(GTUNE_SOURCE_DIR) / "tuner_configs/copy.toml", copies);
  const ProgramResult same = gtune(
      {"tune", (copies / "copy.toml").string(), "--device", "replay", "--budget", "5", "--quiet"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
}

TEST_F(ForeignSpec, ARecordingIsSearchedAgainIfTheSpecHasChanged) {
  const std::string device = "replay:" + recording.string();
  fs::path spec = changed("# A kernel", "# A kernel");
  ASSERT_EQ(gtune({"tune", spec.string(), "--device", device}).exit_code, 0);
  spec = changed("[32, 64, 128, 256, 512, 1024]", "[32, 64, 128]");
  const ProgramResult result = gtune({"tune", spec.string(), "--device", device, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_LE(out["best"]["config"]["BLOCK"], 128);
  EXPECT_EQ(out["from_store"], false);
}

TEST_F(ForeignSpec, BundledResultsAreNotToldToBeOfAnotherKernelOfTheirName) {
  const fs::path spec = changed("name = \"toy\"", "name = \"sgemm\"");
  const ProgramResult result =
      gtune({"query", spec.string()}, {"GTUNE_DATA=" + std::string(GTUNE_SOURCE_DIR)});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.err.find("another version"), std::string::npos) << result.err;
}

TEST_F(ForeignSpec, ASpaceWithoutAValidConfigurationIsSaid) {
  const fs::path spec = changed("UNROLL <= 4096", "UNROLL <= n");
  const ProgramResult result = gtune({"space", spec.string(), "--n", "16,4096"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.out.find("0 of 72 combinations are valid"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("no configuration of toy is valid for n=16 on sm_90"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(gtune({"space", spec.string(), "--n", "4096"}).exit_code, 0);
}

TEST_F(ForeignSpec, ARunThatTimeEndsSaysWhichBudgetToGive) {
  // With seed 1 the first is VARIANT=2: in the recording a launch error after 5 ms.
  const ProgramResult result = gtune(toy({"--strategy", "exhaustive", "--param", "BLOCK=64",
                                          "--param", "UNROLL=4", "--budget", "0.001s"}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("time ran out after 1 of 3 configurations, none of them valid and "
                            "correct; a configuration took 0.005 s: give --budget 1s; 1 x "
                            "launch_error: made up"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace gtune::test
