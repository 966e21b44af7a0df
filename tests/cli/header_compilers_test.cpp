// With every compiler the header of sgemm chooses as `gtune query` does, and quickly.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "fixture.hpp"
#include "jit/compile.hpp"
#include "jit/kernel_request.hpp"
#include "made_up.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

const std::vector<std::string> params = {"STAGES", "BM",         "BN",      "BK",      "TM",
                                         "TN",     "LANE_ROWS",  "K_LANES", "K_WARPS", "UNROLL",
                                         "KEEP_A", "MIN_BLOCKS", "SPLIT"};

/// Those whose exponents of two are the members of the kernel's argument `layout`.
const std::vector<std::string> exponents = {"BM",      "BN",      "LANE_ROWS",
                                            "K_LANES", "K_WARPS", "UNROLL"};

/// Distinct sizes from 1 to 16384, spread evenly over the octaves.
std::vector<std::int64_t> random_sizes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::set<std::int64_t> sizes;
  while (sizes.size() < count) {
    const double octaves = static_cast<double>(random() >> 11) * 0x1p-53 * 14;
    sizes.insert(std::llround(std::exp2(octaves)));
  }
  return {sizes.begin(), sizes.end()};
}

/// With the bundled results of every eighth problem: a header of all of them takes each compiler a
/// quarter of a minute, and is compared in BundledChoices.
class HeaderCompilers : public CliTest {
 protected:
  HeaderCompilers() {
    std::filesystem::create_directories(data_folder / "db");
    for (const char* part : {"kernels", "tuner_configs"}) {
      std::filesystem::create_directory_symlink(repository + "/" + part, data_folder / part);
    }
    const std::filesystem::path results = data_folder / "db/shipped.db";
    std::filesystem::copy_file(repository + "/db/shipped.db", results);
    SQLite::Database(results.string(), SQLite::OPEN_READWRITE)
        .exec(
            "DELETE FROM result WHERE run_id IN (SELECT id FROM run WHERE problem_id % 8);"
            "DELETE FROM metric WHERE measurement_id IN"
            " (SELECT id FROM measurement WHERE problem_id % 8);"
            "DELETE FROM measurement WHERE problem_id % 8;"
            "DELETE FROM run WHERE problem_id % 8;");
  }

