// Bad input gets one clear line and a fitting exit code, and harms nothing.
#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/resource.h>

#include <fstream>

#include "fixture.hpp"
#include "support/build_under_test.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

class BadInput : public CliTest {
 protected:
  void refused(const std::vector<std::string>& arguments, int exit_code,
               const std::string& part_of_line) {
    const ProgramResult result = gtune(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << arguments[0] << ": " << result.err;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find(part_of_line), std::string::npos) << result.err;
  }
};

TEST_F(BadInput, Sizes) {
  for (const char* bad : {"0", "-1", "abc", "99999999999999999999", "1:10:0", "", "1,,2"}) {
    refused(toy({"--n", bad}), 2, "--n");
  }
}

TEST_F(BadInput, ParametersAndOptions) {
  refused(toy({"--param", "BLOCK=7"}), 2, "BLOCK takes 32, 64, 128, 256, 512, 1024");
  refused(toy({"--param", "XX=1"}), 2, "XX");
  refused(toy({"--config", "BLOCK=32"}), 2, "UNROLL");
  refused(toy({"--config", "BLOCK=1024,UNROLL=8,VARIANT=0"}), 2, "not_too_much");
  refused(toy({"--budget", "soon"}), 2, "--budget soon");
  refused(toy({"--strategy", "luck"}), 2, "luck");
  refused(toy({"--seed", "-1"}), 2, "--seed");
  refused(toy({"--seed", "18446744073709551616"}), 2, "--seed");
  refused({"run", "sgemm", "--seed", "-1"}, 2, "--seed");
  refused(toy({"--threads", "-1"}), 2, "--threads");
  for (const char* bad : {"0", "nan", "inf", "1e9", "-1", "1s"}) {
    refused(toy({"--timeout", bad}), 2, "0.001");
  }
  refused(toy({"--timing", "warm"}), 2, "leave out --timing and --streams");
  refused(toy({"--streams", "2"}), 2, "holds times of mode cold");
  refused(toy({"--timing", "hot"}), 2, "back-to-back");
  refused(toy({"--streams", "0"}), 2, "--streams");
  refused(toy({"--bugdet", "5"}), 2, "did you mean '--budget'");
  refused(toy({"--budget", "5", "--budget", "6"}), 2, "--budget is given twice");
  refused({"query", "sgemm", "-o", "a", "-o", "b", "-o", "c"}, 2, "--output is given 3 times");
  refused(toy({"--shapes", "/dev/zero"}), 2, "/dev/zero has more than 16 MiB");
  refused({"--M", "4096", "sgemm"}, 2, "come after it: gtune COMMAND --M");
  refused({"sgemm", "--device", "first"}, 2, "--device first");
  refused({"sgem"}, 2, "sgemm");
  refused({"tune", "/nowhere.toml"}, 2, "/nowhere.toml");
  refused({"space", "nosuch"}, 2, "nosuch");
}

TEST_F(BadInput, OfAWorkerIsNoSurprise) {
  const ProgramResult result = run_program(
      {"/bin/sh", "-c", "yes | '" + std::string(gtune_binary()) + "' worker --device replay"},
      environment());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("gtune: worker: garbage instead of a message"), std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("unexpected"), std::string::npos) << result.err;
}

/// Bad specs in the user's own folder do not hide other kernels.
TEST_F(BadInput, SpecsThatAreNoneConcernNoOtherKernel) {
  const auto specs = folder / "own" / "tuner_configs";
  std::filesystem::create_directories(specs / "folder.toml");
  std::ofstream(specs / "query.toml") << "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n";
  std::ofstream(specs / "space.toml") << "nonsense";
  const std::vector<std::string> own = {"GTUNE_DATA=" + (folder / "own").string()};
  const ProgramResult space = gtune({"space", "sgemm", "--M", "64", "--arch", "sm_90"}, own);
  EXPECT_EQ(space.exit_code, 0) << space.err;
  EXPECT_NE(gtune({"--help"}, own).out.find("transpose"), std::string::npos);
  const ProgramResult list = gtune({"list"}, own);
  EXPECT_EQ(list.exit_code, 2);
  EXPECT_NE(list.out.find("sgemm"), std::string::npos);
  EXPECT_NE(list.err.find("query.toml:1:1: the kernel is called 'query'"), std::string::npos)
      << list.err;
  EXPECT_NE(list.err.find("folder.toml: cannot be read"), std::string::npos) << list.err;
}

