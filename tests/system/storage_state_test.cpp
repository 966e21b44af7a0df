#include "system/storage_state.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

TEST(StorageState, OfAPathThatIsNotThereYetIsThatOfTheFolderAbove) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "not" / "there" / "gtune.db";
  const StorageState state = storage_state(path);
  EXPECT_EQ(state.path, path.string());
  ASSERT_TRUE(state.free_bytes);
  EXPECT_GT(*state.free_bytes, 0U);
  EXPECT_TRUE(state.writable);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "not")) << "nothing is created";
}

TEST(StorageState, OfARelativePathIsThatOfTheWorkingFolder) {
  EXPECT_EQ(storage_state("not/there.db").free_bytes.has_value(), true);
}

TEST(StorageState, KnowsWhetherAFileCanBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const test::TemporaryFolder folder;
  const auto file = folder.write("gtune.db", "");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  EXPECT_FALSE(storage_state(file).writable);
}

}  // namespace
}  // namespace gtune
