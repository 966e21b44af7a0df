#include "worker/gpu_lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/error.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// A GPU that no other process uses.
class GpuLockTest : public testing::Test {
 protected:
  ~GpuLockTest() override {
    std::error_code ignored;
    fs::remove(m_path, ignored);
  }

  [[nodiscard]] std::unique_ptr<GpuLock> take() { return GpuLock::try_take(m_uuid, m_holder); }

  void expect_refused(const std::string& why) {
    try {
      static_cast<void>(take());
      FAIL() << "it was taken";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::failed);
      EXPECT_NE(std::string(error.what()).find(m_path.string()), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  }

  [[nodiscard]] std::string contents(const fs::path& file) const {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  /// This process, as the holder of a lock. Sandboxes without /proc/locks know no holder.
  [[nodiscard]] std::string this_process() const {
    if (contents("/proc/locks").empty()) return "another process";
    return "process " + std::to_string(getpid());
  }

  std::string m_uuid = "GPU-test-" + std::to_string(getpid());
  fs::path m_path = "/tmp/gtune-" + m_uuid + ".lock";
  std::string m_holder;
  test::TemporaryFolder m_folder;
};

TEST_F(GpuLockTest, IsHeldAsLongAsItLives) {
  auto lock = take();
  ASSERT_TRUE(lock);
  EXPECT_FALSE(take());
  lock.reset();
  EXPECT_TRUE(take());
}

TEST_F(GpuLockTest, TheHolderIsWhoTheKernelSays) {
  std::ofstream(m_path) << "mallory \x1b[2J";
  const auto lock = take();
  ASSERT_TRUE(lock);
  EXPECT_FALSE(take());
  EXPECT_EQ(m_holder, this_process());
}

TEST_F(GpuLockTest, WhoMustNotWaitIsToldTheHolder) {
  const auto lock = take();
  try {
    static_cast<void>(GpuLock::take(m_uuid, IfHeld::refuse, {}, [] { return false; }));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("the GPU is in use by ", 0), 0U) << error.what();
  }
}

TEST_F(GpuLockTest, ItsHolderIsNamedWithoutTakingIt) {
  EXPECT_EQ(GpuLock::holder(m_uuid), std::nullopt);
  EXPECT_FALSE(fs::exists(m_path)) << "asking creates no file";
  auto lock = take();
  const auto holder = GpuLock::holder(m_uuid);
  EXPECT_EQ(holder, this_process());
  lock.reset();
  EXPECT_EQ(GpuLock::holder(m_uuid), std::nullopt);
  EXPECT_TRUE(take()) << "asking leaves it free";
}

TEST_F(GpuLockTest, AskingForItsHolderFollowsNoLink) {
  fs::create_symlink(m_folder.write("victim", "precious"), m_path);
  EXPECT_THROW(static_cast<void>(GpuLock::holder(m_uuid)), UserError);
}

TEST_F(GpuLockTest, ItsFileIsNeverChanged) {
  std::ofstream(m_path) << "a file of somebody else";
  EXPECT_TRUE(take());
  EXPECT_EQ(contents(m_path), "a file of somebody else");
}

TEST_F(GpuLockTest, ItsFileCanBeLockedByAllUsersAndWrittenByNone) {
  const mode_t before = umask(077);
  EXPECT_TRUE(take());
  umask(before);
  struct stat facts {};
  ASSERT_EQ(stat(m_path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0444U);
  EXPECT_EQ(facts.st_size, 0);
}

TEST_F(GpuLockTest, ALinkInItsPlaceIsNotFollowed) {
  const fs::path victim = m_folder.write("victim", "precious");
  fs::create_symlink(victim, m_path);
  expect_refused("it is a link");
  EXPECT_EQ(contents(victim), "precious");
  fs::remove(m_path);
  fs::create_symlink(m_folder.path() / "not there", m_path);
  expect_refused("it is a link");
  EXPECT_FALSE(fs::exists(m_folder.path() / "not there"));
}

TEST_F(GpuLockTest, WhatIsNoRegularFileIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(m_path.c_str(), 0666), 0);
  expect_refused("not a regular file");
  fs::remove(m_path);
  fs::create_directory(m_path);
  expect_refused("not a regular file");
}

TEST_F(GpuLockTest, AUuidIsNoPath) {
  const auto lock = GpuLock::try_take("../" + m_uuid + "/x", m_holder);
  const fs::path file = "/tmp/gtune-___" + m_uuid + "_x.lock";
  EXPECT_TRUE(lock);
  EXPECT_TRUE(fs::remove(file));
}

}  // namespace
}  // namespace gtune
