// Constraints and launches that follow from the compiler's report, in runs on a made-up GPU with a
// real compiler.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <map>

#include "jit/nvcc_toolchain.hpp"
#include "model/error.hpp"
#include "scale_test.hpp"
#include "space/enumerate.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "tune/evaluate.hpp"
#include "tune/open_problem.hpp"
#include "tune/tune_problem.hpp"

namespace gtune {
namespace {

/// A kernel whose threads keep COUNT numbers, in local memory if SPILL is 1. Its grid is as large
/// as the device holds at once.
constexpr const char* resident_cu = R"cu(
template <int COUNT, int SPILL> __global__ void resident(int* x, int n) {
  __shared__ int shared[1024];
  int own[COUNT];
  for (int i = 0; i < COUNT; ++i) own[i] = x[i];
  for (int i = 0; SPILL && i < n; ++i) own[(unsigned)x[i] % COUNT] += i;
  shared[threadIdx.x] = own[SPILL ? n % COUNT : 0];
  __syncthreads();
  x[threadIdx.x] = shared[n % 1024];
}
__global__ void reference(int* x, int n) { *x = n; }
)cu";

constexpr const char* resident_toml = R"toml([kernel]
source = "resident.cu"
entry = "resident<COUNT,SPILL>"
[problem]
n = 1024
[params]
COUNT = [32, 64]
SPILL = [0, 1]
[constraints]
no_local_memory = "local_bytes == 0"
[launch]
grid = ["dev_sm_count * resident_blocks"]
block = [256]
shared = "65536 - static_shared_bytes"
cooperative = true
[[args]]
name = "x"
type = "i32"
count = "n"
direction = "inout"
[[args]]
name = "n"
type = "i32"
value = "n"
[check]
reference = { entry = "reference", grid = [1], block = [32] }
)toml";

class AfterCompile : public test::ScaleTest {
 protected:
  AfterCompile() {
    folder.write("resident.cu", resident_cu);
    m_settings.strategy = "exhaustive";
    m_settings.profile.scope = ProfileScope::off;
    m_settings.budget.configurations = 2;
  }

  /// The search asks for the first of COUNT in both values of SPILL, then for the other.
  [[nodiscard]] KernelSpec resident(const std::string& compiler = "nvrtc") const {
    std::string text = resident_toml;
    text.replace(text.find("entry"), 0, "compiler = \"" + compiler + "\"\n");
    return read_spec(folder.write("resident.toml", text), {});
  }

  ProblemOutcome tune(const KernelSpec& spec) {
    test::SilentObserver observer;
    KernelSession session(session_options(), spec, observer, [] { return false; });
    const Environment& env = session.environment();
    const Problem problem = expand_problems(spec, {}).front();
    const SearchSpace space = enumerate(spec, problem, env.device()).space;
    return tune_problem(env, m_settings, problem, space, {m_settings.budget.text(), true});
  }

  /// The search's stored measurements, by SPILL.
  std::map<std::int64_t, Measurement> searched(const ProblemOutcome& outcome) {
    Database database(folder.path() / "results.db", OpenMode::read_only);
    std::map<std::int64_t, Measurement> found;
    for (const auto& each : database.load_measurements(outcome.keys.front(), Phase::search)) {
      found[each.measurement.config.find("SPILL").value_or(-1)] = each.measurement;
    }
    return found;
  }

  void expect_one_excluded(const KernelSpec& spec) {
    const ProblemOutcome outcome = tune(spec);
    EXPECT_TRUE(outcome.found);
    auto found = searched(outcome);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].status, Status::ok) << found[0].reason;
    EXPECT_EQ(found[0].resources.value().stack_bytes, 0);
    EXPECT_EQ(found[0].resources.value().dynamic_shared_bytes, 65536 - 4096);
    EXPECT_EQ(found[0].resources.value().blocks_per_sm, 3);
    EXPECT_EQ(found[1].status, Status::pruned);
    EXPECT_EQ(found[1].reason, "excluded after compile by no_local_memory: 'local_bytes == 0'");
    EXPECT_GE(found[1].resources.value().stack_bytes, 32 * 4);
    EXPECT_EQ(found[1].gpu_ms, 0);
  }

  RunSettings m_settings;
};

TEST_F(AfterCompile, WhatViolatesAConstraintIsRecordedAndNotMeasured) {
  expect_one_excluded(resident());
}

TEST_F(AfterCompile, TheSameHoldsForNvcc) {
  try {
    (void)nvcc_toolchain();
  } catch (const UserError& error) {
    GTEST_SKIP() << error.what();
  }
  expect_one_excluded(resident("nvcc"));
}

TEST_F(AfterCompile, WhatIsExcludedIsNotCompiledAgain) {
  const KernelSpec spec = resident();
  EXPECT_EQ(tune(spec).search_use.measured, (std::vector<std::int64_t>{1}));
  m_settings.budget.configurations.reset();
  const ProblemOutcome all = tune(spec);
  EXPECT_EQ(all.search_use.tried, 4U);
  EXPECT_EQ(all.search_use.measured, (std::vector<std::int64_t>{1}));
  Database database(folder.path() / "results.db", OpenMode::read_only);
  EXPECT_EQ(database.load_measurements(all.keys.front(), Phase::search).size(), 4U);
  const std::string rows = "SELECT COUNT(*) FROM measurement WHERE phase = 'search'";
  EXPECT_EQ(database.connection().execAndGet(rows).getInt(), 4);
}

TEST_F(AfterCompile, TheGridIsWhatTheDeviceHoldsAtOnce) {
  const KernelSpec spec = resident();
  test::SilentObserver observer;
  KernelSession session(session_options(), spec, observer, [] { return false; });
  const Environment& env = session.environment();
  const Problem problem = expand_problems(spec, {}).front();
  const SearchSpace space = enumerate(spec, problem, env.device()).space;
  ASSERT_EQ(space.size(), 4U);
  ProblemState state(env, m_settings, problem, space, {}, {});
  Candidate candidate{0, space.config(0), {}};
  candidate.compiled =
      compile_now(*env.pool, env.interrupted,
                  env.request(spec.steps, env.case_on_lead(problem, candidate.config)));
  Measurement measurement;
  const auto request = request_for(state, candidate, {}, measurement);
  ASSERT_TRUE(request) << measurement.reason;
  const LaunchPlan launch = only_launch(request->steps).value();
  EXPECT_EQ(launch.shared_bytes, 65536 - 4096);
  EXPECT_EQ(launch.grid[0], 3 * env.device().sm_count);  // 65 KiB each of an SM's 228 KiB
}

}  // namespace
}  // namespace gtune
