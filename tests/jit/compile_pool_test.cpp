#include "jit/compile_pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include "jit/support.hpp"
#include "model/error.hpp"
#include "support/patience.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::EnvironmentVariable;
using test::scale_request;
using test::TemporaryFolder;

PoolOptions pool_options(std::size_t threads, CubinCache* cache = nullptr) {
  PoolOptions options;
  options.threads = threads;
  options.compiler_command = test::compiler_command();
  options.cache = cache;
  options.nvrtc_version = "13.0";
  return options;
}

/// Waits for `count` results; returns them by ticket.
std::map<std::uint64_t, CompileResult> collect(CompilePool& pool, std::size_t count) {
  std::map<std::uint64_t, CompileResult> results;
  while (results.size() < count) {
    auto finished = pool.wait_next(30s);
    if (!finished) {
      ADD_FAILURE() << "no result came";
      break;
    }
    results.emplace(finished->ticket, std::move(finished->result));
  }
  return results;
}

TEST(CompilePool, EveryTicketGetsItsResult) {
  CompilePool pool(pool_options(2));
  std::map<std::uint64_t, int> factors;
  for (int i = 1; i <= 12; ++i) factors[pool.submit(scale_request(i))] = i;
  ASSERT_EQ(factors.size(), 12U);
  const auto results = collect(pool, 12);
  CompilePool alone(pool_options(1));
  for (const auto& [ticket, factor] : factors) {
    ASSERT_TRUE(results.at(ticket).ok) << results.at(ticket).reason;
    if (factor % 5 == 0) {
      EXPECT_EQ(test::compile_one(alone, scale_request(factor)).cubin, results.at(ticket).cubin);
    }
  }
}

TEST(CompilePool, StartsInOrder) {
  CompilePool pool(pool_options(1));
  std::vector<std::uint64_t> tickets;
  for (int i = 0; i < 5; ++i) tickets.push_back(pool.submit(scale_request(i)));
  for (const std::uint64_t ticket : tickets) EXPECT_EQ(pool.wait_next(30s)->ticket, ticket);
}

TEST(CompilePool, WaitsNoLongerThanAsked) {
  CompilePool pool(pool_options(1));
  const auto start = Clock::now();
  EXPECT_FALSE(pool.wait_next(50ms));
  EXPECT_LT(Clock::now() - start, 1s * test::patience);
}

TEST(CompilePool, AMistakeCostsItsOwnRequestOnly) {
  CompilePool pool(pool_options(1));
  const auto bad = pool.submit(
      KernelSource("__global__ void f() { nope; }", "bad.cu").request({"f"}, {}, test::arch));
  const auto good = pool.submit(scale_request(1));
  const auto results = collect(pool, 2);
  EXPECT_FALSE(results.at(bad).ok);
  EXPECT_EQ(results.at(bad).reason.rfind("bad.cu(1): error", 0), 0U) << results.at(bad).reason;
  EXPECT_TRUE(results.at(good).ok) << results.at(good).reason;
}

struct Fault {
  std::string action;
  std::string said;  // part of the reason
};

class FaultyCompiler : public testing::TestWithParam<Fault> {};

TEST_P(FaultyCompiler, CostsOneRequestAndANewOneGoesOn) {
  // The second compile of each compiler process fails.
  const EnvironmentVariable fault("GTUNE_FAULT", "compiler:" + GetParam().action + "@compile#2");
  PoolOptions options = pool_options(1);
  options.compile_limit = 2s;
  CompilePool pool(options);
  std::vector<std::uint64_t> tickets;
  for (int i = 0; i < 3; ++i) tickets.push_back(pool.submit(scale_request(i)));
  const auto results = collect(pool, 3);
  EXPECT_TRUE(results.at(tickets[0]).ok) << results.at(tickets[0]).reason;
  EXPECT_FALSE(results.at(tickets[1]).ok);
  EXPECT_TRUE(results.at(tickets[2]).ok) << results.at(tickets[2]).reason;
  const std::string& reason = results.at(tickets[1]).reason;
  EXPECT_NE(reason.find(GetParam().said), std::string::npos) << reason;
  EXPECT_EQ(reason.find('\n'), std::string::npos) << reason;
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultyCompiler,
                         testing::Values(Fault{"crash", "SIGSEGV"}, Fault{"exit", "exit code 7"},
                                         Fault{"hang", "2 s"}, Fault{"garbage", "garbage"},
                                         Fault{"truncate", "ended inside"}),
                         [](const auto& test) { return test.param.action; });

