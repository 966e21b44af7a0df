#include "store/combined_database.hpp"

#include <signal.h>

#include <fstream>
#include <iterator>
#include <map>

#include "store/fixture.hpp"

namespace gtune::test {
namespace {

/// The names and bytes of all files in a folder.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    contents[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return contents;
}

/// A process that runs `work` before the constructor returns, and then stays until the destructor.
class OtherProcess {
 public:
  explicit OtherProcess(const std::function<void()>& work) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    m_child = ::fork();
    if (m_child == 0) {
      work();
      (void)!::write(ends[1], "x", 1);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char done = 0;
    EXPECT_EQ(::read(ends[0], &done, 1), 1);
    ::close(ends[0]);
  }
  ~OtherProcess() {
    ::kill(m_child, SIGKILL);
    ::waitpid(m_child, nullptr, 0);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

 private:
  pid_t m_child = -1;
};

/// `db` is the user's own database; a team has another one, in a folder of its own.
class Combined : public StoreTest {
 protected:
  Combined() { fs::create_directory(team_file.parent_path()); }

  /// Stores a run with a winner of `median_ms` in the team's database.
  void team_run(std::int64_t bm, double median_ms, const std::string& name = "sgemm") {
    Database team(team_file, OpenMode::create);
    store_run(team, bm, median_ms, name);
  }
  static void store_run(Database& into, std::int64_t bm, double median_ms,
                        const std::string& name = "sgemm") {
    KernelIdentity other = some_kernel();
    other.name = name;
    RunInfo info;
    info.key = {into.upsert_device(some_device()),
                into.upsert_toolchain(some_toolchain()),
                into.upsert_kernel(other),
                into.upsert_problem(name, {{"M", 64}, {"N", 32}}),
                {}};
    info.space_signature = "all";
    const RunId run = into.begin_run(info);
    RunResult result;
    result.winner = into.insert_measurement(run, info.key, timed(bm, median_ms));
    into.finish_run(run, result);
  }

  CombinedDatabase combined(const std::string& name = "") {
    return combine({file, {team_file}, name});
  }
  std::string error() {
    return error_of([&] { (void)combined(); });
  }

  fs::path team_file = folder.path() / "team" / "team.db";
};

TEST_F(Combined, AnswersWithTheFastestWinnerAndItsFile) {
  ended_run(64, 2);
  team_run(128, 1);
  const CombinedDatabase all = combined();
  const auto winners = all.database.winners(kernel);
  ASSERT_EQ(winners.size(), 1U);
  EXPECT_EQ(winners[0].median_ms, 1);
  EXPECT_EQ(all.origins.also_file(winners[0].measurement_id), team_file);
  EXPECT_EQ(all.database.path(), file);
}

TEST_F(Combined, AFasterOwnWinnerStays) {
  ended_run(64, 0.5);
  team_run(128, 1);
  const CombinedDatabase all = combined();
  const auto winners = all.database.winners(kernel);
  ASSERT_EQ(winners.size(), 1U);
  EXPECT_EQ(winners[0].median_ms, 0.5);
  EXPECT_EQ(all.origins.also_file(winners[0].measurement_id), std::nullopt);
}

TEST_F(Combined, WhatBothHaveIsOwn) {
  ended_run(64, 1);
  db.fold_journal();
  fs::copy_file(file, team_file);
  team_run(128, 2);
  const CombinedDatabase all = combined();
  std::size_t own = 0;
  std::size_t of_team = 0;
  for (const ConfigSpeed& speed : all.database.load_speeds(kernel)) {
    ++(all.origins.also_file(speed.measurement_id) ? of_team : own);
  }
  EXPECT_EQ(own, 1U);
  EXPECT_EQ(of_team, 1U);
}

TEST_F(Combined, TheFirstOfSeveralFilesIsNamed) {
  team_run(128, 1);
  const fs::path copy = folder.path() / "copy.db";
  fs::copy_file(team_file, copy);
  const CombinedDatabase all = combine({file, {copy, team_file}, ""});
  EXPECT_EQ(all.origins.also_file(all.database.winners(kernel).at(0).measurement_id), copy);
}

TEST_F(Combined, ReadsOnlyTheAskedKernel) {
  team_run(128, 1, "copy");
  team_run(128, 1);
  CombinedDatabase all = combined("sgemm");
  EXPECT_EQ(all.database.connection().execAndGet("SELECT count(*) FROM kernel").getInt(), 1);
  EXPECT_EQ(all.database.connection().execAndGet("SELECT count(*) FROM measurement").getInt(), 1);
  EXPECT_EQ(all.database.winners(kernel).size(), 1U);
}

TEST_F(Combined, OwnDatabaseMayBeMissing) {
  team_run(128, 1);
  const CombinedDatabase all = combine({folder.path() / "none.db", {team_file}, ""});
  EXPECT_EQ(all.database.winners(kernel).size(), 1U);
  EXPECT_FALSE(fs::exists(folder.path() / "none.db"));
}

TEST_F(Combined, CreatesAndChangesNoFileOfTheTeam) {
  team_run(128, 1);
  const auto before = files_in(team_file.parent_path());
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(combined().database.winners(kernel).size(), 1U);
  EXPECT_TRUE(files_in(team_file.parent_path()) == before);
}

TEST_F(Combined, WorksInAReadOnlyFolder) {
  team_run(128, 1);
  constexpr fs::perms all_read =
      fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  constexpr fs::perms all_enter =
      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(folder.path(), all_enter, fs::perm_options::add);
  fs::permissions(team_file, all_read);
  fs::permissions(team_file.parent_path(), all_read | all_enter);
  const std::string answer =
      as_nobody([&] { return std::to_string(combined().database.winners(kernel).size()); });
  fs::permissions(team_file.parent_path(), fs::perms::owner_all);
  EXPECT_EQ(answer, "1");
}

TEST_F(Combined, ReadsWhatAWriterHasCommittedAndChangesNoFile) {
  team_run(128, 1);
  // The writer is another process, as it would be a program of the team's, and keeps it open.
  OtherProcess writer([&] { store_run(*new Database(team_file, OpenMode::create), 256, 0.5); });
  const auto before = files_in(team_file.parent_path());
  EXPECT_EQ(before.size(), 3U) << "a journal and shared memory";
  EXPECT_EQ(combined().database.winners(kernel).at(0).median_ms, 0.5);
  EXPECT_TRUE(files_in(team_file.parent_path()) == before);
}

TEST_F(Combined, RefusesAJournalWithoutItsSharedMemory) {
  team_run(128, 1);
  std::ofstream(team_file.string() + "-wal") << "changes";
  EXPECT_EQ(error(), "1: database " + team_file.string() +
                         " has an unfinished transaction: ask its owner to tune any kernel "
                         "with it once");
}

TEST_F(Combined, RefusesWhatCannotBeRead) {
  EXPECT_EQ(error(),
            "1: " + team_file.string() + " (--also or $GTUNE_ALSO): there is no such file");
  std::ofstream(team_file) << "";
  EXPECT_EQ(error(),
            "1: " + team_file.string() + " (--also or $GTUNE_ALSO): the database is empty");
  std::ofstream(team_file) << "no database, but long enough to have a header of a database: "
                           << std::string(100, '.');
  EXPECT_EQ(error(),
            "1: database " + team_file.string() + " is not a database: give another database");
}

}  // namespace
}  // namespace gtune::test