TEST_F(BadInput, WhatWouldBeIgnoredOrMisread) {
  const std::string spec = data + "/toy.toml";
  refused(toy({"--metrics", "ipc", "--profile", "off"}), 2, "--profile top");
  refused(toy({"--config", "BLOCK=32,UNROLL=1,VARIANT=0", "--budget", "5"}), 2, "--config");
  refused(toy({"--config", "BLOCK=32,UNROLL=1,VARIANT=0", "--strategy", "random"}), 2, "--config");
  for (const char* option : {"--shapes", "--shard", "--db", "--record", "--trace", "--budget"}) {
    refused(toy({option, ""}), 2, option);
  }
  refused({"explain", spec, "--vs", ""}, 2, "--vs");
  refused({"explain", spec, "--device", ""}, 2, "--device");
  refused({"export", spec, "-o", ""}, 2, "--output");
  refused({"db", "info", "--db", ""}, 2, "--db");
  refused({"db", "inof"}, 2, "did you mean 'info'? (see gtune db --help)");
  refused({"--hlep"}, 2, "option --hlep is not known");
  refused({"query", ""}, 2, "kernel");
  for (const char* loss : {"3", "1", "-1%", "0.03x"}) {
    refused({"export", spec, "--max-loss", loss}, 2, std::string("--max-loss ") + loss);
  }
  refused({"export", spec, "--max-loss", "3"}, 2, "is it 3%?");
  refused({"export", spec, "--max-loss", "0.03"}, 5, "no database");
  for (const char* command : {"query", "explain", "export"}) {
    refused({command, spec}, 5, "with results of toy: run gtune tune " + spec + ", or give --db");
  }
}

TEST_F(BadInput, AWrongFolderOfDataIsNotPassedOver) {
  const ProgramResult result = gtune({"list"}, {"GTUNE_DATA=" + (folder / "nowhere").string()});
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("GTUNE_DATA=" + (folder / "nowhere").string()), std::string::npos);
  refused({"worker", "--device", "first"}, 2, "--device first");
  refused({"worker", "--device", ""}, 2, "--device");
}

TEST_F(BadInput, ADevicesMessageNamesEveryChoiceOnce) {
  refused({"copy", "--device", "foo"}, 2, "auto, all, none, replay or replay:FILE, or a comma");
  // A second data folder that has the same recordings.
  const auto own = folder / "own";
  std::filesystem::create_directory(own);
  for (const char* part : {"tuner_configs", "kernels", "db"}) {
    std::filesystem::create_symlink(std::filesystem::path(GTUNE_SOURCE_DIR) / part, own / part);
  }
  const ProgramResult result =
      gtune({"transpose", "--rows", "64", "--device", "replay"}, {"GTUNE_DATA=" + own.string()});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("hold transpose at rows=8192, not at rows=64"), std::string::npos)
      << result.err;
}

TEST_F(BadInput, ASweepReplaysWhatABundledRecordingHolds) {
  const ProgramResult result = gtune({"copy", "--bytes", "4096,1073741824", "--device", "replay",
                                      "--budget", "2", "--profile", "off"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("1 of 2 problems failed, the others are done: bytes=4096: "),
            std::string::npos)
      << result.err;
}

TEST_F(BadInput, Variants) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"sgemm"}, {"space", "sgemm"}, {"query", "sgemm"}}) {
    auto with = [&](const std::string& word) {
      std::vector<std::string> arguments = command;
      arguments.push_back(word);
      return arguments;
    };
    refused(with("--math=fp16"), 2, "--math: 'fp16' is not a choice; expected fp32 or tf32x3");
    refused(with("--math"), 2, "--math");
  }
  // Each variant has its own sizes.
  refused({"space", "sgemm", "--math", "tf32x3", "--LDA", "5000"}, 2, "--LDA");
}