  /// Writes gtune_sgemm.hpp or .h.
  void export_header(const std::string& extension, const std::vector<std::string>& options) const {
    const std::string file = (folder / "gtune_sgemm.").string() + extension;
    std::vector<std::string> arguments = {
        "export", "sgemm", "--format", extension == "h" ? "c-header" : "header", "-o", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult exported = ask(arguments);
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
  }

  [[nodiscard]] ProgramResult ask(const std::vector<std::string>& arguments) const {
    return gtune(arguments, {"GTUNE_DATA=" + data_folder.string()});
  }

  /// Takes `count` values each of M, N and K.
  void set_sizes(std::size_t count) {
    sizes = count;
    m = random_sizes(count, 1);
    n = random_sizes(count, 2);
    k = random_sizes(count, 3);
  }

  /// The configurations that `gtune query` answers, by "M N K".
  [[nodiscard]] std::map<std::string, std::string> answers() const {
    std::vector<std::string> query = {"query", "sgemm", "--device", "NVIDIA H200", "--json"};
    for (const auto& [name, list] : {std::pair("--M", m), std::pair("--N", n), std::pair("--K", k)})
      query.insert(query.end(), {name, fmt::format("{}", fmt::join(list, ","))});
    const ProgramResult asked = ask(query);
    EXPECT_EQ(asked.exit_code, 0) << asked.err;
    std::map<std::string, std::string> answers;
    const json answered = json::parse(asked.out);
    for (const json& each : answered["best"]) {
      const json& problem = each["asked"];
      std::string config;
      for (const std::string& param : params) {
        config += fmt::format(" {}", each["config"][param].get<long long>());
      }
      answers[fmt::format("{} {} {}", problem["M"].get<long long>(), problem["N"].get<long long>(),
                          problem["K"].get<long long>())] = config;
    }
    return answers;
  }

  /// Prints a line for each problem that has an answer: "M N K", then the configuration, and a word
  /// if the kernel's argument `layout` is not the configuration's.
  [[nodiscard]] std::string program(bool is_cpp) const {
    const std::string prefix = is_cpp ? "gtune_sgemm::" : "gtune_sgemm_";
    const std::string select =
        is_cpp ? "const gtune_sgemm::Selection chosen = gtune_sgemm::select(device, problem);\n"
                 "        const gtune_sgemm::Config* config = &all[chosen.variant];\n"
               : "gtune_sgemm_Selection chosen;\n"
                 "        gtune_sgemm_select(device, &problem, &chosen);\n"
                 "        const gtune_sgemm_Config* config = gtune_sgemm_config(chosen.variant);\n";
    std::string prints;
    for (const std::string& param : params) {
      prints += fmt::format("        printf(\" %lld\", config->{});\n", param);
    }
    prints +=
        fmt::format("        const {0}Struct_layout layout = {0}struct_layout({1}, device);\n",
                    prefix, is_cpp ? "problem, *config" : "&problem, config");
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      prints +=
          fmt::format("        if (config->{} >> layout.value{} != 1) printf(\" wrong layout\");\n",
                      exponents[i], i);
    }
    return fmt::format(
        "#include \"gtune_sgemm.{0}\"\n#include <stdio.h>\n"
        "static const long long M[] = {{{1}}}, N[] = {{{2}}}, K[] = {{{3}}};\n"
        "int main(void) {{\n{4}"
        "  for (int i = 0; i < {5}; ++i) for (int j = 0; j < {5}; ++j) for (int k = 0; k < {5}; "
        "++k) {{\n"
        "        const {6}Problem problem = {6}problem(M[i], N[j], K[k], {7});\n"
        "        {8}        if (chosen.variant < 0) continue;\n"
        "        printf(\"%lld %lld %lld\", M[i], N[j], K[k]);\n{9}        printf(\"\\n\");\n"
        "  }}\n  return 0;\n}}\n",
        is_cpp ? "hpp" : "h", fmt::join(m, ", "), fmt::join(n, ", "), fmt::join(k, ", "),
        is_cpp
            ? "  const gtune_sgemm::Device device = gtune_sgemm::known_device(\"NVIDIA H200\");\n"
              "  static gtune_sgemm::Config all[gtune_sgemm::variants];\n"
              "  for (int i = 0; i < gtune_sgemm::variants; ++i) all[i] = gtune_sgemm::config(i);\n"
            : "  const gtune_sgemm_Device* device = gtune_sgemm_known_device(\"NVIDIA H200\");\n",
        sizes, prefix, "-1, -1, -1, -1, -1, -1", select, prints);
  }

  /// Compiles the program with `compiler`, a command line, and compares the output.
  void expect_the_answers(const std::vector<std::string>& compiler, const std::string& file,
                          const std::map<std::string, std::string>& expected) const {
    std::ofstream(folder / file) << program(!file.ends_with(".c"));
    std::vector<std::string> command = compiler;
    const std::string out = (folder / "program").string();
    command.insert(command.end(), {"-I" + folder.string(), (folder / file).string(), "-o", out});
    const ProgramResult compiled = run_program(command, {});
    ASSERT_EQ(compiled.exit_code, 0) << compiler.front() << compiled.err.substr(0, 2000);
    std::istringstream lines(run_program({out}, {}).out);
    std::map<std::string, std::string> chosen;
    for (std::string line; std::getline(lines, line);) {
      std::size_t end = 0;
      for (int i = 0; i < 3; ++i) end = line.find(' ', end + 1);
      chosen[line.substr(0, end)] = line.substr(end);
    }
    std::size_t different = 0;
    for (const auto& [problem, config] : expected) {
      const auto found = chosen.find(problem);
      const std::string got = found == chosen.end() ? " nothing" : found->second;
      if (got == config) continue;
      if (++different <= 5) ADD_FAILURE() << problem << ": " << got << ", not" << config;
    }
    EXPECT_EQ(different, 0U) << compiler.front();
    EXPECT_EQ(chosen.size(), expected.size()) << compiler.front();
  }

  const std::filesystem::path data_folder = folder / "data";
  const std::vector<std::string> all_variants = {"--max-variants", "0", "--max-loss", "0"};
  std::size_t sizes = 0;
  std::vector<std::int64_t> m, n, k;
};

