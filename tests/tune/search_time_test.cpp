#include <gtest/gtest.h>

#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"
#include "tune/budget_shares.hpp"
#include "tune/kernel_session.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {
namespace {

const char* const scale_spec = R"toml([kernel]
name = "scale"
source = "scale.cu"
entry = "scale<BLOCK>"
[problem]
n = 1024
[params]
BLOCK = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512]
[launch]
grid = ["ceil_div(n, BLOCK)"]
block = ["BLOCK"]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[check]
reference = { entry = "reference", grid = ["ceil_div(n, 32)"], block = [32] }
rtol = 0.0
)toml";

const char* const scale_source =
    "template <int BLOCK> __global__ void scale(float* x) { x[blockIdx.x * BLOCK + threadIdx.x] "
    "*= 2; }\n__global__ void reference(float* x) { x[blockIdx.x * 32 + threadIdx.x] *= 2; }\n";

class SilentObserver : public RunObserver {
 public:
  void on_progress(const Progress&) override {}
  void on_measurement(const Measurement&) override {}
  void on_note(const std::string&) override {}
};

/// Runs on a made-up GPU.
class SearchTime : public testing::Test {
 protected:
  SearchTime()
      : m_spec((m_folder.write("scale.cu", scale_source),
                read_spec(m_folder.write("scale.toml", scale_spec), {}))) {}

  [[nodiscard]] ProblemOutcome run(std::size_t compilers, double seconds) {
    SessionOptions options;
    options.workers = {{"made-up GPU", {"/proc/self/exe", "made_up_gpu"}, true}};
    options.compiler_program = "/proc/self/exe";
    options.database = m_folder.path() / "results.db";
    options.threads = compilers;
    SilentObserver observer;
    KernelSession session(options, m_spec, observer, [] { return false; });
    const Environment& env = session.environment();
    const Problem problem = expand_problems(m_spec, {}).front();
    const SearchSpace space = enumerate(m_spec, problem, env.device()).space;
    RunSettings settings;
    settings.strategy = "random";
    settings.budget.seconds = seconds;
    settings.profile.scope = ProfileScope::off;
    return tune_problem(env, settings, problem, space, {"scale", true});
  }

  test::TemporaryFolder m_folder;
  test::EnvironmentVariable m_no_cache{"GTUNE_CACHE", "off"};
  KernelSpec m_spec;
};

TEST_F(SearchTime, TheFirstConfigurationIsWaitedForHoweverShortTheTime) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "scale=600");
  const ProblemOutcome outcome = run(1, 0.05);
  EXPECT_TRUE(outcome.found);
  EXPECT_GE(outcome.search_use.tried, 1U);
  EXPECT_LT(outcome.search_use.tried, 4U);  // and no more: the time is over
  EXPECT_TRUE(outcome.search_use.ended_by_time);
}

TEST_F(SearchTime, TimeThatEndsARunWithNothingValidIsTold) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "scale=600");
  const test::EnvironmentVariable failing("GTUNE_TEST_STATUS", "launch_error");
  const ProblemOutcome outcome = run(2, 0.05);
  EXPECT_FALSE(outcome.found);
  EXPECT_TRUE(outcome.search_use.ended_by_time);
  EXPECT_GE(outcome.search_use.tried, 2U);  // one for each compiler
  EXPECT_LT(outcome.search_use.tried, 8U);
  EXPECT_EQ(outcome.configurations, 16U);
}

TEST_F(SearchTime, CompilingTheReferenceIsNotPartOfIt) {
  const test::EnvironmentVariable slow("GTUNE_TEST_SLOW", "reference=3500");
  EXPECT_GT(run(1, 3.0).search_use.tried, 1U);
}

TEST(MoreTime, IsEnoughForAFewDozenAndTwiceTheBudget) {
  EXPECT_EQ(more_time({6.0, {}}, 24, 2).text(), "384s");
  EXPECT_EQ(more_time({60.0, {}}, 61, 200).text(), "120s");
  EXPECT_EQ(more_time({0.5, {}}, 0.5, 0).text(), "16s");
}

}  // namespace
}  // namespace gtune