TEST(CompilePool, ACrashIsNotCached) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  {
    const EnvironmentVariable fault("GTUNE_FAULT", "compiler:crash@compile#1");
    CompilePool pool(pool_options(1, &cache));
    EXPECT_FALSE(test::compile_one(pool, scale_request(1)).ok);
  }
  CompilePool pool(pool_options(1, &cache));
  const CompileResult result = test::compile_one(pool, scale_request(1));
  EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_FALSE(result.from_cache);
}

TEST(CompilePool, ACompilerThatCannotBeStartedSaysSo) {
  PoolOptions options = pool_options(1);
  options.compiler_command = {"/nonexistent/gtune", "compiler"};
  CompilePool pool(options);
  const CompileResult result = test::compile_one(pool, scale_request(1));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("/nonexistent/gtune"), std::string::npos) << result.reason;
}

TEST(CompilerClient, ACompilerThatDiedIdleCostsNothing) {
  const TemporaryFolder folder;
  const auto pid_file = folder.path() / "pid";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  CompilerClient client({"sh", "-c", "echo $$ >$1; exec \"$0\" compiler", self, pid_file.string()},
                        20s);
  bool lost = false;
  ASSERT_TRUE(client.compile(scale_request(1).compile, lost).ok);
  pid_t compiler = 0;
  std::ifstream(pid_file) >> compiler;
  ASSERT_GT(compiler, 0);
  ASSERT_EQ(kill(compiler, SIGKILL), 0);
  siginfo_t end{};
  waitid(P_PID, static_cast<id_t>(compiler), &end, WEXITED | WNOWAIT);
  const CompileResult result = client.compile(scale_request(2).compile, lost);
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST(CompilePool, EndsAtOnceInMidCompile) {
  const EnvironmentVariable fault("GTUNE_FAULT", "compiler:hang@compile#1");
  const auto start = Clock::now();
  {
    CompilePool pool(pool_options(2));
    for (int i = 0; i < 8; ++i) pool.submit(scale_request(i));
    std::this_thread::sleep_for(300ms);
  }
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

TEST(CompilePool, WhatWasCancelledDoesNotCome) {
  CompilePool pool(pool_options(1));
  for (int i = 0; i < 50; ++i) pool.submit(scale_request(i));
  pool.cancel_pending();
  const auto after = pool.submit(scale_request(99));
  int others = 0;
  for (;;) {
    const auto finished = pool.wait_next(30s);
    ASSERT_TRUE(finished);
    if (finished->ticket == after) break;
    ++others;
  }
  EXPECT_LE(others, 2);
}

TEST(CompilePool, OneKernelIsCompiledOnceAtATime) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(pool_options(2, &cache));
  pool.submit(scale_request(1));
  pool.submit(scale_request(1));
  const auto results = collect(pool, 2);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_NE(results.begin()->second.from_cache, results.rbegin()->second.from_cache);
}

/// Takes ptxas seconds.
KernelRequest slow_request() {
  return KernelSource(
             "__global__ void slow(float* x) {\n"
             "#pragma unroll\n"
             "  for (int i = 0; i < 200; ++i) x[i] = sinf(x[i + 1]) + x[7 * i];\n}\n",
             "slow.cu")
      .request({"slow"}, {}, test::arch);
}

TEST(CompilePool, OthersStartWhileAKernelUnderWayIsWaitedFor) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(pool_options(2, &cache));
  const std::vector<std::uint64_t> slow = {pool.submit(slow_request()), pool.submit(slow_request()),
                                           pool.submit(slow_request())};
  const std::uint64_t quick = pool.submit(scale_request(1));
  const auto first = pool.wait_next(60s);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->ticket, quick);
  const auto results = collect(pool, 3);
  int compiled = 0;
  for (const std::uint64_t ticket : slow) {
    ASSERT_TRUE(results.at(ticket).ok) << results.at(ticket).reason;
    compiled += results.at(ticket).from_cache ? 0 : 1;
  }
  EXPECT_EQ(compiled, 1);
}

