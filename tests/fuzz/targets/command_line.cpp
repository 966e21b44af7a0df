// Command lines, one word a line: parsed but not executed.

#include "cli/command_line.hpp"

#include <array>
#include <cstring>

#include "../mutate.hpp"
#include "../target.hpp"
#include "cli/command_table.hpp"
#include "model/error.hpp"

namespace gtune::fuzz {
namespace {

/// gtune's commands, kernels, and words that are neither.
const std::vector<std::string>& first_words() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> words = command_names();
    words.insert(words.end(), {"copy",      "sgemm",
                               "transpose", "toy.toml",
                               "--help",    "--version",
                               "import",    "merge",
                               "info",      "prune",
                               "-",         "--",
                               "-h",        "",
                               "x.toml",    "--math",
                               "tf32x3",    "cpy",
                               "sgem",      "--bugdet",
                               "/dev/null", "tuner_configs/copy.toml"});
    return words;
  }();
  return all;
}

constexpr std::array<std::string_view, 68> options = {"--M",
                                                      "--N",
                                                      "--K",
                                                      "--n",
                                                      "--n_bytes",
                                                      "--transpose_a",
                                                      "--math",
                                                      "--all",
                                                      "--arch",
                                                      "--budget",
                                                      "--chip",
                                                      "--compile",
                                                      "--config",
                                                      "--csv",
                                                      "--db",
                                                      "--device",
                                                      "--effects",
                                                      "--field",
                                                      "--flush-l2",
                                                      "--forecasts",
                                                      "--format",
                                                      "--fresh",
                                                      "--help",
                                                      "--json",
                                                      "--launches",
                                                      "--list",
                                                      "--metrics",
                                                      "--output",
                                                      "--param",
                                                      "--profile",
                                                      "--plain",
                                                      "--quiet",
                                                      "--record",
                                                      "--seed",
                                                      "--seeds",
                                                      "--shapes",
                                                      "--shard",
                                                      "--strategy",
                                                      "--table",
                                                      "--threads",
                                                      "--timeout",
                                                      "--trace",
                                                      "--verbose",
                                                      "--version",
                                                      "--vs",
                                                      "--where",
                                                      "--worker-command",
                                                      "--no-wait",
                                                      "--timing",
                                                      "--streams",
                                                      "--max-variants",
                                                      "--max-loss",
                                                      "--namespace",
                                                      "--kernel",
                                                      "--problem",
                                                      "--dry-run",
                                                      "--plot",
                                                      "-o",
                                                      "-q",
                                                      "-h",
                                                      "-v",
                                                      "-",
                                                      "--",
                                                      "--=",
                                                      "---",
                                                      "--objective",
                                                      "--pareto",
                                                      "--lines"};

constexpr std::array<std::string_view, 40> values = {"copy",
                                                     "sgemm",
                                                     "transpose",
                                                     "tf32x3",
                                                     "x.toml",
                                                     "1",
                                                     "0",
                                                     "-1",
                                                     "4096",
                                                     "1024,2048",
                                                     "512:4096:512",
                                                     "512:4096:*2",
                                                     "1:99999999999:1",
                                                     "4096x4096",
                                                     "60s",
                                                     "20",
                                                     "1e9h",
                                                     "-5s",
                                                     "nan",
                                                     "1/2",
                                                     "2/1",
                                                     "0/0",
                                                     "BM=64",
                                                     "BM=64,BN=128",
                                                     "BM=",
                                                     "=64",
                                                     "replay:x.jsonl",
                                                     "0,1",
                                                     "all",
                                                     "none",
                                                     "sm_90",
                                                     "sm_999",
                                                     "guided",
                                                     "random",
                                                     "json",
                                                     "c",
                                                     "cubin",
                                                     "",
                                                     " ",
                                                     "99999999999999999999"};

class CommandLineTarget : public Target {
 public:
  void run(const std::string& input) override {
    std::vector<std::string> words = lines_of(input);
    // A process gets C strings: a word ends at its first NUL.
    for (std::string& word : words) word.resize(std::strlen(word.c_str()));
    const ParsedCommand command = parse_command_line(words, m_kernels);
    require(static_cast<bool>(command.action), "a command without anything to do");
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    switch (random.below(8)) {
      case 0:
        return mutate_lines(input, other, random);
      case 1:
        return mutate_bytes(std::move(input), other, values, random);
      case 2:
        return some_words(random);
      default:
        return with_a_word(input, random);
    }
  }

 private:
  static std::string a_word(Random& random) {
    switch (random.below(5)) {
      case 0:
        return pick(first_words(), random);
      case 1:
        return std::string(pick(options, random)) + "=" + std::string(pick(values, random));
      case 2:
        return std::string(pick(values, random));
      default:
        return std::string(pick(options, random));
    }
  }

  static std::string some_words(Random& random) {
    std::vector<std::string> words = {pick(first_words(), random)};
    for (std::size_t i = random.below(8); i > 0; --i) words.push_back(a_word(random));
    return joined(words);
  }

  static std::string with_a_word(const std::string& input, Random& random) {
    std::vector<std::string> words = lines_of(input);
    const std::size_t at = random.below(words.size() + 1);
    if (at < words.size() && one_in(2, random)) {
      words[at] = one_in(10, random) ? hostile_text(random) : a_word(random);
    } else {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), a_word(random));
    }
    return joined(words);
  }

  KernelFinder m_kernels{{GTUNE_SOURCE_DIR}};
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<CommandLineTarget>(); }

}  // namespace gtune::fuzz
