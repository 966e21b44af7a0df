#include "system/storage_state.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

TEST(StorageState, OfAPathThatIsNotThereYetIsThatOfTheFolderAbove) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "not" / "there" / "gtune.db";
  const StorageState state = file_state(path);
  EXPECT_EQ(state.path, path.string());
  ASSERT_TRUE(state.free_bytes);
  EXPECT_GT(*state.free_bytes, 0U);
  EXPECT_TRUE(state.writable);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "not")) << "nothing is created";
}

TEST(StorageState, OfARelativePathIsThatOfTheWorkingFolder) {
  EXPECT_TRUE(file_state("not/there.db").free_bytes);
  EXPECT_TRUE(folder_state("not/there").free_bytes);
}

TEST(StorageState, KnowsWhetherAFileCanBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const test::TemporaryFolder folder;
  const auto file = folder.write("gtune.db", "");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  EXPECT_FALSE(file_state(file).writable);
}

TEST(StorageState, AFileIsWritableOnlyIfItsFolderIs) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("gtune.db", "");
  EXPECT_TRUE(file_state(file).writable);
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  using std::filesystem::perms;
  for (const perms insufficient :
       {perms::owner_read | perms::owner_exec, perms::owner_read | perms::owner_write}) {
    std::filesystem::permissions(folder.path(), insufficient);
    EXPECT_FALSE(file_state(file).writable);
    EXPECT_FALSE(folder_state(folder.path()).writable);
  }
  std::filesystem::permissions(folder.path(), perms::owner_all);
}

TEST(StorageState, AFileIsNoFolderAndAFolderIsNoFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "");
  EXPECT_FALSE(file_state(file / "gtune.db").writable);
  EXPECT_FALSE(folder_state(file).writable);
  EXPECT_FALSE(folder_state(file / "cubin").writable);
  EXPECT_TRUE(folder_state(folder.path()).writable);
  EXPECT_FALSE(file_state(folder.path()).writable);
}

}  // namespace
}  // namespace gtune
