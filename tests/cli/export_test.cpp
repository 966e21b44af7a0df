// The files of `gtune export` compile alone and choose as `gtune query` does.
#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>

#include "fixture.hpp"
#include "jit/include_scanner.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/statistics.hpp"
#include "spec/spec_reader.hpp"
#include "support/build_under_test.hpp"
#include "tune/identity.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

/// 10,000 sizes, tiny and odd ones among them.
std::vector<std::int64_t> many_sizes() {
  std::mt19937 engine(7);
  std::uniform_int_distribution<std::int64_t> sizes(1, 200000);
  std::set<std::int64_t> asked_for = {1, 2, 3, 5, 7, 31, 32, 33};
  while (asked_for.size() < 10000) asked_for.insert(sizes(engine));
  return {asked_for.begin(), asked_for.end()};
}

class Export : public CliTest {
 protected:
  [[nodiscard]] ProgramResult compile(const std::string& source, const std::string& program,
                                      const std::string& option = "-g0") const {
    std::ofstream(folder / "main.cpp") << source;
    return run_program(
        {GTUNE_CXX, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", option,
         "-I" + folder.string(), (folder / "main.cpp").string(), "-o", program},
        {});
  }

  /// The toy's spec, in the test's folder, for a kernel that is a template. `lets` come before the
  /// launch.
  [[nodiscard]] std::string template_of_toy(const std::string& instance,
                                            const std::string& lets = "") const {
    std::ifstream in(data + "/toy.toml");
    std::string text(std::istreambuf_iterator<char>(in), {});
    const std::string entry = "entry = \"toy\"";
    text.replace(text.find(entry), entry.size(), "entry = \"" + instance + '"');
    text.insert(text.find("[launch]"), lets);
    const auto spec = folder / "toy.toml";
    std::ofstream(spec) << text;
    return spec.string();
  }

