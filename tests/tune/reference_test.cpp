#include <gtest/gtest.h>

#include <fstream>

#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "scale_test.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/open_problem.hpp"

namespace gtune {
namespace {

/// The message about the reference to a worker; NVRTC compiles it for a made-up GPU.
class Reference : public test::ScaleTest {
 protected:
  Reference() {
    folder.write("right.cu", "__global__ void right(long long n, double* w, float* x) {}\n");
  }

  nlohmann::json opened(const std::string& reference) {
    const KernelSpec read = spec(reference);
    const auto file = folder.path() / "opened.json";
    const test::EnvironmentVariable opened("GTUNE_TEST_OPENED", file.string());
    test::SilentObserver observer;
    KernelSession session(session_options(), read, observer, [] { return false; });
    const Environment& env = session.environment();
    const Problem problem = expand_problems(read, {}).front();
    open_problem(env, env.case_on_lead(problem, {{"BLOCK", 64}}), ProblemRole::searched, {});
    std::ifstream in(file);
    return nlohmann::json::parse(in);
  }
};

TEST_F(Reference, IsAnEntryOfTheSourceWithTheKernelsArguments) {
  const auto reference = opened("entry = \"naive\", grid = [1], block = [32]")["reference"];
  EXPECT_EQ(reference["steps"][0]["kernel"], "_Z5naivePfi");
  EXPECT_EQ(reference["steps"][0]["launch"]["block"][0], 32);
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
  EXPECT_EQ(reference["steps"][0]["kernel"], "_Z5rightxPdPf");
  EXPECT_EQ(reference["steps"][0]["launch"]["grid"][0], 4);
  const auto& arguments = reference["arguments"];
  ASSERT_EQ(arguments.size(), 3U);
  EXPECT_EQ(arguments[0]["integer"], 1024);
  EXPECT_EQ(arguments[1]["count"], 2048);
  EXPECT_EQ(arguments[2]["direction"], "inout");
  EXPECT_EQ(message["arguments"].size(), 2U);  // the kernel keeps its own
}

TEST_F(Reference, ThatDoesNotCompileEndsTheRun) {
  folder.write("right.cu", "__global__ void right(float* x) { nonsense; }\n");
  try {
    static_cast<void>(opened(
        "source = \"right.cu\", entry = \"right\", grid = [1], block = [1], args = [\"x\"]"));
    FAIL();
  } catch (const UserError& error) {
    const std::string line = error.what();
    EXPECT_TRUE(line.starts_with("the reference does not compile: right.cu")) << line;
  }
}

}  // namespace
}  // namespace gtune