TEST(CompilePool, WhatIsCompiledAheadIsInTheCacheLaterAndHasNoResult) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(pool_options(1, &cache));
  pool.compile_ahead({scale_request(1), scale_request(2)});
  EXPECT_FALSE(pool.wait_next(2s));
  const auto ticket = pool.submit(scale_request(2));
  const auto results = collect(pool, 1);
  ASSERT_TRUE(results.contains(ticket));
  EXPECT_TRUE(results.at(ticket).from_cache);
}

TEST(CompilePool, WhatIsCompiledAheadMakesWay) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(pool_options(1, &cache));
  std::vector<KernelRequest> ahead;
  for (int i = 1; i <= 50; ++i) ahead.push_back(scale_request(i));
  pool.compile_ahead(ahead);
  pool.submit(scale_request(50));
  const auto results = collect(pool, 1);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_FALSE(results.begin()->second.from_cache);
}

TEST(CompilePool, AFailureAheadIsFoundWhereTheKernelIsNeeded) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(pool_options(1, &cache));
  KernelRequest wrong = scale_request(1);
  wrong.compile.source = "no C++";
  pool.compile_ahead({wrong});
  EXPECT_TRUE(test::compile_one(pool, scale_request(2)).ok);
  EXPECT_FALSE(test::compile_one(pool, wrong).ok);
}

TEST(CompilePool, NothingIsCompiledAheadWithoutACache) {
  CompilePool pool(pool_options(1));
  pool.compile_ahead({scale_request(1)});
  EXPECT_TRUE(test::compile_one(pool, scale_request(1)).ok);
}

class CachedCompile : public testing::Test {
 protected:
  CachedCompile()
      : m_cache({m_folder.path() / "cache", 1 << 30}), m_pool(pool_options(1, &m_cache)) {
    m_source = m_folder.write("k.cu",
                              "#include \"value.cuh\"\nextern \"C\" __global__ void f(int* out) "
                              "{ *out = VALUE; }\n"
                              "extern \"C\" __global__ void g(int* out) { *out = -VALUE; }\n");
    m_folder.write("value.cuh", "#define VALUE 1\n");
  }

  CompileResult run(const std::string& entry = "f", const std::vector<std::string>& options = {},
                    const std::string& target = test::arch) {
    return test::compile_one(m_pool, KernelSource(m_source).request({entry}, options, target));
  }

  TemporaryFolder m_folder;
  CubinCache m_cache;
  CompilePool m_pool;
  std::filesystem::path m_source;
};

TEST_F(CachedCompile, TheSecondTimeItComesFromTheCache) {
  const CompileResult first = run();
  ASSERT_TRUE(first.ok) << first.reason;
  EXPECT_FALSE(first.from_cache);
  const CompileResult second = run();
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_EQ(second.kernel().resources.registers, first.kernel().resources.registers);
}

TEST_F(CachedCompile, WhateverChangesTheResultIsCompiledAgain) {
  ASSERT_FALSE(run().from_cache);
  EXPECT_FALSE(run("g").from_cache);
  EXPECT_FALSE(run("f", {"-DUNUSED=1"}).from_cache);
  EXPECT_FALSE(run("f", {}, "sm_80").from_cache);
  EXPECT_TRUE(run().from_cache);
  m_folder.write("value.cuh", "#define VALUE 2\n");
  EXPECT_FALSE(run().from_cache);
  m_folder.write("k.cu", "extern \"C\" __global__ void f(int* out) { *out = 3; }\n");
  EXPECT_FALSE(run().from_cache);
  m_folder.write("value.cuh", "#define VALUE 1\n");  // no longer included
  EXPECT_TRUE(run().from_cache);
}

