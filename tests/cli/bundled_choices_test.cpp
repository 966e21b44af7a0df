// An exported header of db/shipped.db chooses what `gtune query` answers.
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "fixture.hpp"
#include "made_up.hpp"
#include "spec/problem_sizes.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

/// The device of a kernel's bundled results.
std::string tuned_device(const std::string& kernel) {
  return kernel == "transpose" ? "NVIDIA H100 80GB HBM3" : "NVIDIA H200";
}

/// Distinct sizes: tiny, odd and even ones among them.
std::vector<std::int64_t> random_sizes(std::size_t count, std::mt19937_64& random) {
  std::set<std::int64_t> sizes;
  while (sizes.size() < count) {
    const std::uint64_t octave = std::uint64_t{1} << random() % 16;
    const std::uint64_t any = octave + random() % octave;
    const std::array<std::uint64_t, 4> kinds = {any, any, octave, any / 16 * 16 + 16};
    sizes.insert(static_cast<std::int64_t>(kinds[random() % kinds.size()]));
  }
  return {sizes.begin(), sizes.end()};
}

/// Lists of random sizes whose combinations make one query; sizes with choices are mostly left out.
std::map<std::string, std::vector<std::int64_t>> random_lists(const KernelSpec& spec,
                                                              std::mt19937_64& random) {
  std::map<std::string, std::vector<std::int64_t>> lists;
  std::vector<std::string> free;  // at most three; the others follow
  for (const ProblemSize& size : spec.sizes) {
    if (!size.choices.empty()) {
      if (random() % 8 == 0) lists[size.name] = {size.choices[random() % size.choices.size()]};
    } else if (free.empty() || (free.size() < 3 && random() % 4 != 0)) {
      free.push_back(size.name);
    }
  }
  constexpr std::array<std::size_t, 3> counts = {600, 24, 8};  // each list's, of one, two or three
  for (const std::string& name : free) {
    lists[name] = random_sizes(counts[free.size() - 1], random);
  }
  return lists;
}

/// Compares the choices of a kernel's exported header with the answers of `gtune query`.
class BundledChoices : public CliTest, public ::testing::WithParamInterface<const char*> {
 protected:
  /// Compiles a program that reads problems from a file and prints for each whether there is a
  /// variant, and which.
  void compile_chooser() const {
    const std::string name = "gtune_" + spec.name;
    ASSERT_EQ(ask({"export", spec.name, "-o", (folder / (name + ".hpp")).string(), "--max-variants",
                   "0", "--max-loss", "0"})
                  .exit_code,
              0);
    std::string sizes, params;
    for (std::size_t i = 0; i < spec.sizes.size(); ++i) {
      sizes += fmt::format("{}v[{}]", i == 0 ? "" : ", ", i);
    }
    for (const Parameter& param : spec.params) {
      params += "    std::printf(\"%lld \", config." + param.name + ");\n";
    }
    std::ofstream(folder / "main.cpp")
        << std::regex_replace(
               R"(#include "KERNEL.hpp"
#include <cstdio>
int main(int, char** argv) {
  std::FILE* in = std::fopen(argv[1], "r");
  constexpr auto device = KERNEL::known_device(")" +
                   tuned_device(spec.name) + R"(");
  for (long long v[)" +
                   std::to_string(spec.sizes.size()) + R"(];;) {
    for (long long& each : v) if (std::fscanf(in, "%lld", &each) != 1) return 0;
    const auto chosen = KERNEL::select(device, KERNEL::problem()" +
                   sizes + R"());
    std::printf("%d ", chosen.variant >= 0);
    if (chosen.variant < 0) continue;
    const auto config = KERNEL::config(chosen.variant);
)" + params + "  }\n}\n",
               std::regex("KERNEL"), name);
    const ProgramResult compiled =
        run_program({GTUNE_CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                     "-I" + folder.string(), (folder / "main.cpp").string(), "-o",
                     (folder / "chooser").string()},
                    {});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  }

  /// The query's answers by problem, in the format of the chooser.
  [[nodiscard]] std::map<std::string, std::vector<long long>> answers_to(
      const std::map<std::string, std::vector<std::int64_t>>& lists) const {
    std::vector<std::string> query = {"query", spec.name, "--device", tuned_device(spec.name),
                                      "--json"};
    for (const auto& [name, values] : lists) {
      query.insert(query.end(), {"--" + name, fmt::format("{}", fmt::join(values, ","))});
    }
    const ProgramResult asked = ask(query);
    std::map<std::string, std::vector<long long>> answers;
    for (const Problem& problem : expand_problems(spec, lists)) answers[problem.text()] = {0};
    if (asked.exit_code == 5) return answers;
    EXPECT_EQ(asked.exit_code, 0) << asked.err;
    const json answered = json::parse(asked.out, nullptr, false);
    for (const json& each : answered["best"]) {
      Problem problem;
      for (const ProblemSize& size : spec.sizes) problem.set(size.name, each["asked"][size.name]);
      std::vector<long long>& words = answers.at(problem.text());
      words = {1};
      for (const Parameter& param : spec.params) words.push_back(each["config"][param.name]);
    }
    return answers;
  }

  /// Runs gtune as a user without a database.
  [[nodiscard]] ProgramResult ask(const std::vector<std::string>& arguments) const {
    return gtune(arguments, {"GTUNE_DATA=" + repository});
  }

  const KernelSpec spec = MadeUp(repository + "/tuner_configs/" + GetParam() + ".toml").spec;
};

TEST_P(BundledChoices, OfTheHeaderAndTheQueryAreTheSame) {
  compile_chooser();
  std::mt19937_64 random(5);
  std::set<std::string> seen;
  std::string problems;
  std::vector<std::pair<std::string, std::vector<long long>>> expected;
  std::size_t answered = 0;
  while (expected.size() < 10000) {
    const auto lists = random_lists(spec, random);
    const auto answers = answers_to(lists);
    for (const Problem& problem : expand_problems(spec, lists)) {
      if (!seen.insert(problem.text()).second) continue;
      for (const auto& [name, value] : problem.entries()) problems += std::to_string(value) + ' ';
      expected.emplace_back(problem.text(), answers.at(problem.text()));
      answered += expected.back().second.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(answered, 3000U);  // problems without an answer are compared too
  std::ofstream(folder / "problems.txt") << problems;
  std::istringstream chosen(
      run_program({(folder / "chooser").string(), (folder / "problems.txt").string()}).out);
  int different = 0;
  for (const auto& [problem, words] : expected) {
    std::vector<long long> got(1);
    ASSERT_TRUE(chosen >> got[0]) << problem;
    if (got[0] == 1) got.resize(spec.params.size() + 1);
    for (std::size_t i = 1; i < got.size(); ++i) ASSERT_TRUE(chosen >> got[i]) << problem;
    EXPECT_EQ(got, words) << problem;
    ASSERT_LT(different += got == words ? 0 : 1, 10);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, BundledChoices, ::testing::Values("sgemm", "transpose", "copy"));

}  // namespace
}  // namespace gtune::test