TEST_F(BadInput, NoDeviceSaysWhatToDo) {
  const ProgramResult devices = gtune({"devices"});
  if (devices.exit_code == 0) GTEST_SKIP() << "this machine has a GPU";
  refused({"sgemm", "--M", "4096", "--device", "0"}, 3, "--device replay");
  // The device stays the reason if no recording can replace it.
  refused({"sgemm", "--M", "1024"}, 3, "M=4096");
  refused({"tune", data + "/toy.toml"}, 3, "no recording of toy");
  // gtune brings no results of a user's own kernel.
  refused({"tune", data + "/toy.toml", "--device", "3"}, 3, "--device replay:FILE");
  const ProgramResult own = gtune({"tune", data + "/toy.toml", "--device", "3"});
  EXPECT_EQ(own.err.find("come with gtune"), std::string::npos) << own.err;
}

TEST_F(BadInput, Recordings) {
  refused({"tune", data + "/toy.toml", "--device", "replay:/nowhere.jsonl"}, 2, "/nowhere.jsonl");
  const auto damaged = folder / "damaged.jsonl";
  std::filesystem::copy(recording, damaged);
  std::ofstream(damaged, std::ios::app) << "{\"status\": 5\n";
  const std::string line =
      "gtune: " + damaged.string() + ":72: not a line of a gtune recording: not valid JSON";
  refused({"tune", data + "/toy.toml", "--device", "replay:" + damaged.string()}, 1, line);
  const auto mixed = folder / "mixed";  // two devices in one folder
  std::filesystem::create_directory(mixed);
  std::filesystem::copy(recording, mixed);
  Recording other = read_recording(recording);
  other.device.uuid = "GPU-other";
  other.problem = {{"n", 1000}};
  write_recording(other, mixed / "other.jsonl");
  refused({"tune", data + "/toy.toml", "--device", "replay:" + mixed.string()}, 2,
          "gtune: " + mixed.string());
  refused(toy({"--n", "1000"}), 5, "n=1048576");
}

TEST_F(BadInput, WhatCannotBeWrittenIsSaidBeforeAnythingIsMeasured) {
  refused(toy({"--record", "/proc/gtune/all.jsonl"}), 1, "/proc/gtune/all.jsonl");
  EXPECT_FALSE(std::filesystem::exists(database));
  const auto device = folder / "device";  // a link, because the test may be able to write to /dev
  std::filesystem::create_symlink("/dev/null", device);
  refused(toy({"--record", device.string()}), 1, "it is not a regular file");
  refused(toy({"--trace", device.string()}), 1, "it is not a regular file");
  EXPECT_TRUE(std::filesystem::is_symlink(device));
  const auto elsewhere = folder / "elsewhere";  // the folder of the link's target counts
  std::filesystem::create_symlink("/proc/gtune/all.jsonl", elsewhere);
  refused(toy({"--record", elsewhere.string()}), 1, elsewhere.string());
  refused({"bench-search", recording.string(), "--plot", "/proc/gtune/a.svg"}, 1, "/proc/gtune");
  EXPECT_FALSE(std::filesystem::exists(database));
  refused({"tune", data + "/toy.toml", "--device", "replay:/nowhere.jsonl"}, 2, "/nowhere.jsonl");
  EXPECT_FALSE(std::filesystem::exists(database));
}

class LostOutput : public BadInput {
 protected:
  /// Runs gtune with these redirections of a shell.
  [[nodiscard]] ProgramResult redirected(const std::vector<std::string>& arguments,
                                         const std::string& redirections) const {
    std::string line = "exec '" + test::gtune_binary() + "'";
    for (const std::string& word : arguments) line += " '" + word + "'";
    return run_program({"/bin/sh", "-c", line + ' ' + redirections}, environment());
  }