  /// The exported header and `gtune query` choose the same on device "One" for many sizes, and
  /// always something. `checks`: further code for the program that includes the header.
  void expect_the_same_choices(const std::string& spec, const std::string& checks) const {
    const ProgramResult exported =
        gtune({"export", spec, "-o", header.string(), "--max-variants", "0", "--max-loss", "0"});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    std::string list;
    for (const std::int64_t n : many_sizes()) list += (list.empty() ? "" : ",") + std::to_string(n);
    const std::string program = (folder / "chooser").string();
    const ProgramResult compiled = compile(R"(
#include "gtune_toy.hpp"
#include "gtune_toy.hpp"
#include <cstdio>
#include <initializer_list>
namespace k = gtune_toy;
constexpr k::Device one = k::known_device("oNE");
)" + checks + R"(
int main() {
  for (long long n : {)" + list + R"(}) {
    const k::Selection chosen = k::select(one, k::problem(n));
    const k::Config config = chosen.variant < 0 ? k::Config{-1, -1, -1} : k::config(chosen.variant);
    std::printf("%lld %lld %lld\n", config.BLOCK, config.UNROLL, config.VARIANT);
  }
})",
                                           program);
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
    std::istringstream chosen(run_program({program}, {}).out);
    const ProgramResult asked = gtune({"query", spec, "--n", list, "--device", "One", "--json"});
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    const json answered = json::parse(asked.out);
    ASSERT_EQ(answered["best"].size(), 10000U);
    for (const json& answer : answered["best"]) {
      json config;
      for (const char* name : {"BLOCK", "UNROLL", "VARIANT"}) {
        long long value = 0;
        ASSERT_TRUE(chosen >> value);
        config[name] = value;
      }
      EXPECT_EQ(config, answer["config"]) << answer["asked"];
    }
  }

  /// Tunes on a device "One" on which `best` takes half the time.
  void tune_with_best(const std::string& spec, std::int64_t n, const Config& best,
                      const std::vector<std::string>& more = {}) const {
    Recording made = read_recording(recording);
    made.kernel = identity_of(read_spec(spec, {}));
    made.device.name = "One";
    made.problem = {{"n", n}};
    for (RecordedMeasurement& each : made.measurements) {
      if (each.measurement.config != best) continue;
      std::vector<double> samples = each.measurement.timing->samples_ms;
      for (double& sample : samples) sample /= 2;
      each.measurement.timing = summarise(samples);
    }
    const auto file = folder / "made.jsonl";
    write_recording(made, file);
    std::vector<std::string> command = {"tune",       spec,
                                        "--n",        std::to_string(n),
                                        "--device",   "replay:" + file.string(),
                                        "--strategy", "exhaustive",
                                        "--quiet"};
    command.insert(command.end(), more.begin(), more.end());
    const ProgramResult result = gtune(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  std::filesystem::path header = folder / "gtune_toy.hpp";
};

TEST_F(Export, ChoosesAsTheQueryDoes) {
  store_winner("One", 90, 1000, 64);
  store_winner("One", 90, 4000, 128);
  store_winner("One", 90, 90000, 256);
  store_winner("Two \"quoted\" */ ?", 80, 1000, 256);
  // Closer together than the computed distances can show.
  store_winner("One", 90, 8000000, 512);
  store_winner("One", 90, 8000001, 32);
  expect_the_same_choices(data + "/toy.toml", R"(
static_assert(one.dev_cc == 90);
static_assert(k::select(one, k::problem(8000000)).exact);
static_assert(k::config(k::select(one, k::problem(8000000)).variant).BLOCK == 512);
static_assert(k::select(one, k::problem(8000001)).exact);
static_assert(k::config(k::select(one, k::problem(8000001)).variant).BLOCK == 32);
static_assert(k::select(one, k::problem(1000)).exact);
static_assert(k::config(k::select(one, k::problem(1000)).variant).BLOCK == 64);
static_assert(k::launch(k::problem(1000), k::config(0), one).block[0] > 0);
)");
}

/// The best are valid only for multiples of their tile; few others are valid for tiny sizes.
TEST_F(Export, HasAFallbackForEverySize) {
  const std::string spec = (folder / "picky.toml").string();
  std::filesystem::copy_file(data + "/toy.cu", folder / "toy.cu");
  std::ifstream in(data + "/toy.toml");
  std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string header_line = "[constraints]\n";
  text.insert(text.find(header_line) + header_line.size(),
              "evenly = \"VARIANT != 0 || n % (BLOCK * UNROLL) == 0\"\n"
              "even = \"VARIANT != 2 || n % 2 == 0\"\n"
              "not_too_large = \"BLOCK <= 32 || BLOCK < 2 * n\"\n");
  std::ofstream(spec) << text;
  for (const std::int64_t n : {8192, 1024, 65536}) {
    tune_with_best(spec, n, {{"BLOCK", 256}, {"UNROLL", 4}, {"VARIANT", 0}});
    expect_the_same_choices(
        spec, "static_assert(k::select(one, k::problem(" + std::to_string(n) + ")).exact);\n");
  }
  const ProgramResult one = gtune({"query", spec, "--n", "5", "--json"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const json answer = json::parse(one.out)["best"][0];
  EXPECT_EQ(answer["tier"], "fallback where no tuned size's best is valid");
  EXPECT_EQ(answer["config"]["VARIANT"], 1);
  EXPECT_LE(answer["config"]["BLOCK"], 32);
  EXPECT_GT(answer["median_ms"], 0);
  EXPECT_EQ(answer["checked_on_awkward_sizes"], false);
  const ProgramResult report = gtune({"export", spec, "--format", "json"});
  EXPECT_GE(json::parse(report.out)["fallbacks"].size(), 1U) << report.out;
}

TEST_F(Export, ADispatcherRefusesASourceThatWasNotMeasured) {
  const std::string spec = template_of_toy("toy<BLOCK,UNROLL,VARIANT>");
  std::ofstream(folder / "toy.cu") << "#include \"part.cuh\"\n"
                                      "template <int B, int U, int V> void toy() {}\n";
  std::ofstream(folder / "part.cuh") << "#pragma once\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const std::string dispatcher = (folder / "dispatch.cuh").string();
  ASSERT_EQ(gtune({"export", spec, "-o", header.string()}).exit_code, 0);
  ASSERT_EQ(gtune({"export", spec, "--format", "dispatcher", "-o", dispatcher}).exit_code, 0);
  const auto build = [&](const std::string& option) {
    return compile(R"(
#include "toy.cu"
#include "gtune_toy.hpp"
#include "dispatch.cuh"
int main() {
  constexpr auto one = gtune_toy::known_device("One");
  return gtune_toy::dispatch(gtune_toy::problem(1000), one, 0, [](auto* kernel) { kernel(); }) ? 0 : 1;
})",
                   (folder / "caller").string(), option);
  };
  const auto digests = [&] {
    std::string all;
    for (const SourceFile& file : source_files(folder / "toy.cu", {})) all += file.digest;
    return "-DGTUNE_TOY_SOURCE=\"" + all + '"';
  };
  const ProgramResult right = build(digests());
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_EQ(run_program({(folder / "caller").string()}, {}).exit_code, 0);
  const ProgramResult unsaid = build("-g0");
  EXPECT_NE(unsaid.exit_code, 0);
  EXPECT_NE(unsaid.err.find("GTUNE_TOY_SOURCE is not defined"), std::string::npos) << unsaid.err;
  // As many variants, but others, from another database.
  std::filesystem::remove(database);
  tune_with_best(spec, 1000, {{"BLOCK", 128}, {"UNROLL", 2}, {"VARIANT", 2}});
  const std::string other = (folder / "other.cuh").string();
  ASSERT_EQ(gtune({"export", spec, "--format", "dispatcher", "-o", other}).exit_code, 0);
  std::filesystem::copy_file(dispatcher, folder / "kept.cuh");
  std::filesystem::copy_file(other, dispatcher, std::filesystem::copy_options::overwrite_existing);
  const ProgramResult different = build(digests());
  EXPECT_NE(different.exit_code, 0);
  EXPECT_NE(different.err.find("are of different exports"), std::string::npos) << different.err;
  std::filesystem::copy_file(folder / "kept.cuh", dispatcher,
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "part.cuh", std::ios::app) << "// edited\n";
  const ProgramResult edited = build(digests());
  EXPECT_NE(edited.exit_code, 0);
  EXPECT_NE(edited.err.find("part.cuh differs from the measured source"), std::string::npos)
      << edited.err;
  EXPECT_EQ(edited.err.find("toy.cu differs from the measured source"), std::string::npos)
      << edited.err;
}

TEST_F(Export, CubinsAreTheSameBytesEachTimeAndEverywhere) {
  if (nvrtc_version() == "12.8") GTEST_SKIP() << "this NVRTC knows no --frandom-seed";
  const std::string spec = template_of_toy("toy<BLOCK>");
  // NVRTC makes up a name for what is local to the file.
  std::ofstream(folder / "toy.cu")
      << "namespace { __device__ float factor = 2; }\n"
         "template <int BLOCK>\n__global__ void toy(int n, const float* x, float* y) {\n"
         "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n"
         "  if (i < n) y[i] = UNROLL * factor * x[i];\n  factor = 3;\n}\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const std::vector<std::string> command = {"export", spec, "--format", "cubin"};
  const ProgramResult first = gtune(command, {"GTUNE_CACHE=off"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(gtune(command, {"GTUNE_CACHE=off"}).out, first.out);
  EXPECT_EQ(gtune(command).out, first.out);
  EXPECT_EQ(gtune(command).out, first.out);  // from the cache
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  const ProgramResult elsewhere = gtune(command, {"GTUNE_CACHE=off"});
  std::filesystem::current_path(before);
  EXPECT_EQ(elsewhere.out, first.out);
}

TEST_F(Export, ACacheThatIsAFolderOfOtherFilesLeavesThemAlone) {
  const std::string spec = template_of_toy("toy<BLOCK>");
  std::ofstream(folder / "toy.cu")
      << "template <int BLOCK>\n__global__ void toy(int n, const float* x, float* y) {}\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const std::filesystem::path documents = folder / "documents";
  std::filesystem::create_directory(documents);
  std::filesystem::permissions(documents, std::filesystem::perms::owner_all);
  std::ofstream(documents / "thesis.pdf") << std::string(3'000'000, 'x');
  const ProgramResult exported = gtune({"export", spec, "--format", "cubin"},
                                       {"GTUNE_CACHE=" + documents.string(), "GTUNE_CACHE_MIB=1"});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(std::filesystem::file_size(documents / "thesis.pdf"), 3'000'000U);

  std::filesystem::permissions(documents, std::filesystem::perms::all);
  const ProgramResult refused =
      gtune({"export", spec, "--format", "cubin"}, {"GTUNE_CACHE=" + documents.string()});
  EXPECT_EQ(refused.exit_code, 0) << refused.err;
  EXPECT_EQ(refused.out, exported.out);
  EXPECT_TRUE(
      refused.err.starts_with("note: the cubin cache " + documents.string() + " is not used, "))
      << refused.err;
  EXPECT_NE(refused.err.find("chmod go-w"), std::string::npos) << refused.err;
}

TEST_F(Export, WhereAnIncludeCannotBeKnownNothingStoredIsCurrent) {
  const std::string spec = template_of_toy("toy<BLOCK>");
  std::ofstream(folder / "toy.cu")
      << "#define NAME(a) #a\n#include NAME(toy.cuh)\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  std::ofstream(folder / "toy.cuh")
      << "template <int BLOCK>\n__global__ void toy(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const ProgramResult exported = gtune({"export", spec});
  EXPECT_EQ(exported.exit_code, 5) << exported.err;
  EXPECT_TRUE(exported.err.starts_with("note: toy.cu:2: #include NAME(toy.cuh): ")) << exported.err;
}

TEST_F(Export, CubinsAreThoseOfTheVariants) {
  const std::string spec = template_of_toy("toy<BLOCK,even>", "[let]\neven = \"n % 2 == 0\"\n\n");
  std::ofstream(folder / "toy.cu")
      << "template <int BLOCK, int EVEN>\n__global__ void toy(int n, const float* x, float* y) {\n"
         "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n"
         "  if (EVEN || i < n) y[i] = UNROLL * x[i];\n}\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const std::string cubins = (folder / "cubins.hpp").string();
  ASSERT_EQ(gtune({"export", spec, "-o", header.string()}).exit_code, 0);
  const std::vector<std::string> command = {"export", spec, "--format", "cubin", "-o", cubins};
  const ProgramResult exported = gtune(command);
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string program = (folder / "caller").string();
  const ProgramResult compiled = compile(R"(
#include "gtune_toy.hpp"
#include "cubins.hpp"
#include "cubins.hpp"
#include <cstdio>
namespace k = gtune_toy;
int main() {
  constexpr k::Device one = k::known_device("One");
  constexpr k::Cubin even = k::cubin(k::problem(1000), one, 0);
  static_assert(even.bytes > 100 && even.data[0] == 0x7f);
  const k::Cubin odd = k::cubin(k::problem(1001), one, 0);
  k::Device other = one;
  other.dev_cc = 80;
  const k::Cubin none = k::cubin(k::problem(1000), other, 0);
  std::printf("%.3s %s\n%.3s %s\n%d %d\n", reinterpret_cast<const char*>(even.data) + 1, even.entry,
              reinterpret_cast<const char*>(odd.data) + 1, odd.entry, none.data == nullptr,
              k::cubin(k::problem(1000), one, -1).data == nullptr);
})",
                                         program);
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  EXPECT_EQ(run_program({program}, {}).out,
            "ELF _Z3toyILi64ELi1EEviPKfPf\nELF _Z3toyILi64ELi0EEviPKfPf\n1 1\n");
  const auto bytes = [&] {
    std::ifstream written(cubins);
    return std::string(std::istreambuf_iterator<char>(written), {});
  };
  const std::string first = bytes();
  ASSERT_EQ(gtune(command, {"GTUNE_CACHE=off"}).exit_code, 0);
  EXPECT_EQ(bytes(), first);
  EXPECT_NE(first.find("// compiled with NVRTC "), std::string::npos);

  std::ofstream(folder / "toy.cu", std::ios::app) << "#error not any more\n";
  const ProgramResult changed = gtune(command);  // nothing is stored for the changed source
  EXPECT_EQ(changed.exit_code, 5) << changed.err;
  EXPECT_EQ(bytes(), first);
}

TEST_F(Export, CubinsAreToldApartByTheMacrosThatTheSpecSays) {
  const std::string spec = template_of_toy("toy\"\nmacros = { SIZE = \"n % 4\" }\n#\"");
  std::ofstream(folder / "toy.cu")
      << "template <int SIZE_> __device__ float of_size() { return SIZE_; }\n"
         "extern \"C\" __global__ void toy(int n, const float* x, float* y) {\n"
         "  y[blockIdx.x] = of_size<SIZE>();\n}\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const std::string cubins = (folder / "cubins.hpp").string();
  ASSERT_EQ(gtune({"export", spec, "-o", header.string()}).exit_code, 0);
  const ProgramResult exported = gtune({"export", spec, "--format", "cubin", "-o", cubins});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string program = (folder / "caller").string();
  const ProgramResult compiled = compile(R"(
#include "gtune_toy.hpp"
#include "cubins.hpp"
#include <cstdio>
namespace k = gtune_toy;
int main() {
  constexpr k::Device one = k::known_device("One");
  static_assert(k::macros::SIZE(k::problem(1003), k::config(0), one) == 3);
  const auto of = [&](long long n) { return k::cubin(k::problem(n), one, 0).data; };
  std::printf("%d %d %d %d\n", of(1000) != nullptr, of(1000) == of(1004), of(1000) == of(1001),
              of(1003) == nullptr);
})",
                                         program);
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  EXPECT_EQ(run_program({program}, {}).out, "1 1 0 1\n");
  const ProgramResult refused = gtune({"export", spec, "--format", "dispatcher"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("is compiled with the macro 'SIZE'"), std::string::npos)
      << refused.err;
}

TEST_F(Export, NamesOnlyTheDevicesThatItIsOf) {
  store_winner("One", 90, 1000, 64);
  store_winner("Two", 80, 2000, 256);
  for (const std::vector<std::string>& some :
       std::vector<std::vector<std::string>>{{"--device", "one"}, {"--where", "n < 2000"}}) {
    const ProgramResult result = gtune({"export", data + "/toy.toml", some[0], some[1]});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("measured on: One"), std::string::npos) << result.out.substr(0, 500);
    EXPECT_EQ(result.out.find("Two"), std::string::npos) << result.out.substr(0, 500);
  }
}

TEST_F(Export, IsTheSameBytesWhateverTheFilesAreCalled) {
  const std::string spec = template_of_toy("toy<BLOCK>", "");
  std::ofstream(folder / "toy.cu")
      << "template <int BLOCK>\n__global__ void toy(int n, const float* x, float* y) {\n"
         "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n"
         "  if (i < n) y[i] = UNROLL * x[i] + VARIANT;\n}\n"
         "extern \"C\" __global__ void toy_reference(int n, const float* x, float* y) {}\n";
  tune_with_best(spec, 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}});
  const auto elsewhere = folder / "else where";  // the same spec, source and database
  std::filesystem::create_directories(elsewhere);
  for (const auto& file : {std::filesystem::path(spec), folder / "toy.cu", database}) {
    std::filesystem::copy(file, elsewhere / file.filename());
  }
  const auto copied = (elsewhere / std::filesystem::path(spec).filename()).string();
  const auto other_database = (elsewhere / database.filename()).string();
  const auto bytes = [](const std::filesystem::path& file) {
    std::ifstream written(file);
    return std::string(std::istreambuf_iterator<char>(written), {});
  };
  for (const char* format : {"header", "c-header", "dispatcher", "cubin", "json", "csv", "text"}) {
    const std::vector<std::string> here = {"export", spec, "--format", format};
    const ProgramResult printed = gtune(here);
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    ASSERT_EQ(gtune({"export", "-o", header.string(), spec, "--format", format}).exit_code, 0);
    EXPECT_EQ(bytes(header), printed.out) << format;
    const std::string other = (elsewhere / "b.hpp").string();
    ASSERT_EQ(
        gtune({"export", "--db", other_database, copied, "--output=" + other, "--format", format})
            .exit_code,
        0);
    EXPECT_EQ(bytes(other), printed.out) << format;
    EXPECT_EQ(printed.out.find(folder.string()), std::string::npos) << format;
  }
  EXPECT_NE(
      gtune({"export", spec, "--max-loss", "1%", "--where", "n > 4"})
          .out.find("// made by: gtune export " + std::filesystem::path(spec).filename().string() +
                    " --max-loss 1% --where 'n > 4'\n"),
      std::string::npos);
}

