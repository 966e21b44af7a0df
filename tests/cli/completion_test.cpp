// Completions at the cursor: the program's answers, and what real shells make of them.
#include "cli/completion.hpp"

#include <algorithm>
#include <fstream>

#include "fixture.hpp"
#include "support/build_under_test.hpp"

namespace gtune::test {
namespace {

class Completing : public CliTest {
 protected:
  static std::vector<std::string> words(const std::vector<std::string>& line) {
    KernelFinder kernels({GTUNE_SOURCE_DIR});
    std::vector<std::string> found;
    for (const Suggestion& each : complete(line, kernels).words) found.push_back(each.word);
    return found;
  }
  static bool offers(const std::vector<std::string>& line, const std::string& word) {
    const auto found = words(line);
    return std::find(found.begin(), found.end(), word) != found.end();
  }

  /// Contents of bash's COMPREPLY after the tab key at the end of a line.
  [[nodiscard]] std::string in_bash(const std::string& line) const {
    const std::string program =
        "source <(\"$GTUNE\" completion bash)\n"
        "gtune() { \"$GTUNE\" \"$@\"; }\n"
        "compopt() { :; }\n"  // works only while a key is handled
        "COMP_LINE=$1; COMP_POINT=${#1}\n"
        // bash's own splitting: at blanks, and around runs of = and :
        "mapfile -t COMP_WORDS < <(grep -oE \"'[^']*'|[=:]+|[^ =:']+\" <<<\"$1\")\n"
        "[[ $1 == *' ' ]] && COMP_WORDS+=('')\n"
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
        "_gtune\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return run({"/usr/bin/env", "bash", "--norc", "--noprofile", "-c", program, "bash", line});
  }

