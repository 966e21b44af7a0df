#include <sys/stat.h>

#include <array>
#include <fstream>
#include <iterator>
#include <thread>

#include "store/default_path.hpp"
#include "store/fixture.hpp"
#include "store/schema.hpp"

namespace gtune::test {
namespace {

using std::chrono::milliseconds;
using ::testing::Test;

constexpr std::array k_modes = {OpenMode::create, OpenMode::read_only, OpenMode::immutable};

class Open : public Test {
 protected:
  std::string error(OpenMode mode) {
    return error_of([&] { Database(file, mode, milliseconds(50)); });
  }
  void write(const std::string& text) { std::ofstream(file) << text; }
  std::string content() {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void exec(const std::string& statement) {
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(statement);
  }

  TempFolder folder;
  fs::path file = folder.path() / "gtune.db";
};

void expect_text(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(Open, MakesTheFileItsFoldersAndTheSchemaOnce) {
  file = folder.path() / "a" / "b #?%" / "gtune.db";
  Database(file, OpenMode::create);
  SQLite::Database plain(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(plain.execAndGet("PRAGMA user_version").getInt(), k_schema_version);
  EXPECT_EQ(plain.execAndGet("PRAGMA application_id").getInt(), 0x6774756e);
  EXPECT_EQ(plain.execAndGet("PRAGMA journal_mode").getString(), "wal");
  const int before = plain.execAndGet("PRAGMA schema_version").getInt();
  Database again(file, OpenMode::create);
  EXPECT_EQ(plain.execAndGet("PRAGMA schema_version").getInt(), before);
  EXPECT_EQ(again.connection().execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_EQ(again.connection().execAndGet("PRAGMA synchronous").getInt(), 1);
}

TEST_F(Open, TakesAnEmptyFile) {
  write("");
  EXPECT_EQ(error(OpenMode::read_only).substr(0, 2), "5:");
  EXPECT_EQ(error(OpenMode::create), "no error");
  EXPECT_EQ(error(OpenMode::read_only), "no error");
}

TEST_F(Open, RefusesAFolder) {
  file = folder.path();
  for (const OpenMode mode : k_modes) {
    expect_text(error(mode), "1: database " + file.string() + " is a folder");
  }
}

TEST_F(Open, RefusesWhatIsNoFile) {
  file = "/dev/full";
  expect_text(error(OpenMode::create), "1: database /dev/full is not a regular file");
  file = "";
  expect_text(error(OpenMode::create), "1: the database has no name");
}

TEST_F(Open, RefusesATextFileAndLeavesIt) {
  for (const std::string& text : {std::string("hello\n"), std::string(100000, 'x')}) {
    write(text);
    for (const OpenMode mode : k_modes) {
      expect_text(error(mode), "1: database " + file.string() + " is not a database");
      EXPECT_EQ(content(), text);
    }
  }
}

TEST_F(Open, RefusesAnotherProgramsDatabaseAndLeavesIt) {
  exec("CREATE TABLE theirs (x)");
  const std::string before = content();
  for (const OpenMode mode : k_modes) {
    expect_text(error(mode), "1: database " + file.string() + " belongs to another program");
    EXPECT_EQ(content(), before);
  }
}

TEST_F(Open, RefusesANewerSchema) {
  Database(file, OpenMode::create);
  exec("PRAGMA user_version = 7");
  for (const OpenMode mode : k_modes) {
    EXPECT_EQ(error(mode), "1: database " + file.string() +
                               " was written by a newer gtune (schema 7, this one knows " +
                               std::to_string(k_schema_version) +
                               "): update gtune or use another database");
  }
}

TEST_F(Open, AMigrationThatFailsLeavesNothing) {
  // Our application ID without our tables: a foreign table `run` is in the way.
  exec("PRAGMA application_id = 0x6774756e; CREATE TABLE run (x)");
  EXPECT_EQ(error(OpenMode::create).substr(0, 2), "1:");
  SQLite::Database plain(file.string(), SQLite::OPEN_READONLY);
  EXPECT_EQ(plain.execAndGet("PRAGMA user_version").getInt(), 0);
  EXPECT_EQ(plain.execAndGet("SELECT count(*) FROM sqlite_schema").getInt(), 1);
}

TEST_F(Open, AMissingFileIsNotMadeForReading) {
  expect_text(error(OpenMode::read_only), "5: no database at " + file.string());
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(Open, AFileInTheWayOfAFolder) {
  write("x");
  file = file / "sub" / "gtune.db";
  expect_text(error(OpenMode::create), "1: cannot make the folder");
  file = file.parent_path();
  EXPECT_EQ(error(OpenMode::create).substr(0, 2), "1:");
}

TEST_F(Open, ADamagedFile) {
  {
    Database db(file, OpenMode::create);
    for (int i = 0; i < 200; ++i) db.upsert_problem("sgemm", {{"M", i}});
  }
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(4096);
  out << std::string(fs::file_size(file) - 4096, '\x5a');
  out.close();
  const auto use = [&] {
    Database db(file, OpenMode::create);
    db.upsert_problem("sgemm", {{"M", 7}});
    (void)db.query_best(some_kernel());
  };
  expect_text(error_of(use), "1: database " + file.string() + " is damaged");
}

TEST_F(Open, LockedForTooLong) {
  Database db(file, OpenMode::create, milliseconds(50));
  SQLite::Database holder(file.string(), SQLite::OPEN_READWRITE);
  holder.exec("BEGIN IMMEDIATE");
  expect_text(error_of([&] { db.upsert_toolchain(some_toolchain()); }),
              "1: database " + file.string() + " is locked by another program");
  holder.exec("ROLLBACK");
  EXPECT_EQ(error_of([&] { db.upsert_toolchain(some_toolchain()); }), "no error");
}

TEST_F(Open, WaitsForAReaderBeforeSwitchingToWal) {
  Database(file, OpenMode::create);
  exec("PRAGMA journal_mode = DELETE");
  SQLite::Database reader(file.string(), SQLite::OPEN_READONLY);
  reader.exec("BEGIN; SELECT * FROM run");
  expect_text(error(OpenMode::create), "is locked by another program");
  std::thread end([&] {
    std::this_thread::sleep_for(milliseconds(100));
    reader.exec("COMMIT");
  });
  EXPECT_EQ(error_of([&] { Database(file, OpenMode::create, std::chrono::seconds(5)); }),
            "no error");
  end.join();
}

TEST_F(Open, AReadOnlyFileIsRefusedForWriting) {
  Database(file, OpenMode::create);
  fs::permissions(folder.path(), fs::perms(0777));
  fs::permissions(file, fs::perms(0444));
  const std::string text = as_nobody([&] { return error(OpenMode::create); });
  expect_text(text, "1: database " + file.string() + " is read-only");
  EXPECT_EQ(as_nobody([&] { return error(OpenMode::read_only); }), "no error");
}

TEST_F(Open, AReadOnlyFolderServesQueriesOnly) {
  file = folder.path() / "50%?#x.db";
  Database(file, OpenMode::create).upsert_toolchain(some_toolchain());
  ASSERT_FALSE(fs::exists(file.string() + "-wal"));
  fs::permissions(file, fs::perms(0666));
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_EQ(as_nobody([&] {
              Database db(file, OpenMode::read_only);
              return db.connection().execAndGet("SELECT driver FROM toolchain").getString();
            }),
            "580.1");
  expect_text(as_nobody([&] { return error(OpenMode::create); }),
              "1: database " + file.string() + " cannot be ");
  file = folder.path() / "new.db";
  expect_text(as_nobody([&] { return error(OpenMode::create); }),
              "cannot be opened (Permission denied)");
}

TEST_F(Open, AReadOnlyFolderWithALiveWriter) {
  Database writer(file, OpenMode::create);
  writer.upsert_toolchain(some_toolchain());
  ASSERT_GT(fs::file_size(file.string() + "-wal"), 0u);
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_EQ(as_nobody([&] {
              Database db(file, OpenMode::read_only);
              return db.connection().execAndGet("SELECT driver FROM toolchain").getString();
            }),
            "580.1");
}

TEST_F(Open, AReadOnlyFolderWithAJournalThatCannotBeMerged) {
  const fs::path copy = folder.path() / "copy.db";
  {
    Database writer(file, OpenMode::create);
    writer.upsert_toolchain(some_toolchain());
    fs::copy_file(file, copy);
    fs::copy_file(file.string() + "-wal", copy.string() + "-wal");
  }
  file = copy;
  fs::permissions(folder.path(), fs::perms(0555));
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable}) {
    expect_text(as_nobody([&] { return error(mode); }),
                "has changes in copy.db-wal that cannot be merged");
  }
}

TEST_F(Open, AnImmutableFileIsReadAndNothingIsLeftBesideIt) {
  Database(file, OpenMode::create).upsert_toolchain(some_toolchain());
  const std::string before = content();
  const auto driver = [&] {
    Database db(file, OpenMode::immutable);
    return db.connection().execAndGet("SELECT driver FROM toolchain").getString();
  };
  const auto files = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  ASSERT_EQ(files(), 1);  // the last writer removed its journal
  EXPECT_EQ(driver(), "580.1");
  EXPECT_EQ(files(), 1);
  fs::permissions(file, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_EQ(as_nobody(driver), "580.1");
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(content(), before);
  Database db(file, OpenMode::immutable);
  expect_text(error_of([&] { db.upsert_toolchain({}); }), "cannot be written");
}

TEST_F(Open, AFileThatMayNotBeRead) {
  Database(file, OpenMode::create);
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(file, fs::perms(0600));
  if (::geteuid() != 0) fs::permissions(file, fs::perms(0));
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable}) {
    expect_text(as_nobody([&] { return error(mode); }), "cannot be opened (Permission denied)");
  }
  fs::permissions(folder.path(), fs::perms(::geteuid() == 0 ? 0700 : 0));
  expect_text(as_nobody([&] { return error(OpenMode::read_only); }), "(Permission denied)");
}

TEST(DefaultPath, FollowsTheEnvironment) {
  const auto with = [](const char* db, const char* xdg, const char* home) {
    return in_child([=] {
      const auto set = [](const char* name, const char* value) {
        if (value) ::setenv(name, value, 1);
        if (!value) ::unsetenv(name);
      };
      set("GTUNE_DB", db);
      set("XDG_DATA_HOME", xdg);
      set("HOME", home);
      std::string path;
      const std::string error = error_of([&] { path = default_database_path().string(); });
      return path.empty() ? error : path;
    });
  };
  EXPECT_EQ(with("/x/y.db", "/data", "/home/me"), "/x/y.db");
  EXPECT_EQ(with(nullptr, "/data", "/home/me"), "/data/gtune/gtune.db");
  EXPECT_EQ(with("", "relative", "/home/me"), "/home/me/.local/share/gtune/gtune.db");
  EXPECT_EQ(with(nullptr, nullptr, nullptr).substr(0, 2), "1:");
}

}  // namespace
}  // namespace gtune::test