TEST_F(CachedCompile, AnIncludeInAFolderOfTheOptionsCounts) {
  m_folder.write("k.cu",
                 "#include <far.cuh>\nextern \"C\" __global__ void f(int* o) { *o = FAR; }\n");
  const std::vector<std::string> options = {"-I" + (m_folder.path() / "far").string()};
  m_folder.write("far/far.cuh", "#define FAR 1\n");
  const CompileResult first = run("f", options);
  ASSERT_TRUE(first.ok) << first.reason;
  EXPECT_TRUE(run("f", options).from_cache);
  m_folder.write("far/far.cuh", "#define FAR 2\n");
  EXPECT_FALSE(run("f", options).from_cache);
}

TEST_F(CachedCompile, WhatHidesAnIncludeInAMacroIsNotCached) {
  m_folder.write("k.cu",
                 "#define S(name) #name\n#include S(value.cuh)\n"
                 "extern \"C\" __global__ void f(int* o) { *o = VALUE; }\n");
  ASSERT_TRUE(run().ok);
  EXPECT_FALSE(run().from_cache);
}

TEST_F(CachedCompile, AnIncludeThatAMacroOfTheSourceNamesCounts) {
  m_folder.write("k.cu",
                 "#define H \"value.cuh\"\n#include H\n"
                 "extern \"C\" __global__ void f(int* o) { *o = VALUE; }\n");
  ASSERT_TRUE(run().ok);
  EXPECT_TRUE(run().from_cache);
  m_folder.write("value.cuh", "#define VALUE 2\n");
  EXPECT_FALSE(run().from_cache);
  // A second definition, by an option: the text does not show which one applies.
  const std::vector<std::string> options = {"-DH=\"value.cuh\""};
  ASSERT_TRUE(run("f", options).ok);
  EXPECT_FALSE(run("f", options).from_cache);
}

TEST_F(CachedCompile, AHeaderWithAMistakeIsCompiledAgainWhenItIsMended) {
  for (const char* include :
       {"/* local */ #include \"late.h\"", "%:include \"late.h\"", "#inc\\\nlude \"late.h\""}) {
    m_folder.write("late.h", "#error not yet\n");
    m_folder.write("k.cu", std::string(include) + "\nextern \"C\" __global__ void f() {}\n");
    ASSERT_FALSE(run().ok) << include;
    m_folder.write("late.h", "// fine\n");
    EXPECT_TRUE(run().ok) << include;
  }
}

TEST_F(CachedCompile, AHeaderThatChangesDuringARunEndsItAndIsNotCached) {
  const KernelSource source(m_source);
  const KernelRequest request = source.request({"f"}, {}, test::arch);
  m_folder.write("value.cuh", "#define VALUE 2\n");
  m_pool.submit(request);
  try {
    (void)m_pool.wait_next(60s);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("value.cuh: changed"), std::string::npos)
        << error.what();
  }
  m_folder.write("value.cuh", "#define VALUE 1\n");  // rewritten with the same contents
  const CompileResult result = test::compile_one(m_pool, request);
  EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_FALSE(result.from_cache);
}

TEST_F(CachedCompile, AnotherNvrtcCompilesAgain) {
  ASSERT_FALSE(run().from_cache);
  PoolOptions newer = pool_options(1, &m_cache);
  newer.nvrtc_version = "13.9";
  CompilePool pool(newer);
  EXPECT_FALSE(
      test::compile_one(pool, KernelSource(m_source).request({"f"}, {}, test::arch)).from_cache);
}

TEST(CompilePool, CompilersWorkSideBySide) {
  // Compilers that take four seconds to start: in sequence they would need sixteen, however busy
  // the cores.
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  PoolOptions options = pool_options(4);
  options.compiler_command = {"sh", "-c", "sleep 4; exec \"$0\" compiler", self};
  const auto start = Clock::now();
  CompilePool pool(options);
  for (int i = 0; i < 4; ++i) pool.submit(scale_request(i));
  for (const auto& [ticket, result] : collect(pool, 4)) EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_LT(Clock::now() - start, 15s);
}

}  // namespace
}  // namespace gtune
