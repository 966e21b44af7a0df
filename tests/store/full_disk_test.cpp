#include <sys/resource.h>

#include <csignal>

#include "store/fixture.hpp"

namespace gtune::test {
namespace {

using FullDisk = StoreTest;

Measurement large(std::int64_t bm) {
  Measurement measurement = timed(bm, 1);
  measurement.timing = summarise(std::vector<double>(2000, 1.5));
  return measurement;
}

/// Inserts until one insert fails. Returns "N: TEXT": the number of inserts before it, and its
/// error.
std::string fill(Database& db, RunId run, const MeasurementKey& key) {
  for (int i = 0; i < 1000; ++i) {
    const std::string error = error_of([&] { db.insert_measurement(run, key, large(i)); });
    if (error != "no error") return std::to_string(i) + ": " + error;
  }
  return "never full";
}

TEST_F(FullDisk, AnInsertThatFindsNoRoomLosesNothing) {
  const RunId run = begin_run();
  auto& connection = db.connection();
  const int pages = connection.execAndGet("PRAGMA page_count").getInt();
  connection.execAndGet("PRAGMA max_page_count = " + std::to_string(pages + 40));

  const std::string text = fill(db, run, key);
  EXPECT_NE(text.find("1: database " + file.string() + " cannot grow, the disk is full"),
            std::string::npos)
      << text;
  const int stored = std::stoi(text);
  EXPECT_GT(stored, 0);
  EXPECT_EQ(sql("SELECT count(*) FROM measurement"), std::to_string(stored));
  EXPECT_EQ(sql("SELECT count(*) FROM config"), std::to_string(stored));
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");

  connection.execAndGet("PRAGMA max_page_count = 1000000");
  EXPECT_NO_THROW(db.insert_measurement(run, key, large(stored)));
  EXPECT_EQ(db.load_measurements(key, Phase::search).size(), static_cast<std::size_t>(stored) + 1);
}

TEST_F(FullDisk, AWriteThatTheSystemRefusesLosesNothing) {
  const std::string text = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Database mine(file, OpenMode::create);
    const RunId run = mine.begin_run({.key = key,
                                      .flops = {},
                                      .bytes = {},
                                      .strategy = "",
                                      .budget = "",
                                      .seed = 0,
                                      .command_line = "",
                                      .space_signature = "",
                                      .whole_space = true});
    rlimit limit{400000, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = fill(mine, run, key);
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    mine.insert_measurement(run, key, large(std::stoi(error)));
    return error;
  });
  EXPECT_NE(text.find("1: database " + file.string() + " cannot "), std::string::npos) << text;
  EXPECT_NE(text.find("what was stored before is safe"), std::string::npos) << text;
  const int stored = std::stoi(text);
  EXPECT_GT(stored, 0);
  EXPECT_EQ(sql("SELECT count(*) FROM measurement"), std::to_string(stored + 1));
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
}

}  // namespace
}  // namespace gtune::test
