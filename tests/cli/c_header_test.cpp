// `gtune export --format c-header`: valid as C99 and C++, with the same answers as gtune itself.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "fixture.hpp"
#include "made_up.hpp"
#include "model/statistics.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "tune/identity.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

constexpr std::array both_languages = {std::pair("c", "c99"), std::pair("c++", "c++17")};

std::string bundled(const std::string& kernel) {
  return repository + "/tuner_configs/" + kernel + ".toml";
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The named values as a row such as "{1, 2}".
std::string row(const std::vector<std::string>& names, const NamedValues& values) {
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}{}", out.empty() ? "{" : ", ", values.find(name).value());
  }
  return out + "}";
}

class CHeader : public CliTest {
 protected:
  [[nodiscard]] ProgramResult compile_as(const std::string& language, const std::string& standard,
                                         const std::string& source) const {
    std::ofstream(folder / "main.c") << source;
    return run_program(
        {GTUNE_CXX, "-x", language, "-std=" + standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
         "-I" + folder.string(), (folder / "main.c").string(), "-o", program()},
        {});
  }

  [[nodiscard]] std::string program() const { return (folder / "program").string(); }

  /// Writes gtune_NAME.h next to the program.
  void write_header(const std::string& spec, const std::string& name) const {
    const auto file = folder / ("gtune_" + name + ".h");
    const ProgramResult result = gtune({"export", spec, "--format", "c-header", "-o", file.string(),
                                        "--max-variants", "0", "--max-loss", "0"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  /// Both headers choose the same, on known and unknown devices. `more`: arguments for the sizes
  /// after the first.
  void expect_the_choices_of_cpp(const std::string& spec, const std::string& kernel,
                                 const std::string& more) const;

  /// Tunes the toy kernel under another name, with other names for n and UNROLL; returns its spec.
  [[nodiscard]] std::string tune_renamed(const std::string& kernel, const std::string& size,
                                         const std::string& param) const;

  /// The numbers that the program prints.
  [[nodiscard]] std::vector<long long> printed() const {
    std::istringstream out(run_program({program()}, {}).out);
    return {std::istream_iterator<long long>(out), {}};
  }
};

void CHeader::expect_the_choices_of_cpp(const std::string& spec, const std::string& kernel,
                                        const std::string& more) const {
  write_header(spec, kernel);
  const std::string cpp_header = (folder / ("gtune_" + kernel + ".hpp")).string();
  ASSERT_EQ(
      gtune({"export", spec, "-o", cpp_header, "--max-variants", "0", "--max-loss", "0"}).exit_code,
      0);
  const std::string source = R"(
#include "KERNEL.h"
#include "KERNEL.hpp"
#include <cstdio>
#include <initializer_list>
static int compare(const char* name, long long cc, long long threads, long long n) {
  KERNEL_Device c_device = *KERNEL_known_device("One");
  KERNEL::Device device = KERNEL::known_device("One");
  c_device.name = device.name = name;
  c_device.dev_cc = device.dev_cc = cc;
  c_device.dev_max_threads = device.dev_max_threads = threads;
  const KERNEL_Problem c_problem = KERNEL_problem(nMORE);
  const KERNEL::Selection selection = KERNEL::select(device, KERNEL::problem(n));
  KERNEL_Selection c_selection;
  const int found = KERNEL_select(&c_device, &c_problem, &c_selection);
  if (found == (selection.variant >= 0) && c_selection.variant == selection.variant &&
      (c_selection.exact != 0) == selection.exact) {
    return selection.variant;
  }
  std::printf("%s %lld %lld %lld: %d, not %d\n", name, cc, threads, n, c_selection.variant,
              selection.variant);
  return -2;
}
int main() {
  bool chosen[1000] = {};
  for (const char* name : {"One", "tWO \"Quoted\" */ ?\?/", "Three", "Four"}) {
    for (long long cc : {52, 80, 83, 86, 88, 90, 120}) {
      for (long long threads : {96, 1024}) {
        for (long long n = 1; n < 300000; n += 1 + n / 7) {
          const int variant = compare(name, cc, threads, n);
          if (variant == -2) return 1;
          chosen[variant + 1] = true;
        }
      }
    }
  }
  for (int i = 1; i < 1000; ++i) {
    if (chosen[i]) return 0;
  }
  return 2;  // never any: nothing was compared
})";
  const ProgramResult compiled = compile_as(
      "c++", "c++17",
      std::regex_replace(std::regex_replace(source, std::regex("KERNEL"), "gtune_" + kernel),
                         std::regex("MORE"), more));
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  const ProgramResult run = run_program({program()}, {});
  EXPECT_EQ(run.exit_code, 0) << run.out;
}

std::string CHeader::tune_renamed(const std::string& kernel, const std::string& size,
                                  const std::string& param) const {
  std::string text = contents(data + "/toy.toml");
  text = std::regex_replace(text, std::regex("name = \"toy\""), "name = \"" + kernel + '"');
  text = std::regex_replace(text, std::regex("\\bn\\b"), size);
  text = std::regex_replace(text, std::regex("\\bUNROLL\\b"), param);
  std::filesystem::copy_file(data + "/toy.cu", folder / "toy.cu",
                             std::filesystem::copy_options::overwrite_existing);
  std::string spec = (folder / (kernel + ".toml")).string();
  std::ofstream(spec) << text;
  Recording made = read_recording(recording);
  made.kernel = identity_of(read_spec(spec, {}));
  made.problem = {{size, 1000}};
  for (RecordedMeasurement& each : made.measurements) {
    Config renamed;
    for (const auto& [name, value] : each.measurement.config.entries()) {
      renamed.set(name == "UNROLL" ? param : name, value);
    }
    each.measurement.config = renamed;
  }
  const auto file = folder / "made.jsonl";
  write_recording(made, file);
  const ProgramResult tuned =
      gtune({"tune", spec, "--" + size, "1000", "--device", "replay:" + file.string(), "--quiet"});
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  return spec;
}

class MadeUpCHeader : public CHeader {
 protected:
  /// Stores runs of some problems with some valid configurations each.
  void tune_some(MadeUp& made) const;
  /// Checks that the header computes what gtune computes.
  void expect_the_same(MadeUp& made) const;
};

class BundledCHeader : public MadeUpCHeader, public ::testing::WithParamInterface<const char*> {};

void MadeUpCHeader::tune_some(MadeUp& made) const {
  const Recording toy = read_recording(recording);
  for (int i = 0, tuned = 0; i < 200 && tuned < 6; ++i) {
    NamedValues given = made.given();
    for (const ProblemSize& size : made.spec.sizes) {  // the first two are of the default kind
      if (tuned < 2 && !size.choices.empty()) given.set(size.name, -1);
    }
    const auto problem = made.problem(given);
    if (!problem) continue;
    const std::vector<Config> configs = made.valid_configs(*problem, 3);
    if (configs.empty()) continue;
    Recording run = toy;
    run.kernel = identity_of(made.spec);
    run.device = made.device;
    run.problem = *problem;
    run.measurements.resize(configs.size(), run.measurements.front());
    for (std::size_t j = 0; j < configs.size(); ++j) {
      RecordedMeasurement& each = run.measurements[j];
      each = toy.measurements.front();
      each.measurement.config = configs[j];
      each.measurement.status = Status::ok;
      const double time = made.time_ms();
      each.measurement.timing = summarise({time, time, time});
    }
    const auto file = folder / "made.jsonl";
    write_recording(run, file);
    std::vector<std::string> command = {"tune", made.spec.file.string(), "--device",
                                        "replay:" + file.string(), "--quiet"};
    for (const auto& [name, value] : problem->entries()) {
      command.insert(command.end(), {"--" + name, std::to_string(value)});
    }
    for (const Config& config : configs) {
      command.insert(command.end(), {"--config", config.text()});
    }
    const ProgramResult result = gtune(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    ++tuned;
  }
}

/// Problems and configurations for a program, and the numbers that it must print for them.
struct Cases {
  std::string problems;
  std::string configs;
  std::vector<long long> expected;
  int count = 0;
  int valid = 0;
};

void add_case(Cases& cases, const MadeUp& made, const NamedValues& given, const Problem& problem,
              const Config& config) {
  ++cases.count;
  cases.problems += row(made.sizes, given) + ",\n";
  cases.configs += row(made.params, config) + ",\n";
  std::vector<long long>& expected = cases.expected;
  for (const std::string& size : made.sizes) expected.push_back(problem.find(size).value());

  const Case there{problem, config, made.device};
  const bool is_valid = satisfies(made.spec, there);
  expected.push_back(is_valid ? 1 : 0);
  if (!is_valid) return;
  ++cases.valid;
  const LaunchPlan plan = only_launch(plan_steps(made.spec, there)).value();
  expected.insert(expected.end(), plan.grid.begin(), plan.grid.end());
  expected.insert(expected.end(), plan.block.begin(), plan.block.end());
  expected.push_back(plan.shared_bytes);
  const auto slots = slot_values(made.spec, there);
  for (const std::string& let : made.template_lets()) {
    expected.push_back(made.spec.find_let(let)->expression.evaluate(slots));
  }
}

/// For each case: the problem, whether it is valid, and if so the launch and the template's lets.
std::string program_of(const MadeUp& made, const Cases& cases) {
  std::string arguments;
  std::string print_problem;
  for (const std::string& size : made.sizes) {
    arguments += (arguments.empty() ? "problems[i]." : ", problems[i].") + size;
    print_problem += "    printf(\"%lld \", problem." + size + ");\n";
  }
  std::string print_lets;
  for (const std::string& let : made.template_lets()) {
    print_lets +=
        "    printf(\"%lld\\n\", KERNEL_argument_" + let + "(&problem, &configs[i], one));\n";
  }
  const std::string source =
      "#include \"KERNEL.h\"\n#include <stdio.h>\n"
      "static const KERNEL_Problem problems[] = {\n" +
      cases.problems + "};\nstatic const KERNEL_Config configs[] = {\n" + cases.configs + R"(};
int main(void) {
  const KERNEL_Device* one = KERNEL_known_device("oNE");
  if (!one || KERNEL_known_device("Two")) return 1;
  for (unsigned i = 0; i < sizeof(configs) / sizeof(configs[0]); ++i) {
    const KERNEL_Problem problem = KERNEL_problem()" +
      arguments + ");\n" + print_problem + R"(
    printf("%d\n", KERNEL_valid(&problem, &configs[i], one));
    if (!KERNEL_valid(&problem, &configs[i], one)) continue;
    const KERNEL_Launch l = KERNEL_launch(&problem, &configs[i], one);
    printf("%u %u %u %u %u %u %u\n", l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1],
           l.block[2], l.shared_bytes);
)" + print_lets +
      "  }\n  return 0;\n}\n";
  return std::regex_replace(source, std::regex("KERNEL"), "gtune_" + made.spec.name);
}

void MadeUpCHeader::expect_the_same(MadeUp& made) const {
  tune_some(made);
  write_header(made.spec.file.string(), made.spec.name);
  Cases cases;
  while (cases.count < 400) {
    const NamedValues given = made.given();
    const auto problem = made.problem(given);
    if (!problem) continue;
    for (const Config& config : made.valid_configs(*problem, 1)) {
      add_case(cases, made, given, *problem, config);
    }
    add_case(cases, made, given, *problem, made.config());
  }
  ASSERT_GT(cases.valid, 50);
  for (const auto& [language, standard] : both_languages) {
    const ProgramResult compiled = compile_as(language, standard, program_of(made, cases));
    ASSERT_EQ(compiled.exit_code, 0) << language << compiled.err.substr(0, 2000);
    EXPECT_EQ(printed(), cases.expected) << language;
  }
}

TEST_P(BundledCHeader, ComputesWhatTheSpecSays) {
  MadeUp made(bundled(GetParam()));
  expect_the_same(made);
}

/// Every operation, and operands that fail unless && || ?: skip them.
TEST_F(MadeUpCHeader, ComputesEveryOperation) {
  std::filesystem::copy_file(data + "/toy.cu", folder / "toy.cu");
  std::string text = contents(data + "/toy.toml");
  text.insert(text.find("[launch]"), R"toml(or = "n % 5 == 1 || 100 / (n % 5 - 1) < 60"
and = "!(n % 17 == 2 && 5 / (n % 17 - 2) > 0)"
choice = "n % 3 == 0 ? n / 3 > 0 : 7 / (n % 3) > 0"
no_choice = "n % 19 == 0 ? 7 / (n % 19) > 0 : 1"
product = "n * n * n * n >= -n"
difference = "-(n % 97) - 9223372036854775720 < 0"
sum = "n % 97 + 9223372036854775720 > 0"
shift = "n << 44 > 0"

)toml");
  const std::string grid = "\"ceil_div(n, BLOCK * UNROLL)\"";
  text.replace(text.find(grid), grid.size(), R"toml(
  "max(1, gcd(n, 48), UNROLL) + log2(n) + (is_pow2(n) ? 3 : 5) + min(n, 9, UNROLL)",
  "1 + round_up(n, 32) % 7 + (n >> 3) % 5 + (n & 12) + (n | 3) % 8 + (n ^ 5) % 16 + (~n & 7)",
  "1 + abs(3 - n) % 11 + pow2(n % 8) + ceil_div(-n, 7) % 3 + 3 - +-n / 50 + (n != 4) + !n")toml");
  const std::string spec = (folder / "toy.toml").string();
  std::ofstream(spec) << text;
  MadeUp made(spec);
  expect_the_same(made);
}

TEST_P(BundledCHeader, ChoosesAsTheQueryDoes) {
  MadeUp made(bundled(GetParam()));
  tune_some(made);
  write_header(bundled(GetParam()), GetParam());
  std::vector<std::string> query = {"query", bundled(GetParam()), "--device", "One", "--json"};
  std::map<std::string, std::vector<std::int64_t>> lists;
  for (const ProblemSize& size : made.spec.sizes) {
    std::vector<std::int64_t>& list = lists[size.name];
    if (size.choices.empty() && lists.size() > 2) {
      lists.erase(size.name);
      continue;
    }
    list = size.choices.empty() ? std::vector<std::int64_t>{1, 7, 64, 300, 1000, 1024, 3000, 8192}
                                : size.choices;
    query.insert(query.end(), {"--" + size.name, fmt::format("{}", fmt::join(list, ","))});
  }
  const ProgramResult asked = gtune(query);
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  std::map<std::string, json> answers;
  const json answered = json::parse(asked.out);
  for (const json& each : answered["best"]) answers[each["asked"].dump()] = each;
  std::string problems;
  std::vector<long long> expected;
  for (const Problem& problem : expand_problems(made.spec, lists)) {
    problems += row(made.sizes, problem) + ",\n";
    json sizes;
    for (const auto& [name, value] : problem.entries()) sizes[name] = value;
    const auto answer = answers.find(sizes.dump());
    expected.push_back(answer != answers.end() ? 1 : 0);
    if (answer == answers.end()) continue;
    for (const std::string& param : made.params) {
      expected.push_back(answer->second["config"][param].get<long long>());
    }
  }
  ASSERT_GT(answers.size(), 20U);  // problems without an answer are compared too
  std::string print_config;
  for (const std::string& param : made.params) {
    print_config += "    printf(\"%lld \", KERNEL_config(chosen.variant)->" + param + ");\n";
  }
  const std::string source =
      "#include \"KERNEL.h\"\n#include <stdio.h>\nstatic const KERNEL_Problem problems[] = {\n" +
      problems + R"(};
int main(void) {
  const KERNEL_Device* one = KERNEL_known_device("One");
  for (unsigned i = 0; i < sizeof(problems) / sizeof(problems[0]); ++i) {
    KERNEL_Selection chosen;
    const int found = KERNEL_select(one, &problems[i], &chosen);
    printf("%d\n", found);
    if (!found) continue;
)" + print_config +
      "  }\n  return 0;\n}\n";
  const ProgramResult compiled = compile_as(
      "c", "c99", std::regex_replace(source, std::regex("KERNEL"), "gtune_" + made.spec.name));
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  EXPECT_EQ(printed(), expected);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BundledCHeader,
                         ::testing::Values("sgemm", "sgemm_tf32x3", "copy", "transpose"));

TEST_F(CHeader, ChoosesAsTheCppHeaderDoes) {
  store_winner("One", 90, 1000, 64);
  store_winner("One", 90, 4000, 128);
  store_winner("Two \"quoted\" */ ?\?/", 80, 1000, 256);
  store_winner("Five", 80, 1000, 512);
  store_winner("Three", 86, 90000, 32);
  expect_the_choices_of_cpp(data + "/toy.toml", "toy", "");
}

TEST_P(BundledCHeader, ChoosesAsTheCppHeaderDoes) {
  MadeUp made(bundled(GetParam()));
  tune_some(made);
  std::string more;
  for (std::size_t i = 1; i < made.sizes.size(); ++i) more += ", -1";
  expect_the_choices_of_cpp(bundled(GetParam()), GetParam(), more);
}

TEST_F(CHeader, OfTwoKernelsGoIntoOneFileAndAreTheSameEveryTime) {
  store_winner("One", 90, 1000, 64);
  // Names that the header itself uses.
  const std::string other = tune_renamed("toy_KERNEL_", "v0", "KERNEL_i");
  write_header(data + "/toy.toml", "toy");
  write_header(other, "other");
  const std::string first = contents(folder / "gtune_other.h");
  write_header(other, "other");
  EXPECT_EQ(contents(folder / "gtune_other.h"), first);
  const std::string source = R"(
#include "gtune_toy.h"
#include "gtune_other.h"
#include "gtune_toy.h"
int main(void) {
  return gtune_toy_problem(5).n == 5 && gtune_toy_KERNEL__problem(7).v0 == 7 &&
         gtune_toy_KERNEL__config(0)->KERNEL_i > 0 ? 0 : 1;
}
)";
  for (const auto& [language, standard] : both_languages) {
    const ProgramResult compiled = compile_as(language, standard, source);
    ASSERT_EQ(compiled.exit_code, 0) << language << compiled.err.substr(0, 2000);
    EXPECT_EQ(run_program({program()}, {}).exit_code, 0) << language;
  }
}

TEST_F(CHeader, RefusesAHeaderOfAnotherVersionBesideIt) {
  store_winner("One", 90, 1000, 64);
  write_header(data + "/toy.toml", "toy");
  const std::string main = "#include \"gtune_toy.h\"\nint main(void) { return 0; }\n";
  for (const std::string support : {"#define GTUNE_SUPPORT\n", "#define GTUNE_SUPPORT 2\n"}) {
    const ProgramResult compiled = compile_as("c", "c99", support + main);
    EXPECT_NE(compiled.exit_code, 0);
    EXPECT_NE(compiled.err.find("Headers of different versions of gtune"), std::string::npos)
        << compiled.err.substr(0, 2000);
  }
}

TEST_F(CHeader, RefusesKeywordsOfBothLanguages) {
  for (const auto& [size, param] :
       {std::pair("restrict", "PARAM"), std::pair("size", "template")}) {
    const std::string spec = tune_renamed("other", size, param);
    const ProgramResult result = gtune({"export", spec, "--format", "c-header"});
    EXPECT_EQ(result.exit_code, 2);
    expect_one_clear_line(result);
    EXPECT_NE(result.err.find("is a keyword of C"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace gtune::test
