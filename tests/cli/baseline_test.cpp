// gtune baseline save and check, on recordings in place of a GPU.
#include <algorithm>
#include <fstream>
#include <future>
#include <sstream>

#include "exchange/reference_times.hpp"
#include "fixture.hpp"
#include "model/statistics.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string text_in(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class BaselineFile : public CliTest {
 protected:
  /// Another recording of the toy kernel, in which every time is multiplied.
  [[nodiscard]] fs::path recorded_with(double factor,
                                       const std::string& name = "other.jsonl") const {
    return recorded_by(name, [&](Measurement& m) {
      for (double& sample : m.timing->samples_ms) sample *= factor;
      m.timing = summarise(m.timing->samples_ms);
    });
  }

  template <typename Change>
  [[nodiscard]] fs::path recorded_by(const std::string& name, const Change& change) const {
    Recording made = read_recording(recording);
    for (RecordedMeasurement& each : made.measurements) {
      if (each.measurement.timing) change(each.measurement);
    }
    write_recording(made, folder / name);
    return folder / name;
  }

  [[nodiscard]] ProgramResult save(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"baseline", "save",     file.string(),
                                      toy_spec,   "--device", "replay:" + recording.string(),
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return gtune(words);
  }

  [[nodiscard]] ProgramResult check(const fs::path& replayed,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {
        "baseline", "check", file.string(), "--device", "replay:" + replayed.string(), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return gtune(words);
  }

  /// Tunes and saves the one problem of the recording.
  void saved() const {
    static_cast<void>(tune_toy({"--strategy", "exhaustive"}));
    const ProgramResult result = save();
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  const std::string toy_spec = data + "/toy.toml";
  fs::path file = folder / "gate.json";
};

TEST_F(BaselineFile, SavesTheBestStoredConfiguration) {
  const json tuned = tune_toy({"--strategy", "exhaustive"});
  const ProgramResult result = save();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("BLOCK=256,UNROLL=4,VARIANT=1"), std::string::npos) << result.out;
  const ReferenceTimes times = read_reference_times(file);
  EXPECT_EQ(times.device.name, "Made-up GPU");
  ASSERT_EQ(times.problems.size(), 1U);
  const ReferenceTime& entry = times.problems.front();
  EXPECT_EQ(entry.kernel, "toy");
  EXPECT_EQ(fs::weakly_canonical(folder / entry.spec), fs::weakly_canonical(toy_spec));
  EXPECT_EQ(entry.problem, (Problem{{"n", 1048576}}));
  EXPECT_EQ(entry.config, (Config{{"BLOCK", 256}, {"UNROLL", 4}, {"VARIANT", 1}}));
  EXPECT_EQ(entry.rounds_ms.size(), 20U);
  EXPECT_EQ(entry.toolchain.driver, "1.0");
}

