#include "jit/cubin_cache.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "jit/support.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::EnvironmentVariable;
using test::TemporaryFolder;

CompileResult result_of(std::size_t bytes, int registers = 40) {
  CompileResult result;
  result.ok = true;
  result.kernel_name = "_Z5scalePf";
  result.resources.registers = registers;
  result.cubin.assign(bytes, std::byte{7});
  result.compile_ms = 110;
  return result;
}

fs::path only_file(const fs::path& folder) {
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  return fs::directory_iterator(folder)->path();
}

std::uint64_t total_bytes(const fs::path& folder) {
  std::uint64_t total = 0;
  for (const auto& item : fs::directory_iterator(folder)) total += item.file_size();
  return total;
}

TEST(CubinCache, GivesBackWhatWasStored) {
  const TemporaryFolder folder;
  CubinCache({folder.path(), 1 << 20}).store("key", result_of(1000));
  CubinCache again({folder.path(), 1 << 20});
  const auto found = again.find("key");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ok);
  EXPECT_TRUE(found->from_cache);
  EXPECT_EQ(found->kernel_name, "_Z5scalePf");
  EXPECT_EQ(found->resources.registers, 40);
  EXPECT_EQ(found->cubin, result_of(1000).cubin);
  EXPECT_EQ(found->compile_ms, 0);
  EXPECT_FALSE(again.find("another key"));
}

TEST(CubinCache, KeepsMistakesInTheSource) {
  const TemporaryFolder folder;
  CompileResult mistake;
  mistake.reason = "k.cu(3): error: no";
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("key", mistake);
  const auto found = cache.find("key");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->ok);
  EXPECT_EQ(found->reason, mistake.reason);
}

TEST(CubinCache, ATornFileIsAbsentAndGoes) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("key", result_of(1000));
  const fs::path file = only_file(folder.path());
  const auto whole = fs::file_size(file);
  for (const std::uintmax_t length : {whole - 1, whole / 2, std::uintmax_t{5}, std::uintmax_t{0}}) {
    cache.store("key", result_of(1000));
    fs::resize_file(file, length);
    EXPECT_FALSE(cache.find("key")) << length;
    EXPECT_FALSE(fs::exists(file)) << length;
  }
}

TEST(CubinCache, AFlippedByteIsNoticed) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("key", result_of(1000));
  const fs::path file = only_file(folder.path());
  std::ostringstream whole;
  whole << std::ifstream(file, std::ios::binary).rdbuf();
  // In the cubin, and in what is said of it.
  for (const std::size_t at : {whole.str().size() - 500, whole.str().find("scale")}) {
    std::string bytes = whole.str();
    bytes[at] = 'x';
    std::ofstream(file, std::ios::binary) << bytes;
    EXPECT_FALSE(cache.find("key")) << at;
  }
}

TEST(CubinCache, StaysUnderItsBoundAndKeepsWhatWasUsedLast) {
  const TemporaryFolder folder;
  constexpr std::uint64_t bound = 100'000;
  CubinCache cache({folder.path(), bound});
  cache.store("kept", result_of(5000));
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(cache.find("kept")) << i;
    cache.store("k" + std::to_string(i), result_of(5000));
    std::this_thread::sleep_for(2ms);  // the time of last use tells them apart
  }
  EXPECT_LE(total_bytes(folder.path()), bound + bound / 8);
  EXPECT_TRUE(cache.find("k59"));
  EXPECT_FALSE(cache.find("k0"));
}

TEST(CubinCache, OpeningShrinksWhatAnEarlierOneLeft) {
  const TemporaryFolder folder;
  {
    CubinCache large({folder.path(), 1 << 20});
    for (int i = 0; i < 20; ++i) large.store("k" + std::to_string(i), result_of(5000));
  }
  const CubinCache small({folder.path(), 30'000});
  EXPECT_LE(total_bytes(folder.path()), 30'000U);
}

TEST(CubinCache, TwoProcessesShareAFolder) {
  const TemporaryFolder folder;
  constexpr std::uint64_t bound = 60'000;  // small, so that both also remove
  const pid_t other = fork();
  CubinCache cache({folder.path(), bound});
  bool right = true;
  for (int i = 0; i < 400; ++i) {
    const std::string key = "k" + std::to_string(i % 20);
    if (const auto found = cache.find(key)) {
      right = right && found->cubin.size() == 3000 && found->resources.registers == i % 20;
    }
    cache.store(key, result_of(3000, i % 20));
  }
  if (other == 0) _exit(right && cache.enabled() ? 0 : 1);
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(right);
  EXPECT_TRUE(cache.enabled());
}

TEST(CubinCache, AFolderThatCannotBeUsedMeansNoCache) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  for (const fs::path& path : {file, file / "below", fs::path("/proc/gtune"), fs::path()}) {
    CubinCache cache({path, 1 << 20});
    EXPECT_FALSE(cache.enabled()) << path;
    cache.store("key", result_of(10));
    EXPECT_FALSE(cache.find("key"));
  }
}

TEST(CubinCache, AFolderThatGoesAwayMeansNoCache) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("before", result_of(10));
  fs::remove_all(folder.path());
  cache.store("after", result_of(10));
  EXPECT_FALSE(cache.find("after"));
}

TEST(CubinCache, TheEnvironmentSaysWhereAndHowLarge) {
  const EnvironmentVariable home("HOME", "/home/someone");
  const EnvironmentVariable none("GTUNE_CACHE", "");
  {
    const EnvironmentVariable xdg("XDG_CACHE_HOME", "");
    EXPECT_EQ(CubinCacheOptions::from_environment().folder, "/home/someone/.cache/gtune/cubin");
  }
  const EnvironmentVariable xdg("XDG_CACHE_HOME", "/cache");
  EXPECT_EQ(CubinCacheOptions::from_environment().folder, "/cache/gtune/cubin");
  const EnvironmentVariable named("GTUNE_CACHE", "/mine");
  const EnvironmentVariable mib("GTUNE_CACHE_MIB", "5");
  EXPECT_EQ(CubinCacheOptions::from_environment().folder, "/mine");
  EXPECT_EQ(CubinCacheOptions::from_environment().most_bytes, 5U << 20);
  const EnvironmentVariable off("GTUNE_CACHE", "off");
  EXPECT_TRUE(CubinCacheOptions::from_environment().folder.empty());
  for (const char* nonsense : {"lots", "-1", "5GB", "99999999999999999999"}) {
    const EnvironmentVariable wrong("GTUNE_CACHE_MIB", nonsense);
    EXPECT_THROW((void)CubinCacheOptions::from_environment(), UserError) << nonsense;
  }
}

}  // namespace
}  // namespace gtune
