#include "system/draft.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "model/error.hpp"
#include "support/temporary_folder.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::ptrdiff_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

class DraftTest : public testing::Test {
 protected:
  /// Starts a process that stops in the middle of writing a draft, and kills it if `killed`.
  /// Returns its number.
  pid_t write_in_child(bool killed) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      const Draft draft(m_place);
      std::ofstream(draft.path()) << "half";
      std::ofstream(draft.path().string() + "-wal") << "journal";
      if (write(ready[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    if (killed) end(child);
    return child;
  }

  static void end(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }

  test::TemporaryFolder m_folder;
  fs::path m_place = m_folder.path() / "out.hpp";
};

TEST_F(DraftTest, LiesInAFolderThatNobodyElseCanEnter) {
  const Draft draft(m_place);
  struct stat folder {};
  ASSERT_EQ(stat(draft.path().parent_path().c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777U, 0700U);
  EXPECT_FALSE(fs::exists(draft.path()));
  const Draft other(m_place);
  EXPECT_NE(draft.path(), other.path());
}

TEST_F(DraftTest, GoesWithoutATraceUnlessItTakesItsPlace) {
  {
    const Draft draft(m_place);
    std::ofstream(draft.path()) << "text";
    std::ofstream(draft.path().string() + "-wal") << "journal";
  }
  EXPECT_EQ(entries_in(m_folder.path()), 0);
  {
    const Draft draft(m_place);
    std::ofstream(draft.path()) << "text";
    draft.move_to_place();
  }
  EXPECT_EQ(text_of(m_place), "text");
  EXPECT_EQ(entries_in(m_folder.path()), 1);
}

TEST_F(DraftTest, NoPlantedLinkIsWrittenThrough) {
  const fs::path victim = m_folder.write("victim", "precious");
  for (const char* suffix : {"new", "import", "gathered", "tmp"}) {
    const std::string name = m_place.string() + "." + std::to_string(getpid()) + ".";
    fs::create_symlink(victim, name + suffix);
  }
  write_whole_file(m_place, "text");
  require_writable(m_place);
  EXPECT_EQ(text_of(m_place), "text");
  EXPECT_EQ(text_of(victim), "precious");
}

TEST_F(DraftTest, WhatAKilledProcessLeftTheNextOneRemoves) {
  write_in_child(true);
  ASSERT_EQ(entries_in(m_folder.path()), 1);
  write_whole_file(m_folder.path() / "another.hpp", "text");
  EXPECT_EQ(entries_in(m_folder.path()), 1);
  EXPECT_EQ(text_of(m_folder.path() / "another.hpp"), "text");
}

TEST_F(DraftTest, AKilledProcessMayHaveHadTheNumberOfThisOne) {  // both are 1 in containers
  const pid_t child = write_in_child(true);
  const fs::path leftover = fs::directory_iterator(m_folder.path())->path();
  std::string name = leftover.filename().string();
  const std::string number = "-" + std::to_string(child) + "-";
  name.replace(name.rfind(number), number.size(), "-" + std::to_string(getpid()) + "-");
  fs::rename(leftover, m_folder.path() / name);
  const Draft first(m_place);
  EXPECT_EQ(entries_in(m_folder.path()), 1);
  const Draft second(m_place);
  EXPECT_EQ(entries_in(m_folder.path()), 2);
}

TEST_F(DraftTest, TheDraftOfALivingProcessStays) {
  const pid_t child = write_in_child(false);
  write_whole_file(m_place, "text");
  EXPECT_EQ(entries_in(m_folder.path()), 2);
  end(child);
  write_whole_file(m_place, "text");
  EXPECT_EQ(entries_in(m_folder.path()), 1);
}

TEST_F(DraftTest, NothingElseIsTakenForALeftover) {
  write_in_child(true);
  const fs::path leftover = fs::directory_iterator(m_folder.path())->path();
  fs::create_directory(m_folder.path() / ".gtune-draft-mine");
  m_folder.write(leftover.filename().string() + "0/draft", "of another name's form");
  m_folder.write(leftover.filename().string() + "/thesis.pdf", "of the user");
  fs::create_symlink(m_folder.path(),
                     m_folder.path() / (".gtune-draft-00000000-1-" + std::string(16, '0')));
  { const Draft draft(m_place); }
  EXPECT_EQ(entries_in(m_folder.path()), 4);
  EXPECT_EQ(text_of(leftover / "thesis.pdf"), "of the user");
  EXPECT_FALSE(fs::exists(leftover / "draft"));
}

}  // namespace
}  // namespace gtune