TEST_F(Export, IsTheSameEveryTimeAndWholeOrNotAtAll) {
  store_winner("One", 90, 1000, 64);
  const std::vector<std::string> command = {"export", data + "/toy.toml", "-o", header.string()};
  ASSERT_EQ(gtune(command).exit_code, 0);
  const auto text = [&] {
    std::ifstream in(header);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string first = text();
  ASSERT_EQ(gtune(command).exit_code, 0);
  EXPECT_EQ(text(), first);
  const ProgramResult no_folder =
      gtune({"export", data + "/toy.toml", "-o", (folder / "no" / "x.hpp").string()});
  EXPECT_EQ(no_folder.exit_code, 1);
  expect_one_clear_line(no_folder);
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--max-loss", "much"}, {"--max-variants", "-1"}}) {
    std::vector<std::string> arguments = {"export", data + "/toy.toml"};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const ProgramResult refused = gtune(arguments);
    EXPECT_EQ(refused.exit_code, 2) << bad[1];
    expect_one_clear_line(refused);
  }
}

TEST_F(Export, TakesThePlaceOfNoDevicePipeOrLink) {
  store_winner("One", 90, 1000, 64);
  const auto write_to = [&](const std::filesystem::path& file) {
    return gtune({"export", data + "/toy.toml", "--format", "csv", "-o", file.string()});
  };
  const auto link = folder / "link.csv";
  std::ofstream(folder / "old.csv") << "old";
  std::filesystem::create_symlink("old.csv", link);
  ASSERT_EQ(write_to(link).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::string first;
  std::ifstream in(folder / "old.csv");
  std::getline(in, first);
  EXPECT_EQ(first.substr(0, 7), "device,");

  // A link to a missing file stays a link too, and a file keeps its permissions.
  const auto to_nothing = folder / "to_nothing.csv";
  std::filesystem::create_symlink(folder / "new.csv", to_nothing);
  ASSERT_EQ(write_to(to_nothing).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(to_nothing));
  const auto mine = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(folder / "new.csv", mine);
  ASSERT_EQ(write_to(to_nothing).exit_code, 0);
  EXPECT_EQ(std::filesystem::status(folder / "new.csv").permissions(), mine);

  const auto to_device = folder / "device.csv";
  std::filesystem::create_symlink("/dev/full", to_device);
  const ProgramResult full = write_to(to_device);
  EXPECT_EQ(full.exit_code, 1);
  expect_one_clear_line(full);
  EXPECT_TRUE(std::filesystem::is_symlink(to_device));

  const auto pipe = folder / "pipe";
  const ProgramResult read = run_program(
      {"/bin/sh", "-c",
       "mkfifo " + pipe.string() + "; head -c 7 " + pipe.string() + " & " + test::gtune_binary() +
           " export " + data + "/toy.toml --format csv -o " + pipe.string() + " >/dev/null; wait"},
      environment());
  EXPECT_EQ(read.out, "device,");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(Export, AsCsvHasALineForEachProblem) {
  store_winner("One, \"1\"", 90, 1000, 64);
  store_winner("Two", 90, 4000, 128);
  const ProgramResult result = gtune({"export", data + "/toy.toml", "--format", "csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("device,replayed,n,variant,BLOCK,UNROLL,VARIANT,best_ms,loss"))
      << result.out;
  EXPECT_NE(result.out.find("\"One, \"\"1\"\"\",1,1000,"), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
}

TEST_F(Export, OfABadDatabaseOrWithoutATemplateWritesNothing) {
  store_winner("One", 90, 1000, 64);
  const auto refused = [&](const std::string& file, const std::string& why, int code = 1) {
    for (const char* format : {"header", "c-header", "dispatcher", "json"}) {
      const ProgramResult result = gtune(
          {"export", data + "/toy.toml", "--db", file, "--format", format, "-o", header.string()});
      EXPECT_EQ(result.exit_code, code);
      expect_one_clear_line(result);
      EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
      EXPECT_FALSE(std::filesystem::exists(header));
    }
  };
  const std::string other = (folder / "other.db").string();
  std::ofstream(other) << std::string(5000, 'x');
  refused(other, "is not a database");
  std::filesystem::copy_file(database, other, std::filesystem::copy_options::overwrite_existing);
  SQLite::Database(other, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  refused(other, "newer gtune");
  refused((folder / "none.db").string(), "no database", 5);
  const ProgramResult plain =
      gtune({"export", data + "/toy.toml", "--format", "dispatcher", "-o", header.string()});
  EXPECT_EQ(plain.exit_code, 2);
  expect_one_clear_line(plain);
  EXPECT_FALSE(std::filesystem::exists(header));
}

/// Running the printed commands measures all that is missing.
TEST_F(Export, SaysHowToMeasureMissingPairs) {
  tune_with_best(data + "/toy.toml", 1000, {{"BLOCK", 64}, {"UNROLL", 4}, {"VARIANT", 1}},
                 {"--param", "BLOCK=64"});
  tune_with_best(data + "/toy.toml", 4000, {{"BLOCK", 128}, {"UNROLL", 4}, {"VARIANT", 1}},
                 {"--param", "BLOCK=128"});
  const std::vector<std::string> exported = {"export", data + "/toy.toml", "--max-loss", "0",
                                             "--db",   database.string(),  "--format",   "missing"};
  const std::string lines = gtune(exported).out;
  ASSERT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2) << lines;
  for (const std::int64_t n : {1000, 4000}) {
    const std::string size = " --n " + std::to_string(n);
    const auto begin = lines.find("gtune tune " + data + "/toy.toml" + size);
    ASSERT_NE(begin, std::string::npos) << lines;
    const std::string line = lines.substr(begin, lines.find("  # on One", begin) - begin);
    Recording made = read_recording(recording);
    made.device.name = "One";
    made.problem = {{"n", n}};
    const auto file = folder / "again.jsonl";
    write_recording(made, file);
    std::istringstream words(line.substr(std::string("gtune ").size()));
    std::vector<std::string> command(std::istream_iterator<std::string>(words), {});
    command.insert(command.end(), {"--device", "replay:" + file.string(), "--quiet"});
    const ProgramResult measured = gtune(command);
    EXPECT_EQ(measured.exit_code, 0) << measured.err;
  }
  const ProgramResult none = gtune(exported);
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(none.out, "");
}

TEST_F(Export, OfSomeSizesAlone) {
  store_winner("One", 90, 1000, 64);
  store_winner("One", 90, 100000, 256);
  const auto problems = [&](const std::string& where) {
    const ProgramResult result =
        gtune({"export", data + "/toy.toml", "--format", "json", "--where", where});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out)["problems"];
  };
  EXPECT_EQ(problems("n > 0").size(), 2U);
  ASSERT_EQ(problems("n >= 5000 && n % 2 == 0").size(), 1U);
  EXPECT_EQ(problems("n >= 5000")[0]["problem"]["n"], 100000);
  const ProgramResult none = gtune({"export", data + "/toy.toml", "--where", "n > 1000000"});
  EXPECT_EQ(none.exit_code, 5);
  expect_one_clear_line(none);
  for (const char* bad : {"n >", "m > 1", "BLOCK > 1", "n = 1", "1 / (n - 1000)"}) {
    const ProgramResult refused = gtune({"export", data + "/toy.toml", "--where", bad});
    EXPECT_EQ(refused.exit_code, 2) << bad;
    expect_one_clear_line(refused);
  }
}

TEST_F(Export, OfNothingIsOneClearLine) {
  store_winner("One", 90, 1000, 64);
  const ProgramResult result =
      gtune({"export", data + "/toy.toml", "--device", "Three", "-o", header.string()});
  EXPECT_EQ(result.exit_code, 5);
  expect_one_clear_line(result);
  EXPECT_NE(result.err.find("for 'Three'"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(header));
}

}  // namespace
}  // namespace gtune::test