TEST_F(HeaderCompilers, AgreeWithTheQueryOnTenThousandSizes) {
  export_header("hpp", all_variants);
  export_header("h", all_variants);
  set_sizes(22);
  const auto expected = answers();
  ASSERT_GT(expected.size(), 10000U);
  const std::vector<std::string> strict = {"-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), strict.begin(), strict.end());
    return words;
  };
  expect_the_answers(with({GTUNE_CXX, "-x", "c", "-std=c99"}), "main.c", expected);
  expect_the_answers(with({GTUNE_CXX, "-std=c++17"}), "main.cpp", expected);
  if (run_program({"clang++", "--version"}, {}).exit_code == 0) {
    expect_the_answers(with({"clang++", "-std=c++17"}), "main.cpp", expected);
  }
  if (run_program({GTUNE_NVCC, "--version"}, {}).exit_code == 0) {
    expect_the_answers({GTUNE_NVCC, "-std=c++17", "-Werror=all-warnings", "-arch=sm_90"}, "main.cu",
                       expected);
  }
}

/// NVRTC needs no GPU to evaluate a choice: the choice compiles to a constant.
TEST_F(HeaderCompilers, NvrtcAgreesWithTheQueryWhileItCompiles) {
  export_header("hpp", all_variants);
  set_sizes(2);
  std::string checks;
  int checked = 0;
  for (const auto& [problem, config] : answers()) {
    ++checked;
    std::istringstream sizes_in(problem), values_in(config);
    const std::vector<std::string> sizes_of{std::istream_iterator<std::string>(sizes_in), {}};
    const std::vector<std::string> values{std::istream_iterator<std::string>(values_in), {}};
    checks += fmt::format("static_assert(is({}, {}), \"\");\n", fmt::join(sizes_of, ", "),
                          fmt::join(values, ", "));
  }
  ASSERT_EQ(checked, 8);
  std::string declared, compared;
  for (const std::string& param : params) {
    declared += ", long long " + param;
    compared += fmt::format(" && config.{0} == {0}", param);
  }
  const std::string source = fmt::format(
      "#include \"gtune_sgemm.hpp\"\nnamespace k = gtune_sgemm;\n"
      "constexpr k::Device device = k::known_device(\"NVIDIA H200\");\n"
      "__host__ __device__ constexpr bool is(long long m, long long n, long long d{}) {{\n"
      "  const k::Selection chosen = k::select(device, k::problem(m, n, d));\n"
      "  const k::Config config = k::config(chosen.variant);\n  return chosen.variant >= 0{};\n}}\n"
      "{}\nextern \"C\" __global__ void choose(long long m, int* variant) {{\n"
      "  const k::Device here = k::known_device(\"NVIDIA H200\");\n"
      "  *variant = k::select(here, k::problem(m)).variant;\n}}\n",
      declared, compared, checks);
  const auto file = folder / "choose.cu";
  std::ofstream(file) << source;
  const CompileRequest request =
      KernelSource(file, Compiler::nvrtc).request({"choose"}, {"-std=c++17"}, "sm_90").compile;
  const CompileResult result = compile(NvrtcLibrary(), request);
  EXPECT_TRUE(result.ok) << result.reason;
}

/// An idle core takes 2.7 us; a loaded one may take longer.
TEST_F(HeaderCompilers, ChooseInMicroseconds) {
  export_header("hpp", {"--max-variants", "12", "--db", repository + "/db/shipped.db"});
  std::ofstream(folder / "main.cpp") << fmt::format(R"(
#include "gtune_sgemm.hpp"
#include <cstdio>
#include <ctime>
static const long long sizes[] = {{{}}};
int main() {{
  const auto device = gtune_sgemm::known_device("NVIDIA H200");
  long long sum = 0;
  double least = 1e9;
  for (int round = 0; round < 20; ++round) {{
    const std::clock_t begin = std::clock();
    int calls = 0;
    for (long long m : sizes)
      for (long long n : sizes)
        for (long long k : sizes) {{
          sum += gtune_sgemm::select(device, gtune_sgemm::problem(m, n, k)).variant;
          ++calls;
        }}
    const double us = 1e6 * double(std::clock() - begin) / CLOCKS_PER_SEC / calls;
    if (us < least) least = us;
  }}
  std::printf("%g %lld\n", least, sum);
}})",
                                                    fmt::join(random_sizes(12, 4), ", "));
  const std::string program = (folder / "main").string();
  const ProgramResult compiled =
      run_program({GTUNE_CXX, "-std=c++17", "-O2", "-I" + folder.string(),
                   (folder / "main.cpp").string(), "-o", program},
                  {});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  const double us = std::stod(run_program({program}, {}).out);
  EXPECT_GT(us, 0);
  EXPECT_LT(us, 6);
  RecordProperty("microseconds", fmt::format("{}", us));
}

}  // namespace
}  // namespace gtune::test