  void expect_failure(const std::vector<std::string>& arguments, const std::string& redirections) {
    const ProgramResult result = redirected(arguments, redirections);
    EXPECT_EQ(result.exit_code, 1) << arguments[0] << ' ' << redirections;
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
  }
};

TEST_F(LostOutput, OnAFullDiskIsAnError) {
  expect_failure(toy({"--quiet"}), ">/dev/full");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"--version"},
                                                {"query", "--help"},
                                                {"query", "sgemm", "--help"},
                                                {"db", "merge", "--help"},
                                                {"list"}}) {
    expect_failure(words, ">/dev/full");
  }
}

TEST_F(LostOutput, OfAReaderThatHasEnoughIsNoError) {
  const std::string gtune = "'" + test::gtune_binary() + "' ";
  const ProgramResult result =
      run_program({"/usr/bin/env", "bash", "-c",
                   gtune + "query sgemm --json | head -n 1; echo \"${PIPESTATUS[0]}\""},
                  environment());
  EXPECT_EQ(result.out, "{\n141\n");
  EXPECT_EQ(result.err, "");
}

/// Otherwise the first file that gtune opens, the database, would be its standard output.
TEST_F(LostOutput, ToAClosedStreamIsAnErrorAndHarmsNoFile) {
  EXPECT_EQ(gtune(toy({"--quiet"})).exit_code, 0);
  const auto whole = std::filesystem::file_size(database);
  for (const char* closed : {">&-", "<&- >&-"}) {
    expect_failure({"--help"}, closed);
    expect_failure({"list"}, closed);
    expect_failure({"query", data + "/toy.toml"}, closed);
    expect_failure({"db", "info"}, closed);
    expect_failure({"db", "export"}, closed);
    expect_failure(toy({"--quiet"}), closed);
  }
  EXPECT_EQ(std::filesystem::file_size(database), whole);
  const ProgramResult all = redirected(toy({"--quiet", "--fresh", "--seed", "3"}), "<&- >&- 2>&-");
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_EQ(SQLite::Database(database.string()).execAndGet("PRAGMA integrity_check").getString(),
            "ok");
  EXPECT_EQ(redirected({"query", data + "/toy.toml"}, "2>&-").exit_code, 0);
  EXPECT_EQ(redirected(toy({"--quiet"}), "<&-").exit_code, 0);
  const auto header = (folder / "toy.hpp").string();
  EXPECT_EQ(
      redirected({"export", data + "/toy.toml", "--format", "text", "-o", header}, "<&- >&- 2>&-")
          .exit_code,
      0);
  EXPECT_GT(std::filesystem::file_size(header), 0U);
}

/// File names are bytes, JSON is UTF-8 text: invalid bytes are replaced and never cause an error.
TEST_F(BadInput, AFileMayHaveAnyName) {
  const std::string odd = (folder / "odd\xff\x80.db").string();
  const std::string recorded = (folder / "odd\xff.jsonl").string();
  EXPECT_TRUE(nlohmann::json::accept(gtune(toy({"--db", odd, "--json", "--quiet"})).out));
  EXPECT_EQ(gtune(toy({"--db", odd, "--record", recorded, "--quiet"})).exit_code, 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"query", data + "/toy.toml", "--db", odd, "--json"},
        {"db", "info", "--db", odd, "--json"},
        {"bench-search", recorded, "--seeds", "1", "--json"}}) {
    const ProgramResult result = gtune(words);
    EXPECT_EQ(result.exit_code, 0) << words[0] << ": " << result.err;
    EXPECT_TRUE(nlohmann::json::accept(result.out)) << words[0];
  }
}

