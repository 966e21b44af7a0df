#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <thread>

#include "exchange/json_lines.hpp"
#include "store/fixture.hpp"

namespace gtune::test {
namespace {

/// Opens the file and writes `rows` measurements, like a gtune process. Calls `stored` after each.
void write_rows(
    const fs::path& file, int rows, std::int64_t seed,
    const std::function<void()>& stored = [] {}) {
  Database db(file, OpenMode::create);
  const KernelIdentity kernel = some_kernel();
  MeasurementKey key{db.upsert_device(some_device()),
                     db.upsert_toolchain(some_toolchain()),
                     db.upsert_kernel(kernel),
                     db.upsert_problem("sgemm", {{"M", 64}, {"N", 32}}),
                     {}};
  db.refresh_views(kernel);
  RunInfo info;
  info.key = key;
  const RunId run = db.begin_run(info);
  for (int i = 0; i < rows; ++i) {
    Measurement measurement = timed(seed + i, 1 + i);
    measurement.timing = summarise(std::vector<double>(700, 0.5));  // more than a page
    db.insert_measurement(run, key, measurement);
    stored();
  }
}

pid_t start(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const std::string error = error_of(work);
  if (error != "no error") std::fprintf(stderr, "%s\n", error.c_str());
  ::_exit(error == "no error" ? 0 : 1);
}

int exit_status(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

std::string value(const fs::path& file, const std::string& query) {
  return SQLite::Database(file.string(), SQLite::OPEN_READONLY).execAndGet(query).getString();
}

TEST(Processes, WriteToOneFileWithoutLoss) {
  TempFolder folder;
  const fs::path file = folder.path() / "gtune.db";
  // They also create the file at the same time.
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(start([&] { write_rows(file, 500, i * 1000); }));
  }
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  EXPECT_EQ(value(file, "SELECT count(*) FROM measurement"), "1000");
  EXPECT_EQ(value(file, "SELECT count(DISTINCT config_id) FROM measurement"), "1000");
  EXPECT_EQ(value(file, "SELECT count(*) FROM device"), "1");
  EXPECT_EQ(value(file, "SELECT count(*) FROM run"), "2");
}

/// Writes measurements until `end`, then sends their number to the parent through the pipe `to`.
void hammer(const fs::path& file, std::int64_t seed, std::chrono::steady_clock::time_point end,
            int to) {
  std::int64_t written = 0;
  while (std::chrono::steady_clock::now() < end) {
    write_rows(file, 50, seed + written);  // opens the file anew each time, as runs do
    written += 50;
  }
  if (::write(to, &written, sizeof written) != sizeof written) throw std::runtime_error("pipe");
}

/// Reads as a query does, again and again: it must never fail or see fewer rows than before.
void keep_reading(const fs::path& file, std::chrono::steady_clock::time_point end) {
  std::int64_t seen = 0;
  while (std::chrono::steady_clock::now() < end) {
    if (!fs::exists(file)) continue;
    try {
      Database db(file, OpenMode::read_only);
      const std::int64_t now =
          db.connection().execAndGet("SELECT count(*) FROM measurement").getInt64();
      if (now < seen) throw std::runtime_error("rows were lost");
      if (seen > 0 && db.query_best(some_kernel()).size() != 1) {
        throw std::runtime_error("no best");
      }
      seen = now;
    } catch (const UserError& error) {
      if (error.code() != ExitCode::nothing_stored || seen > 0) throw;  // it is being made
    }
  }
  if (seen == 0) throw std::runtime_error("nothing was ever read");
}

// Runs for $GTUNE_HAMMER_S seconds, two by default.
TEST(Processes, TwoWritersAndAReaderLoseNothing) {
  const char* asked = std::getenv("GTUNE_HAMMER_S");
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(asked ? std::atoi(asked) : 2);
  TempFolder folder;
  const fs::path file = folder.path() / "gtune.db";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t children[] = {start([&] { hammer(file, 0, end, ends[1]); }),
                            start([&] { hammer(file, 1000000000, end, ends[1]); }),
                            start([&] { keep_reading(file, end); })};
  ::close(ends[1]);
  for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  std::int64_t written = 0;
  for (std::int64_t each = 0; ::read(ends[0], &each, sizeof each) == sizeof each;) written += each;
  ::close(ends[0]);
  EXPECT_GT(written, 100);
  EXPECT_EQ(value(file, "SELECT count(*) FROM measurement"), std::to_string(written));
  EXPECT_EQ(value(file, "SELECT count(DISTINCT config_id) FROM measurement"),
            std::to_string(written));
  EXPECT_EQ(value(file, "SELECT count(*) FROM run"), std::to_string(written / 50));
  EXPECT_EQ(value(file, "PRAGMA integrity_check"), "ok");
  std::printf("%lld measurements\n", static_cast<long long>(written));
}

/// A run of 30,000 measurements as JSON Lines.
std::string many_lines(const fs::path& file) {
  write_rows(file, 1, 1000000);
  Database db(file, OpenMode::create);
  db.connection().exec(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
      "INSERT INTO measurement (run_id, device_id, toolchain_id, kernel_id, problem_id, "
      "config_id, timing, phase, label, status, reason, median_ms, min_ms, p95_ms, mean_ms, "
      "ci_low_ms, ci_high_ms, samples_ms) "
      "SELECT 1, 1, 1, 1, 1, 1, 'cold', 'search', '', 'ok', '', i, i, i, i, i, i, zeroblob(0) FROM "
      "n");
  std::string lines;
  write_json_lines(db, [&](std::string_view line) { lines.append(line) += '\n'; });
  return lines;
}

TEST(Processes, AWriterWaitsWhileALargeImportHasTheFile) {
  TempFolder folder;
  const std::string lines = many_lines(folder.path() / "rows.db");
  const fs::path file = folder.path() / "gtune.db";
  write_rows(file, 1, 0);
  const pid_t import = start([&] {
    std::istringstream text(lines);
    read_json_lines(text, "rows", file);
  });
  int written = 1;
  int status = 0;
  for (; ::waitpid(import, &status, WNOHANG) == 0; written += 5) write_rows(file, 5, written);
  EXPECT_EQ(status, 0);
  EXPECT_GT(written, 1);
  EXPECT_EQ(value(file, "SELECT count(*) FROM measurement"), std::to_string(30001 + written));
  // A larger import holds the lock for longer than a test may take.
  Database db(file, OpenMode::create);
  EXPECT_GE(db.connection().execAndGet("PRAGMA busy_timeout").getInt(), 300000);
}

TEST(Processes, MayAllMakeTheFile) {
  for (int round = 0; round < 5; ++round) {
    TempFolder folder;
    const fs::path file = folder.path() / "gtune.db";
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) children.push_back(start([&] { write_rows(file, 1, i); }));
    for (const pid_t child : children) EXPECT_EQ(exit_status(child), 0);
    EXPECT_EQ(value(file, "SELECT count(*) FROM measurement"), "6");
  }
}

TEST(Processes, KilledAtAnyMomentLeaveWholeRows) {
  TempFolder folder;
  const fs::path file = folder.path() / "gtune.db";
  std::mt19937 random(1);
  std::int64_t acknowledged = 0;
  for (int round = 0; round < 20; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = start([&] {
      write_rows(file, 100000, round * 100000, [&] { (void)!::write(ends[1], "x", 1); });
    });
    ::close(ends[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    ::kill(child, SIGKILL);
    EXPECT_EQ(exit_status(child), SIGKILL);
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) acknowledged += n;
    ::close(ends[0]);

    if (!fs::exists(file) || fs::file_size(file) == 0) continue;  // killed before it began
    Database db(file, OpenMode::create);
    auto& connection = db.connection();
    EXPECT_EQ(connection.execAndGet("PRAGMA integrity_check").getString(), "ok");
    EXPECT_FALSE(SQLite::Statement(connection, "PRAGMA foreign_key_check").executeStep());
    const std::int64_t rows = connection.execAndGet("SELECT count(*) FROM measurement").getInt64();
    EXPECT_GE(rows, acknowledged);
    // Written, but killed before it could acknowledge: at most one each round.
    EXPECT_LE(rows, acknowledged + round + 1);
    EXPECT_EQ(connection
                  .execAndGet("SELECT count(*) FROM measurement "
                              "WHERE length(samples_ms) <> 5600 OR median_ms IS NULL")
                  .getInt(),
              0);
  }
  EXPECT_GT(acknowledged, 0);
}

}  // namespace
}  // namespace gtune::test
