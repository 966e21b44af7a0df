#include <gtest/gtest.h>

#include <fstream>

#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"
#include "tune/kernel_session.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

const std::string reference_spec = R"toml([kernel]
name = "scale"
source = "scale.cu"
entry = "scale<BLOCK>"
[problem]
n = 1024
[params]
BLOCK = [32, 64]
[launch]
grid = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[[args]]
name = "n"
type = "i32"
value = "n"
[check]
reference = { REFERENCE }
rtol = 0.0
)toml";

class SilentNotes : public RunObserver {
 public:
  void on_progress(const Progress&) override {}
  void on_measurement(const Measurement&) override {}
  void on_note(const std::string&) override {}
};

/// What a worker is told about the reference, compiled by NVRTC for a made-up GPU.
class Reference : public testing::Test {
 protected:
  Reference() {
    m_folder.write("scale.cu",
                   "template <int BLOCK> __global__ void scale(float* x, int n) {}\n"
                   "__global__ void naive(float* x, int n) {}\n");
    m_folder.write("right.cu", "__global__ void right(long long n, double* w, float* x) {}\n");
  }

  nlohmann::json opened(const std::string& reference) {
    std::string text = reference_spec;
    text.replace(text.find("REFERENCE"), std::string("REFERENCE").size(), reference);
    const KernelSpec spec = read_spec(m_folder.write("scale.toml", text), {});
    const auto file = m_folder.path() / "opened.json";
    const test::EnvironmentVariable opened("GTUNE_TEST_OPENED", file.string());
    SessionOptions options;
    options.workers = {{"made-up GPU", {"/proc/self/exe", "made_up_gpu"}, true}};
    options.compiler_program = "/proc/self/exe";
    options.database = m_folder.path() / "results.db";
    SilentNotes notes;
    KernelSession session(options, spec, notes, [] { return false; });
    const Problem problem = expand_problems(spec, {}).front();
    open_problem(session.environment(),
                 session.environment().case_on_lead(problem, {{"BLOCK", 64}}),
                 ProblemRole::searched, 1);
    std::ifstream in(file);
    return nlohmann::json::parse(in);
  }

  test::TemporaryFolder m_folder;
  test::EnvironmentVariable m_no_cache{"GTUNE_CACHE", "off"};
};

TEST_F(Reference, IsAnEntryOfTheSourceWithTheKernelsArguments) {
  const auto reference = opened("entry = \"naive\", grid = [1], block = [32]")["reference"];
  EXPECT_EQ(reference["kernel_name"], "_Z5naivePfi");
  EXPECT_EQ(reference["launch"]["block"][0], 32);
  ASSERT_EQ(reference["arguments"].size(), 2U);
  EXPECT_EQ(reference["arguments"][0]["name"], "x");
}

TEST_F(Reference, IsAnEntryOfAnotherFileWithArgumentsOfItsOwn) {
  const auto message = opened(
      "source = \"right.cu\", entry = \"right\", grid = [\"ceil_div(n, 256)\"], block = [256], "
      "args = "
      "[{ name = \"count\", type = \"i64\", value = \"n\" }, { name = \"w\", type = \"f64\", count "
      "= "
      "\"2*n\", direction = \"workspace\" }, \"x\"]");
  const auto& reference = message["reference"];
  EXPECT_EQ(reference["kernel_name"], "_Z5rightxPdPf");
  EXPECT_EQ(reference["launch"]["grid"][0], 4);
  const auto& arguments = reference["arguments"];
  ASSERT_EQ(arguments.size(), 3U);
  EXPECT_EQ(arguments[0]["integer"], 1024);
  EXPECT_EQ(arguments[1]["count"], 2048);
  EXPECT_EQ(arguments[2]["direction"], "inout");
  EXPECT_EQ(message["arguments"].size(), 2U);  // the kernel's stay its own
}

TEST_F(Reference, ThatDoesNotCompileEndsTheRun) {
  m_folder.write("right.cu", "__global__ void right(float* x) { nonsense; }\n");
  try {
    static_cast<void>(opened(
        "source = \"right.cu\", entry = \"right\", grid = [1], block = [1], args = [\"x\"]"));
    FAIL();
  } catch (const UserError& error) {
    const std::string line = error.what();
    EXPECT_TRUE(line.starts_with("the reference kernel does not compile: right.cu")) << line;
  }
}

}  // namespace
}  // namespace gtune
