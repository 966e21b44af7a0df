#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/error.hpp"
#include "model/statistics.hpp"
#include "store/database.hpp"

namespace gtune::test {

namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "gtune_store_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    m_path = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    fs::permissions(m_path, fs::perms::owner_all, ignored);
    fs::remove_all(m_path, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return m_path; }

 private:
  fs::path m_path;
};

inline DeviceFacts some_device() {
  DeviceFacts facts;
  facts.name = "NVIDIA Test";
  facts.uuid = "GPU-1";
  facts.cc_major = 9;
  facts.sm_count = 132;
  return facts;
}

inline Toolchain some_toolchain() { return {"580.1", "13.0", "13.0", "", "0.1.0"}; }

inline KernelIdentity some_kernel() { return {"sgemm", "aa", "bb", {"M", "N"}, {"BM", "BK"}}; }

inline Measurement timed(std::int64_t bm, double median_ms) {
  Measurement measurement;
  measurement.config = {{"BM", bm}, {"BK", 8}};
  measurement.timing = summarise({median_ms, median_ms});
  return measurement;
}

/// A database file with one device, toolchain, kernel and problem.
class StoreTest : public ::testing::Test {
 protected:
  RunId begin_run(const std::string& space = "all", bool whole = true) {
    RunInfo info;
    info.key = key;
    info.flops = 2e9;
    info.bytes = 4e6;
    info.space_signature = space;
    info.whole_space = whole;
    return db.begin_run(info);
  }

  /// Stores a run that ended with a winner of `median_ms`.
  MeasurementId ended_run(std::int64_t bm, double median_ms, bool whole = true) {
    const RunId run = begin_run("all", whole);
    RunResult result;
    result.winner = db.insert_measurement(run, key, timed(bm, median_ms));
    db.finish_run(run, result);
    return *result.winner;
  }

  /// The first column of a query's first row, as text.
  std::string sql(const std::string& query) {
    SQLite::Database other(file.string(), SQLite::OPEN_READONLY);
    SQLite::Statement statement(other, query);
    return statement.executeStep() ? statement.getColumn(0).getString() : "no row";
  }

  TempFolder folder;
  fs::path file = folder.path() / "gtune.db";
  Database db{file, OpenMode::create, std::chrono::seconds(10)};
  KernelIdentity kernel = some_kernel();
  MeasurementKey key{db.upsert_device(some_device()),
                     db.upsert_toolchain(some_toolchain()),
                     db.upsert_kernel(kernel),
                     db.upsert_problem("sgemm", {{"M", 64}, {"N", 32}}),
                     {}};
};

/// The text of the UserError that `work` throws, after its exit code: "1: database ...".
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const UserError& error) {
    return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
  } catch (const std::exception& error) {
    return std::string("not a UserError: ") + error.what();
  }
  return "no error";
}

/// Runs `work` in a child process and returns its result.
inline std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    std::string answer;
    try {
      answer = work();
    } catch (const std::exception& error) {
      answer = std::string("child: ") + error.what();
    }
    const bool written =
        ::write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? answer : answer + " (child failed)";
}

/// The same as in_child, without root's right to bypass file modes.
inline std::string as_nobody(const std::function<std::string()>& work) {
  return in_child([&]() -> std::string {
    constexpr uid_t k_nobody = 65534;
    if (::geteuid() == 0 && (::setgid(k_nobody) != 0 || ::setuid(k_nobody) != 0)) {
      return "cannot give up root";
    }
    return work();
  });
}

}  // namespace gtune::test