  [[nodiscard]] std::string run(const std::vector<std::string>& argv) const {
    std::vector<std::string> settings = environment();
    settings.push_back("GTUNE=" + test::gtune_binary());
    const ProgramResult result = run_program(argv, settings);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(Completing, OffersKernelsAndCommandsFirst) {
  EXPECT_TRUE(offers({""}, "sgemm"));
  EXPECT_TRUE(offers({""}, "query"));
  EXPECT_FALSE(offers({""}, "worker")) << "it is not for people";
  EXPECT_EQ(words({"quer"}), std::vector<std::string>{"query"});
  EXPECT_EQ(words({"query", "sgemm_"}), std::vector<std::string>{"sgemm_tf32x3"});
  EXPECT_EQ(words({"db", "me"}), std::vector<std::string>{"merge"});
}

TEST_F(Completing, OffersTheOptionsOfTheCommandAndOfItsKernel) {
  EXPECT_EQ(words({"query", "sgemm", "--fi"}), std::vector<std::string>{"--field"});
  EXPECT_TRUE(offers({"query", "sgemm", "--"}, "--LDA"));
  EXPECT_FALSE(offers({"query", "copy", "--"}, "--LDA"));
  EXPECT_TRUE(offers({"sgemm", "--math", "tf32x3", "--"}, "--CARRY")) << "the variant's own size";
}

TEST_F(Completing, OffersParametersAndTheirValues) {
  EXPECT_TRUE(offers({"sgemm", "--param", "B"}, "BM="));
  EXPECT_TRUE(offers({"sgemm", "--param", "BM=64,1"}, "BM=64,128"));
  EXPECT_TRUE(offers({"sgemm", "--config", "BM=64,BN=6"}, "BM=64,BN=64"));
  EXPECT_TRUE(offers({"query", "copy", "--plot", "by"}, "bytes"));
  EXPECT_TRUE(offers({"query", "copy", "--plot", "bytes,dram_th"}, "bytes,dram_throughput"));
  EXPECT_TRUE(offers({"query", "copy", "--plot", "bytes,GB/s,WI"}, "bytes,GB/s,WIDTH"));
  EXPECT_TRUE(offers({"sgemm", "--param=BM=6"}, "--param=BM=64"));
  EXPECT_TRUE(offers({"explain", "sgemm", "--vs", "n"}, "naive"));
}

TEST_F(Completing, OffersChoicesStrategiesAndArchitectures) {
  EXPECT_EQ(words({"export", "sgemm", "--format", "disp"}), std::vector<std::string>{"dispatcher"});
  EXPECT_EQ(words({"sgemm", "--strategy", "gen"}), std::vector<std::string>{"genetic"});
  EXPECT_TRUE(offers({"space", "sgemm", "--arch", "sm_8"}, "sm_89"));
  EXPECT_EQ(words({"sgemm", "--math", "t"}), std::vector<std::string>{"tf32x3"});
  EXPECT_TRUE(offers({"sgemm", "--device", ""}, "replay"));
}

TEST_F(Completing, OffersWhatIsStored) {
  tune_toy();
  const auto ask = [&](const std::vector<std::string>& more) {
    std::vector<std::string> line = {"query", data + "/toy.toml", "--db", database.string()};
    line.insert(line.end(), more.begin(), more.end());
    return words(line);
  };
  EXPECT_FALSE(ask({"--n", ""}).empty()) << "a tuned size";
  EXPECT_FALSE(ask({"--device", ""}).empty()) << "a device with results";
  EXPECT_EQ(words({"db", "prune", "--db", database.string(), "--kernel", "to"}),
            std::vector<std::string>{"toy"});
}

TEST_F(Completing, TakesMistakesOnTheLine) {
  EXPECT_TRUE(words({"no-such-command", ""}).size() < 40);
  EXPECT_NO_THROW((void)words({"query", "no-such-kernel", "--M", ""}));
  EXPECT_NO_THROW((void)words({"sgemm", "--math", "nothing", "--"}));
  EXPECT_NO_THROW((void)words({"query", "sgemm", "--db", "/none/none.db", "--M", ""}));
  EXPECT_NO_THROW((void)words({"--", "--", ""}));
  EXPECT_TRUE(words({}).empty());
}

TEST_F(Completing, BashGetsWordsItsSplittingAllows) {
  EXPECT_EQ(in_bash("gtune quer"), "query\n");
  EXPECT_EQ(in_bash("gtune export sgemm --format disp"), "dispatcher\n");
  EXPECT_EQ(in_bash("gtune export sgemm --format=disp"), "dispatcher\n");
  EXPECT_EQ(in_bash("gtune sgemm --param BM=25"), "256\n");
  EXPECT_EQ(in_bash("gtune sgemm --param BM=64,25"), "64,256\n");
  EXPECT_EQ(in_bash("gtune query sgemm --device NV"), "NVIDIA\\ H200\n") << "a name with a space";
}

TEST_F(Completing, AnInteractiveBashCompletesAtTheTabKey) {
  if (run_program({"/usr/bin/env", "script", "--version"}).exit_code != 0)
    GTEST_SKIP() << "script is not installed";
  std::ofstream(folder / "rc") << "PS1='> '\nbind 'set enable-bracketed-paste off'\n"
                               << "PATH="
                               << std::filesystem::path(test::gtune_binary()).parent_path().string()
                               << ":$PATH\nsource <(gtune completion bash)\n";
  // The output for the completed line shows that each tab worked.
  std::ofstream(folder / "keys") << "gtune spac\tsgemm_t\t--arch sm_9\t--js\t\nexit\n";
  const std::string out = run({"/bin/sh", "-c",
                               "(sleep 1; cat " + (folder / "keys").string() +
                                   "; sleep 2) | script -qec 'bash --noprofile --rcfile " +
                                   (folder / "rc").string() + " -i' /dev/null"});
  EXPECT_NE(out.find("\"kernel\": \"sgemm_tf32x3\""), std::string::npos) << out;
}

TEST_F(Completing, FishGetsWordsWithTheirHelp) {
  if (run_program({"/bin/sh", "-c", "command -v fish"}).exit_code != 0) {
    GTEST_SKIP() << "fish is not installed";
  }
  const std::string setup = "set -p PATH (dirname $GTUNE); gtune completion fish | source; ";
  const std::string out =
      run({"/usr/bin/env", "fish", "--no-config", "-c",
           setup + "complete -C 'gtune quer'; complete -C 'gtune export sgemm --format=disp'"});
  EXPECT_NE(out.find("query\tLook up"), std::string::npos) << out;
  EXPECT_NE(out.find("--format=dispatcher"), std::string::npos) << out;
}

TEST_F(Completing, ZshTakesTheScript) {
  if (run_program({"/bin/sh", "-c", "command -v zsh"}).exit_code != 0) {
    GTEST_SKIP() << "zsh is not installed";
  }
  const std::string out =
      run({"/usr/bin/env", "zsh", "-f", "-c",
           "autoload -Uz compinit; compinit -D -u\nsource <($GTUNE completion zsh)\n"
           "compadd() { print -rl -- ${(P)argv[-1]}; }\n_files() { print files; }\n"
           "words=($GTUNE export sgemm --format disp); CURRENT=5; PREFIX=disp; _gtune\n"
           "words=($GTUNE query ''); CURRENT=3; PREFIX=; _gtune\n"});
  EXPECT_EQ(out.substr(0, 11), "dispatcher\n") << out;
  EXPECT_NE(out.find("\nsgemm\n"), std::string::npos) << out;
  EXPECT_NE(out.find("\nfiles\n"), std::string::npos) << out;
}

}  // namespace
}  // namespace gtune::test
