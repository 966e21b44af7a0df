#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "jit/compile_pool.hpp"
#include "jit/nvrtc_library.hpp"
#include "jit/support.hpp"
#include "support/build_under_test.hpp"
#include "support/patience.hpp"
#include "support/run_program.hpp"
#include "system/hash.hpp"

// The pool with its program in production, `gtune compiler`.
namespace gtune {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::EnvironmentVariable;
using test::scale_request;
using test::TemporaryFolder;

PoolOptions gtune_pool(std::size_t threads, CubinCache* cache = nullptr) {
  PoolOptions options;
  options.threads = threads;
  options.compiler_command = {test::gtune_binary(), "compiler"};
  options.cache = cache;
  options.nvrtc_version = "13.0";
  return options;
}

TEST(GtuneCompiler, CompilesATemplateForEveryArchitecture) {
  const KernelSource source(
      "template <int N, typename T> __global__ void add(T* data) { data[threadIdx.x] += N; }\n",
      "add.cu");
  CompilePool pool(gtune_pool(1));
  std::set<std::string> different;  // digests
  for (const char* arch : {"sm_80", "sm_90a", "sm_120a"}) {
    const CompileResult result =
        test::compile_one(pool, source.request({"add<3, float>"}, {}, arch));
    ASSERT_TRUE(result.ok) << arch << ": " << result.reason;
    EXPECT_TRUE(test::is_elf(result.cubin)) << arch;
    EXPECT_EQ(result.kernel().name, "_Z3addILi3EfEvPT0_");
    EXPECT_GT(result.kernel().resources.registers, 0) << arch;
    EXPECT_EQ(result.kernel().resources.cubin_bytes,
              static_cast<std::int64_t>(result.cubin.size()));
    EXPECT_GT(result.compile_ms, 0);
    EXPECT_FALSE(result.from_cache);
    different.insert(
        hex_digest({reinterpret_cast<const char*>(result.cubin.data()), result.cubin.size()}));
  }
  EXPECT_EQ(different.size(), 3U);
}

TEST(GtuneCompiler, FortyRequestsOnTwoThreadsAllCome) {
  CompilePool pool(gtune_pool(2));
  std::set<std::uint64_t> open;
  for (int i = 0; i < 40; ++i) open.insert(pool.submit(scale_request(i)));
  ASSERT_EQ(open.size(), 40U);
  while (!open.empty()) {
    const auto finished = pool.wait_next(60s);
    ASSERT_TRUE(finished) << open.size() << " are missing";
    EXPECT_TRUE(finished->result.ok) << finished->result.reason;
    EXPECT_EQ(open.erase(finished->ticket), 1U);
  }
  EXPECT_FALSE(pool.wait_next(10ms));
}

TEST(GtuneCompiler, WithoutNvrtcTheReasonSaysSo) {
  const EnvironmentVariable none("GTUNE_NVRTC", "/nonexistent");
  TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  CompilePool pool(gtune_pool(1, &cache));
  const CompileResult result = test::compile_one(pool, scale_request(1));
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("NVRTC cannot be opened at GTUNE_NVRTC=/nonexistent"),
            std::string::npos)
      << result.reason;
  EXPECT_EQ(result.reason.find('\n'), std::string::npos) << result.reason;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // NVRTC may be there the next time
}

TEST(GtuneCompiler, EndsWithItsInputAndSaysNothing) {
  const auto result = test::run_program({test::gtune_binary(), "compiler"}, {}, 20);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST(GtuneCompiler, APoolEndsAtOnceWhileOneHangs) {
  const EnvironmentVariable fault("GTUNE_FAULT", "compiler:hang@compile#1");
  auto pool = std::make_unique<CompilePool>(gtune_pool(2));
  for (int i = 0; i < 8; ++i) pool->submit(scale_request(i));
  EXPECT_FALSE(pool->wait_next(500ms));
  const auto start = Clock::now();
  pool.reset();
  EXPECT_LT(Clock::now() - start, 2s * test::patience);
}

TEST(SharedCache, TwoPoolsUseOneFolderAtOnce) {
  const TemporaryFolder folder;
  CubinCache first_cache({folder.path(), 1 << 30});
  CubinCache second_cache({folder.path(), 1 << 30});
  {
    CompilePool first(gtune_pool(1, &first_cache));
    CompilePool second(gtune_pool(1, &second_cache));
    for (int i = 0; i < 8; ++i) {
      first.submit(scale_request(i));
      second.submit(scale_request(7 - i));
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_TRUE(first.wait_next(60s).value().result.ok);
      EXPECT_TRUE(second.wait_next(60s).value().result.ok);
    }
  }
  // A third finds what either of them compiled.
  CubinCache third_cache({folder.path(), 1 << 30});
  CompilePool third(gtune_pool(1, &third_cache));
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(test::compile_one(third, scale_request(i)).from_cache) << i;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 8);
}

TEST(SharedCache, ADamagedFileIsCompiledAgainAndReplaced) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 30});
  CompilePool pool(gtune_pool(1, &cache));
  const CompileResult whole = test::compile_one(pool, scale_request(1));
  ASSERT_TRUE(whole.ok) << whole.reason;
  const auto file = std::filesystem::directory_iterator(folder.path())->path();
  std::ofstream(file, std::ios::binary) << "not a cubin";
  const CompileResult again = test::compile_one(pool, scale_request(1));
  EXPECT_TRUE(again.ok) << again.reason;
  EXPECT_FALSE(again.from_cache);
  EXPECT_EQ(again.cubin, whole.cubin);
  EXPECT_TRUE(test::compile_one(pool, scale_request(1)).from_cache);
}

TEST(SharedCache, AFileInTheFoldersPlaceOnlyDisablesIt) {
  const TemporaryFolder folder;
  const auto file = folder.write("cache", "mine");
  CubinCache cache({file, 1 << 30});
  EXPECT_FALSE(cache.enabled());
  CompilePool pool(gtune_pool(1, &cache));
  EXPECT_TRUE(test::compile_one(pool, scale_request(1)).ok);
  EXPECT_FALSE(test::compile_one(pool, scale_request(1)).from_cache);
  EXPECT_EQ(std::filesystem::file_size(file), 4U);
}

TEST(SharedCache, WhatWasUsedLastStaysWhenItIsFull) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 60'000});
  CubinCache other({folder.path(), 60'000});
  CompileResult result;
  result.ok = true;
  result.kernels = {{"k", "k", {}}};
  result.cubin.resize(10'000);
  for (const char* key : {"old", "used", "idle"}) {
    cache.store(key, result);
    std::this_thread::sleep_for(20ms);  // the times of last use must differ
  }
  ASSERT_TRUE(other.find("old"));
  std::this_thread::sleep_for(20ms);
  ASSERT_TRUE(other.find("used"));
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(20ms);
    cache.store("new" + std::to_string(i), result);
  }
  EXPECT_FALSE(cache.find("idle"));
  EXPECT_FALSE(cache.find("old"));
  EXPECT_TRUE(cache.find("used"));
  EXPECT_TRUE(cache.find("new2"));
}

}  // namespace
}  // namespace gtune
