// What is compiled while the GPU measures, on a made-up GPU with a real compiler.
#include "tune/compile_ahead.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <thread>

#include "scale_test.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "support/patience.hpp"
#include "tune/baseline_phase.hpp"
#include "tune/open_problem.hpp"
#include "tune/winner_check.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;

/// Another kernel where n is odd, as at the awkward size.
constexpr const char* scale_toml = R"toml([kernel]
source = "scale.cu"
entry = "scale<BLOCK, odd>"
[problem]
n = 1024
[params]
BLOCK = [32, 64, 96]
[let]
odd = "n % 2"
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
reference = { entry = "naive", grid = [1], block = [32] }
rtol = 0.0
also = [{ n = 33 }, { n = 35 }]
[[baselines]]
name = "naive"
entry = "naive"
grid = [1]
block = [32]
)toml";

class CompilesAhead : public test::ScaleTest {
 protected:
  CompilesAhead() {
    folder.write("scale.cu",
                 "template <int BLOCK, int ODD> __global__ void scale(float* x, int n) {}\n"
                 "__global__ void naive(float* x, int n) {}\n");
    m_spec = read_spec(folder.write("scale.toml", scale_toml), {});
  }

  /// The number of compiled kernels in the cache, once there are as many as expected.
  std::size_t cached(std::size_t expected) const {
    const auto end = std::chrono::steady_clock::now() + 20s * test::patience;
    std::size_t count = 0;
    while (count < expected && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(5ms);
      count = 0;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(m_cache)) {
        count += entry.is_regular_file() ? 1 : 0;
      }
    }
    return count;
  }

  std::unique_ptr<KernelSession> open_session(std::size_t compilers) {
    SessionOptions options = session_options();
    options.threads = compilers;
    return std::make_unique<KernelSession>(options, m_spec, m_observer, [] { return false; });
  }

  static Measurement measured(const Config& config, double ms) {
    Measurement measurement;
    measurement.config = config;
    measurement.status = Status::ok;
    measurement.timing.emplace();
    measurement.timing->median_ms = ms;
    return measurement;
  }

  std::filesystem::path m_cache = folder.path() / "cache";
  test::EnvironmentVariable m_cache_folder{"GTUNE_CACHE", m_cache.c_str()};
  KernelSpec m_spec;
  RunSettings m_settings;
  test::SilentObserver m_observer;
};

TEST_F(CompilesAhead, TheFirstConfigurationsAndOthersForIdleCompilers) {
  const auto session = open_session(4);
  const Environment& env = session->environment();
  const Problem problem = expand_problems(m_spec, {}).front();
  const SearchSpace space = enumerate(m_spec, problem, env.device()).space;
  const ProblemState state(env, m_settings, problem, space, {}, {});
  compile_first(state, std::array<std::size_t, 2>{1, 1}, false);
  EXPECT_EQ(cached(4), 4U);  // the reference and all of the space
}

TEST_F(CompilesAhead, NoOthersWhereTheFirstAreAll) {
  const auto session = open_session(4);
  const Environment& env = session->environment();
  const Problem problem = expand_problems(m_spec, {}).front();
  const SearchSpace space = enumerate(m_spec, problem, env.device()).space;
  const ProblemState state(env, m_settings, problem, space, {}, {});
  compile_first(state, std::array<std::size_t, 2>{0, 1}, true);
  ASSERT_EQ(cached(3), 3U);
  const KernelRequest other = env.request(m_spec.steps, env.case_on_lead(problem, space.config(2)));
  EXPECT_FALSE(compile_now(*env.pool, env.interrupted, other).from_cache);
}

TEST_F(CompilesAhead, BaselinesAndTheFastestOfTheSearchAtAwkwardSizes) {
  const auto session = open_session(2);
  const Environment& env = session->environment();
  const Problem problem = expand_problems(m_spec, {}).front();
  const SearchSpace space = enumerate(m_spec, problem, env.device()).space;
  ProblemState state(env, m_settings, problem, space, {}, {});
  for (std::size_t i = 0; i < 3; ++i) {
    state.reuse(measured(space.config(i), i == 1 ? 1 : 2));
  }
  compile_ahead(state);
  ASSERT_EQ(cached(2), 2U);
  const auto compiled = [&](const KernelRequest& request) {
    return compile_now(*env.pool, env.interrupted, request);
  };
  EXPECT_TRUE(compiled(baseline_kernel(state, m_spec.baselines.front())).from_cache);
  const std::vector<KernelRequest> checked = kernels_to_check(state, space.config(1));
  ASSERT_EQ(checked.size(), 2U);
  EXPECT_EQ(checked[0].compile, checked[1].compile);
  EXPECT_TRUE(compiled(checked[0]).from_cache);
  EXPECT_FALSE(compiled(kernels_to_check(state, space.config(0)).front()).from_cache);
}

}  // namespace
}  // namespace gtune