TEST_F(BaselineFile, SavesNothingThatWasNotTuned) {
  const ProgramResult none = save();
  EXPECT_EQ(none.exit_code, 5);
  expect_one_clear_line(none);
  static_cast<void>(tune_toy());
  const ProgramResult other = save({"--n", "1048576,77"});
  EXPECT_EQ(other.exit_code, 5);
  expect_one_clear_line(other);
  EXPECT_NE(other.err.find("toy at n=77"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("tune first (gtune tune " + toy_spec + " --n 77 --device replay:"),
            std::string::npos)
      << other.err;
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(BaselineFile, SavesAGivenConfigurationWithoutTuning) {
  const ProgramResult result =
      save({"--n", "1048576", "--config", "BLOCK=64,UNROLL=1,VARIANT=0", "--round-count", "5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ReferenceTime entry = read_reference_times(file).problems.front();
  EXPECT_EQ(entry.config, (Config{{"BLOCK", 64}, {"UNROLL", 1}, {"VARIANT", 0}}));
  EXPECT_EQ(entry.rounds_ms.size(), 5U);
  const ProgramResult where = save({"--config", "BLOCK=64,UNROLL=1,VARIANT=0"});
  EXPECT_EQ(where.exit_code, 2);
  expect_one_clear_line(where);
}

TEST_F(BaselineFile, KeepsOtherProblemsAndReplacesTheSame) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  ReferenceTime other = times.problems.front();
  other.kernel = "other";
  times.put(other);
  times.problems.front().rounds_ms.assign(4, 77.0);
  std::ofstream(file) << reference_times_text(times);
  ASSERT_EQ(save().exit_code, 0);
  const ReferenceTimes again = read_reference_times(file);
  ASSERT_EQ(again.problems.size(), 2U);
  for (const ReferenceTime& each : again.problems) EXPECT_LT(each.rounds_ms.front(), 77);
}

TEST_F(BaselineFile, SavesOfSeveralProcessesAreAllKept) {
  const auto save_recorded = [&](const std::string& kernel, const std::vector<std::string>& sizes,
                                 const std::string& recorded) {
    const Recording from =
        read_recording(std::string(GTUNE_SOURCE_DIR) + "/db/recordings/" + recorded);
    const auto right = std::find_if(from.measurements.begin(), from.measurements.end(),
                                    [](const auto& each) { return each.measurement.ok(); });
    std::vector<std::string> words = {"baseline",
                                      "save",
                                      file.string(),
                                      kernel,
                                      "--device",
                                      "replay",
                                      "--config",
                                      right->measurement.config.text(),
                                      "--quiet",
                                      "--round-count",
                                      "4"};
    words.insert(words.end(), sizes.begin(), sizes.end());
    return gtune(words);
  };
  auto one = std::async(std::launch::async, [&] {
    return save_recorded("sgemm", {"--M", "4096"}, "sgemm-4096-h200.jsonl");
  });
  const ProgramResult two =
      save_recorded("copy", {"--bytes", "1073741824"}, "copy-1GiB-h200.jsonl");
  EXPECT_EQ(one.get().exit_code, 0);
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(read_reference_times(file).problems.size(), 2U);
}

TEST_F(BaselineFile, SavesNoTimesOfAnotherStateOfTheL2Cache) {
  static_cast<void>(tune_toy());
  const ProgramResult result = save({"--timing", "warm"});
  EXPECT_EQ(result.exit_code, 5);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("with a warm L2 cache"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--timing warm --device replay:"), std::string::npos) << result.err;
}

TEST_F(BaselineFile, DoesNotReplaceAFileThatIsNotItsOwn) {
  static_cast<void>(tune_toy());
  std::ofstream(file) << "{\"mine\": true}\n";
  const ProgramResult result = save();
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_EQ(text_in(file), "{\"mine\": true}\n");
}

TEST_F(BaselineFile, OutputsReplaceNeitherTheFileNorEachOther) {
  saved();
  const std::string before = text_in(file);
  const std::string link = (folder / "link.json").string();
  fs::create_symlink(file, link);
  for (const std::string& output : {file.string(), (folder / "." / "gate.json").string(), link}) {
    const ProgramResult result = check(recording, {"--junit", output});
    EXPECT_EQ(result.exit_code, 2) << output;
    expect_one_clear_line(result);
  }
  const std::string one = (folder / "one").string();
  const ProgramResult both = check(recording, {"--junit", one, "--markdown", one});
  EXPECT_EQ(both.exit_code, 2);
  expect_one_clear_line(both);
  EXPECT_EQ(text_in(file), before);
}

TEST_F(BaselineFile, SavesOtherKernelsIfOneHasNothingStored) {
  static_cast<void>(tune_toy());
  const ProgramResult result = save({"transpose"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("no stored result of transpose"), std::string::npos) << result.err;
  EXPECT_EQ(read_reference_times(file).problems.size(), 1U);
}

TEST_F(BaselineFile, RealTimesAreNotComparedWithRecordedOnes) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  EXPECT_TRUE(times.device.replayed);
  times.device.replayed = false;
  std::ofstream(file) << reference_times_text(times);
  const ProgramResult result = check(recording);
  EXPECT_EQ(result.exit_code, 3);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("replayed from a recording"), std::string::npos) << result.err;
}

TEST_F(BaselineFile, UnchangedTimesAreTheSame) {
  saved();
  const ProgramResult result = check(recording);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("1 problem: 1 SAME"), std::string::npos) << result.out;
}

TEST_F(BaselineFile, ASlowdownIsExitCodeOne) {
  saved();
  const ProgramResult result = check(recorded_with(1.02), {"--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << result.out;
  const json& problem = report["problems"][0];
  EXPECT_EQ(problem["verdict"], "SLOWER");
  EXPECT_NEAR(problem["change"].get<double>(), 0.02, 1e-4);
  EXPECT_GT(problem["change_low"].get<double>(), 0);
  EXPECT_EQ(problem["problem"]["n"], 1048576);
  EXPECT_EQ(report["summary"], "1 problem: 1 SLOWER");
  EXPECT_NE(problem["notes"].dump().find("source and spec have not changed"), std::string::npos);
}

TEST_F(BaselineFile, ASpeedupIsExitCodeZero) {
  saved();
  const ProgramResult result = check(recorded_with(0.9));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("1 problem: 1 FASTER"), std::string::npos) << result.out;
}

TEST_F(BaselineFile, TheThresholdSaysWhatCounts) {
  saved();
  const fs::path slower = recorded_with(1.02);
  EXPECT_EQ(check(slower, {"--threshold", "10%"}).exit_code, 0);
  EXPECT_EQ(check(slower, {"--threshold", "2%"}).exit_code, 1);
  for (const char* bad : {"0", "-1%", "1", "x", "nan", "inf%", "200%"}) {
    const ProgramResult result = check(slower, {"--threshold", bad});
    EXPECT_EQ(result.exit_code, 2) << bad;
    expect_one_clear_line(result);
  }
}

TEST_F(BaselineFile, SpreadInTheFileMakesItUnsureWhichIsExitCodeZero) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  std::vector<double>& rounds = times.problems.front().rounds_ms;
  for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i] *= i % 2 == 0 ? 1.1 : 0.9;
  std::ofstream(file) << reference_times_text(times);
  const fs::path junit = folder / "gate.xml";
  const ProgramResult result = check(recording, {"--max-rounds", "6", "--junit", junit.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("not settled after 6 rounds"), std::string::npos) << result.out;
  EXPECT_NE(text_in(junit).find("<skipped message=\"not settled after 6 rounds"),
            std::string::npos);
}

TEST_F(BaselineFile, AWrongResultIsFailedNotSlower) {
  saved();
  const fs::path wrong = recorded_by("wrong.jsonl", [](Measurement& m) {
    m.timing.reset();
    m.status = Status::wrong_result;
    m.reason = "element <7> & \"more\"";
  });
  const fs::path junit = folder / "gate.xml";
  const fs::path markdown = folder / "gate.md";
  const ProgramResult result =
      check(wrong, {"--junit", junit.string(), "--markdown", markdown.string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("FAILED"), std::string::npos) << result.out;
  EXPECT_NE(text_in(junit).find("<failure type=\"FAILED\" message=\"wrong_result: element "
                                "&lt;7&gt; &amp; &quot;more&quot;\"/>"),
            std::string::npos)
      << text_in(junit);
  EXPECT_NE(text_in(markdown).find("| **FAILED** | toy | n=1048576 |"), std::string::npos)
      << text_in(markdown);
}

TEST_F(BaselineFile, WritesMarkdownAndJunit) {
  saved();
  const fs::path junit = folder / "gate.xml";
  const fs::path markdown = folder / "gate.md";
  ASSERT_EQ(check(recorded_with(1.05), {"--junit", junit.string(), "--markdown", markdown.string()})
                .exit_code,
            1);
  EXPECT_NE(text_in(junit).find("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""),
            std::string::npos);
  EXPECT_NE(text_in(junit).find("<failure type=\"SLOWER\" message=\"+5.00 %"), std::string::npos);
  EXPECT_TRUE(text_in(markdown).starts_with("### gtune: 1 problem: 1 SLOWER\n"));
  EXPECT_NE(text_in(markdown).find("| **SLOWER** | toy |"), std::string::npos);
}

TEST_F(BaselineFile, SameReplaySameBytes) {
  saved();
  const fs::path slower = recorded_with(1.02);
  const auto outputs = [&] {
    const ProgramResult result = check(slower, {"--json", "--junit", (folder / "x.xml").string()});
    return result.out + text_in(folder / "x.xml");
  };
  EXPECT_EQ(outputs(), outputs());
}

TEST_F(BaselineFile, AConfigurationThatIsNotRecordedOrNotValidFails) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  times.problems.front().config = {{"BLOCK", 1024}, {"UNROLL", 8}, {"VARIANT", 0}};
  std::ofstream(file) << reference_times_text(times);
  const ProgramResult result = check(recording);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("violates the constraint not_too_much"), std::string::npos)
      << result.out << result.err;
}

TEST_F(BaselineFile, AKernelThatIsGoneFails) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  times.problems.front().spec = "nowhere/toy.toml";
  ReferenceTime bundled = times.problems.front();
  bundled.kernel = "no_such<b>kernel";
  bundled.spec = "";
  times.put(bundled);
  std::ofstream(file) << reference_times_text(times);
  const ProgramResult result = check(recording);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("2 problems: 2 FAILED"), std::string::npos) << result.out << result.err;
}