TEST_F(BadInput, TooLittleMemoryEndsInALine) {
  if (test::is_sanitized()) GTEST_SKIP() << "AddressSanitizer reserves terabytes";
  EXPECT_EQ(gtune(toy({"--quiet"})).exit_code, 0);
  const std::string spec = data + "/toy.toml";
  const std::vector<std::string> commands = {
      "query " + spec, "export " + spec + " --format json",
      "bench-search " + recording.string() + " --seeds 2 --threads 8",
      "tune " + spec + " --fresh --quiet --device replay:" + recording.string()};
  int failed = 0;
  for (int mib = 14; mib <= 100; mib += mib < 40 ? 2 : 20) {
    for (const std::string& command : commands) {
      const std::string limited = "ulimit -c 0; ulimit -v " + std::to_string(mib * 1024) +
                                  "; exec " + test::gtune_binary() + " " + command;
      const ProgramResult result = run_program({"/bin/bash", "-c", limited}, environment());
      if (result.exit_code == 127) continue;  // not enough to load the program
      EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1)
          << mib << " MiB: " << command << ": " << result.exit_code << ' ' << result.err;
      EXPECT_EQ(result.err.find("unexpected"), std::string::npos) << result.err;
      failed += result.exit_code == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(failed, 0);
}

TEST_F(BadInput, WhatIsQuotedIsNoCommandToTheTerminal) {
  const auto shapes = folder / "shapes.csv";
  std::ofstream(shapes) << "n\x1b[31m\x7f\n4\n";
  const ProgramResult result = gtune(toy({"--shapes", shapes.string()}));
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("no problem size 'n [31m '"), std::string::npos) << result.err;
}

TEST_F(BadInput, Databases) {
  refused(toy({"--db", folder.string()}), 1, folder.string());
  const auto text = folder / "notes.txt";
  std::ofstream(text) << "These are my notes. They are not a database, and they are to stay.\n";
  refused(toy({"--db", text.string()}), 1, text.string());
  EXPECT_EQ(std::filesystem::file_size(text), 67U);
  refused(toy({"--db", "/proc/gtune/gtune.db"}), 1, "/proc/gtune");
}

TEST_F(BadInput, AFullDiskEndsTheRunAndHarmsNothing) {
  // A limit on the size of files stands in for a full disk. The shell sets it, in KiB.
  const std::string command = "ulimit -f 200; exec " + test::gtune_binary() + " tune " + data +
                              "/toy.toml --strategy random --device replay:" + recording.string() +
                              " --quiet --db " + database.string();
  ProgramResult result;
  for (int run = 0; run < 40 && result.exit_code != 1; ++run) {
    result = run_program({"/bin/bash", "-c", command + " --fresh"}, environment());
    ASSERT_TRUE(result.exit_code == 0 || result.exit_code == 1) << result.err;
  }
  EXPECT_EQ(result.exit_code, 1) << "the database never grew to the limit";
  expect_one_clear_line(result);
  SQLite::Database db(database.string());
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_GT(db.execAndGet("SELECT COUNT(*) FROM measurement").getInt(), 0);
}

TEST_F(BadInput, SpecMistakesNameTheirPlace) {
  const auto spec = folder / "wrong.toml";
  std::ofstream(spec) << "[kernel]\nsource = \"toy.cu\"\nentri = \"toy\"\n";
  std::filesystem::copy(data + "/toy.cu", folder / "toy.cu");
  const ProgramResult result = gtune({"tune", spec.string()});
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("wrong.toml:3:1"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("entry"), std::string::npos) << "no suggestion: " << result.err;
}

TEST_F(BadInput, AHugeSpaceIsEnumeratedAtOnce) {
  const ProgramResult result = gtune({"space", data + "/huge.toml", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto out = nlohmann::json::parse(result.out);
  EXPECT_EQ(out["combinations"], 100000000);
  EXPECT_GT(out["valid"], 90000);
#ifdef NDEBUG
  EXPECT_LT(out["seconds"], 1.0);
#endif
}

}  // namespace
}  // namespace gtune::test
