#include "jit/cubin_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "jit/support.hpp"
#include "model/error.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::EnvironmentVariable;
using test::TemporaryFolder;

CompileResult result_of(std::size_t bytes, int registers = 40) {
  CompileResult result;
  result.ok = true;
  result.kernels = {{"scale", "_Z5scalePf", {}}};
  result.kernels.front().resources.registers = registers;
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
  EXPECT_EQ(found->kernel().name, "_Z5scalePf");
  EXPECT_EQ(found->kernel().resources.registers, 40);
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
  // Damages the cubin, then its description.
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
    std::this_thread::sleep_for(2ms);  // the times of last use must differ
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
  constexpr std::uint64_t bound = 60'000;  // small, so both also remove entries
  const pid_t other = fork();
  CubinCache cache({folder.path(), bound});
  bool right = true;
  for (int i = 0; i < 400; ++i) {
    const std::string key = "k" + std::to_string(i % 20);
    if (const auto found = cache.find(key)) {
      right = right && found->cubin.size() == 3000 && found->kernel().resources.registers == i % 20;
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

TEST(CubinCache, LeavesFilesAloneThatAreNotItsOwn) {
  const TemporaryFolder folder;
  const std::string digits(32, 'a');
  const std::vector<std::string> others = {"thesis.pdf",        "notes.tmp", "k.cubin",
                                           digits + ".cubin",    // only the name of an entry
                                           digits + ".1.2.tmp",  // only the name of a draft
                                           "below/thesis.pdf"};
  for (const std::string& name : others) {
    const auto file = folder.write(name, std::string(200'000, 'x'));
    fs::last_write_time(file, fs::file_time_type::clock::now() - 48h);
  }
  fs::create_symlink(folder.path() / "thesis.pdf",
                     folder.path() / (std::string(32, 'b') + ".cubin"));
  CubinCache cache({folder.path(), 100'000});
  for (int i = 0; i < 40; ++i) cache.store("k" + std::to_string(i), result_of(5000));
  for (const std::string& name : others) {
    EXPECT_EQ(fs::file_size(folder.path() / name), 200'000U) << name;
  }
  EXPECT_TRUE(fs::is_symlink(folder.path() / (std::string(32, 'b') + ".cubin")));
  EXPECT_TRUE(cache.find("k39"));  // and they do not count towards the bound
}

TEST(CubinCache, RemovesEntriesOfEarlierVersionsAndDraftsThatWereLeft) {
  const TemporaryFolder folder;
  const auto aged = [&](const std::string& name, const std::string& text) {
    const auto file = folder.write(name, text);
    fs::last_write_time(file, fs::file_time_type::clock::now() - 2h);
    return file;
  };
  const auto entry = aged(std::string(32, 'a') + ".cubin", "gtun" + std::string(200'000, '0'));
  const auto empty_draft = aged(std::string(32, 'a') + ".12.3.tmp", "");
  const auto draft = aged(std::string(32, 'a') + ".12.4.tmp", "gtune cubin 2");
  const auto young = folder.write(std::string(32, 'a') + ".12.5.tmp", "gtune cubin 2");
  const CubinCache cache({folder.path(), 100'000});
  EXPECT_FALSE(fs::exists(entry));
  EXPECT_FALSE(fs::exists(empty_draft));
  EXPECT_FALSE(fs::exists(draft));
  EXPECT_TRUE(fs::exists(young));
}

TEST(CubinCache, AnEntryUnderAnotherKeyIsRefused) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("key", result_of(1000));
  const fs::path file = only_file(folder.path());
  cache.store("other", result_of(2000));
  fs::path other;
  for (const auto& item : fs::directory_iterator(folder.path())) {
    if (item.path() != file) other = item.path();
  }
  fs::copy_file(file, other, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.find("other"));
  EXPECT_TRUE(cache.find("key"));
}

/// Replaces the only entry of a cache with something else.
template <typename Replace>
void expect_absent_and_untouched(const Replace& replace) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path() / "cache", 1 << 20});
  cache.store("key", result_of(1000));
  const fs::path file = only_file(folder.path() / "cache");
  const fs::path away = folder.path() / "moved";
  fs::rename(file, away);
  replace(away, file);
  const auto type = fs::symlink_status(file).type();
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", result_of(1000));
  EXPECT_EQ(fs::symlink_status(file).type(), type);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "cache"), {}), 1);
}

TEST(CubinCache, APipeIsNotWaitedFor) {
  expect_absent_and_untouched(
      [](const fs::path&, const fs::path& file) { ASSERT_EQ(mkfifo(file.c_str(), 0600), 0); });
}

TEST(CubinCache, ALinkIsNotFollowed) {
  expect_absent_and_untouched(
      [](const fs::path& entry, const fs::path& file) { fs::create_symlink(entry, file); });
}

TEST(CubinCache, AFolderInAnEntrysPlaceIsLeftAlone) {
  expect_absent_and_untouched(
      [](const fs::path&, const fs::path& file) { fs::create_directory(file); });
}

TEST(CubinCache, AnEntryThatOthersCanWriteToIsAbsentAndReplaced) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  cache.store("key", result_of(1000));
  fs::permissions(only_file(folder.path()), fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", result_of(1000));
  EXPECT_TRUE(cache.find("key"));
}

TEST(CubinCache, AFolderThatOthersCanWriteToIsRefused) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "cache";
  CubinCache({path, 1 << 20}).store("key", result_of(10));
  for (const auto who : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(path, fs::perms::owner_all | who);
    CubinCache cache({path, 1 << 20});
    EXPECT_FALSE(cache.enabled());
    EXPECT_NE(cache.refusal().find("chmod go-w it"), std::string::npos) << cache.refusal();
    EXPECT_NE(cache.refusal().find(path.string()), std::string::npos) << cache.refusal();
    EXPECT_FALSE(cache.find("key"));
    cache.store("another", result_of(10));
    EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), 1);
  }
  fs::permissions(path, fs::perms::owner_all);
  CubinCache cache({path, 1 << 20});
  EXPECT_EQ(cache.refusal(), "");
  EXPECT_TRUE(cache.find("key"));
}

TEST(CubinCache, AFolderOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const TemporaryFolder folder;
  ASSERT_EQ(chown(folder.path().c_str(), 12345, 12345), 0);
  const CubinCache cache({folder.path(), 1 << 20});
  EXPECT_FALSE(cache.enabled());
  EXPECT_NE(cache.refusal().find("belongs to another user"), std::string::npos) << cache.refusal();
}

TEST(CubinCache, FoldersAndFilesThatItMakesAreForItsUserAlone) {
  const TemporaryFolder folder;
  const mode_t before = umask(002);
  CubinCache cache({folder.path() / "a" / "b", 1 << 20});
  cache.store("key", result_of(10));
  umask(before);
  ASSERT_TRUE(cache.enabled()) << cache.refusal();
  EXPECT_EQ(fs::status(folder.path() / "a").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(folder.path() / "a" / "b").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(only_file(folder.path() / "a" / "b")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(CubinCache, ADraftOfTheSameNameCostsThatEntryAlone) {
  const TemporaryFolder folder;
  CubinCache cache({folder.path(), 1 << 20});
  for (int number = 0; number < 5000; ++number) {
    folder.write(
        hex_digest("key") + "." + std::to_string(getpid()) + "." + std::to_string(number) + ".tmp",
        "");
  }
  cache.store("key", result_of(10));
  EXPECT_FALSE(cache.find("key"));
  EXPECT_TRUE(cache.enabled());
  cache.store("other", result_of(10));
  EXPECT_TRUE(cache.find("other"));
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