TEST_F(BaselineFile, NamesWithControlCharactersAreRefused) {
  saved();
  ReferenceTimes times = read_reference_times(file);
  times.problems.front().kernel = "toy\x1B[31m";
  std::ofstream(file) << reference_times_text(times);
  const ProgramResult result = check(recording);
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_EQ(result.err.find('\x1B'), std::string::npos);
}

TEST_F(BaselineFile, AnotherDeviceModelIsRefused) {
  saved();
  Recording made = read_recording(recording);
  made.device.name = "Other GPU";
  write_recording(made, folder / "other.jsonl");
  const ProgramResult result = check(folder / "other.jsonl");
  EXPECT_EQ(result.exit_code, 3);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("holds times of Made-up GPU"), std::string::npos) << result.err;
}

TEST_F(BaselineFile, AnotherDriverIsNoted) {
  saved();
  Recording made = read_recording(recording);
  made.toolchain.driver = "2.0";
  write_recording(made, folder / "other.jsonl");
  const ProgramResult result = check(folder / "other.jsonl");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("note: the driver was 1.0, is 2.0\n"), std::string::npos) << result.out;
}

TEST_F(BaselineFile, FilesThatAreNoneAreRefusedWithOneLine) {
  const auto refused = [&](const std::string& part) {
    const ProgramResult result = check(recording);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused("gate.json");
  for (const std::string bad : {"", "{", "{}", "\xFF\xFE", "{\"gtune_reference_times\": 99}"}) {
    std::ofstream(file) << bad;
    refused("gate.json: ");
  }
  fs::remove(file);
  fs::create_directory(file);
  refused("gate.json");
}

TEST_F(BaselineFile, NeedsAGpuOrARecordingThatIsNamed) {
  saved();
  if (gtune({"devices"}).exit_code != 0) {
    const ProgramResult result = gtune({"baseline", "check", file.string()});
    EXPECT_EQ(result.exit_code, 3) << "a recording must not stand in silently: " << result.out;
    expect_one_clear_line(result);
  }
  for (const char* several : {"auto", "all", "none", "0,1"}) {
    const ProgramResult result = gtune({"baseline", "check", file.string(), "--device", several});
    EXPECT_NE(result.exit_code, 0) << several;
    expect_one_clear_line(result);
  }
}

TEST_F(BaselineFile, SizesAreOfOneKernel) {
  const ProgramResult result = gtune(
      {"baseline", "save", file.string(), "sgemm", "transpose", "--M", "64", "--device", "replay"});
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("are of one kernel"), std::string::npos) << result.err;
}

TEST_F(BaselineFile, OptionsMayStandBeforeTheKernel) {
  static_cast<void>(tune_toy());
  const ProgramResult result =
      gtune({"baseline", "save", "--quiet", file.string(), "--device",
             "replay:" + recording.string(), "--round-count", "4", toy_spec, "--n", "1048576"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(BaselineFile, UnknownKernelsAndSubcommandsAreNamed) {
  ProgramResult result = gtune({"baseline", "save", file.string(), "sgem"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("no kernel 'sgem'; did you mean"), std::string::npos) << result.err;
  result = gtune({"baseline", "chek", file.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("gtune baseline has no command 'chek'"), std::string::npos)
      << result.err;
  EXPECT_EQ(gtune({"baseline", "save", file.string()}).exit_code, 2);
  EXPECT_EQ(gtune({"baseline", "check", file.string(), "more"}).exit_code, 2);
}

TEST_F(BaselineFile, AnEarlierSourceIsMeasuredInTurn) {
  const fs::path repo = folder / "repo";
  fs::create_directory(repo);
  fs::copy(toy_spec, repo / "toy.toml");
  fs::copy(data + "/toy.cu", repo / "toy.cu");
  const auto git = [&](std::vector<std::string> words) {
    std::vector<std::string> command = {"/usr/bin/env", "git",         "-C", repo.string(),
                                        "-c",           "user.name=x", "-c", "user.email=x@y.z"};
    command.insert(command.end(), words.begin(), words.end());
    EXPECT_EQ(run_program(command, {}).exit_code, 0);
  };
  git({"init", "--quiet"});
  git({"add", "toy.toml", "toy.cu"});
  git({"commit", "--quiet", "-m", "made up"});
  static_cast<void>(tune_toy({"--strategy", "exhaustive"}));
  const std::string device = "replay:" + recording.string();
  ASSERT_EQ(
      gtune({"baseline", "save", (repo / "gate.json").string(), (repo / "toy.toml").string(), "--n",
             "1048576", "--config", "BLOCK=256,UNROLL=4,VARIANT=1", "--device", device, "--quiet"})
          .exit_code,
      0);
  const auto check_against = [&](const std::string& earlier) {
    return gtune({"baseline", "check", (repo / "gate.json").string(), "--device", device, "--quiet",
                  "--against", earlier});
  };
  const ProgramResult same = check_against("HEAD");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_NE(same.out.find("(HEAD), measured in turn"), std::string::npos) << same.out;
  EXPECT_NE(same.out.find("1 problem: 1 SAME"), std::string::npos) << same.out;
  EXPECT_EQ(check_against(repo.string()).exit_code, 0);
  const ProgramResult none = check_against("no-such-ref");
  EXPECT_EQ(none.exit_code, 2);
  expect_one_clear_line(none);
  fs::create_directory(folder / "empty");
  const ProgramResult wrong = check_against((folder / "empty").string());
  EXPECT_EQ(wrong.exit_code, 2) << "it must not pass: " << wrong.out;
  EXPECT_NE(wrong.err.find("has none of the kernels' specs"), std::string::npos) << wrong.err;
  fs::remove_all(repo / ".git");
  fs::create_directory(folder / "broken");
  std::ofstream(folder / "broken" / "toy.toml") << "[kernel]\n";
  const ProgramResult broken = check_against((folder / "broken").string());
  EXPECT_EQ(broken.exit_code, 2) << "it must not pass: " << broken.out;
  EXPECT_NE(broken.err.find("no problem could be compared"), std::string::npos) << broken.err;
  EXPECT_NE(broken.err.find("toy.toml:"), std::string::npos) << broken.err;
  const ProgramResult no_repository = check_against("HEAD");
  EXPECT_EQ(no_repository.exit_code, 2);
  expect_one_clear_line(no_repository);
}

}  // namespace
}  // namespace gtune::test
