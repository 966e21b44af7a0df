#include "store/combined_database.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "model/error.hpp"
#include "store/merge.hpp"
#include "store/sqlite_error.hpp"

namespace gtune {

namespace fs = std::filesystem;

std::optional<fs::path> MeasurementOrigins::also_file(MeasurementId measurement) const {
  if (measurement <= m_last_own) return std::nullopt;
  const auto file =
      std::lower_bound(m_files.begin(), m_files.end(), measurement,
                       [](const auto& each, MeasurementId id) { return each.first < id; });
  if (file == m_files.end()) return std::nullopt;
  return file->second;
}

std::vector<fs::path> MeasurementOrigins::also_files() const {
  std::vector<fs::path> files;
  for (const auto& [last, file] : m_files) files.push_back(file);
  return files;
}

namespace {

/// Differs if a file that is read alone was written or replaced. Always the same while a journal
/// has content: then SQLite's locks keep what is read consistent.
using FileStamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;

FileStamp stamp_of(const fs::path& file) {
  struct stat journal = {};
  if (::stat((file.string() + "-wal").c_str(), &journal) == 0 && journal.st_size > 0) return {};
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

std::vector<FileStamp> stamps_of(const std::vector<fs::path>& files) {
  std::vector<FileStamp> stamps;
  for (const fs::path& file : files) stamps.push_back(stamp_of(file));
  return stamps;
}

/// Someone else's database. A missing or empty one is a mistake here, not a first use.
Database open_also(const fs::path& file) {
  try {
    return {file, OpenMode::untouched};
  } catch (const UserError& error) {
    if (error.code() != ExitCode::nothing_stored) throw;
    std::error_code ignored;
    throw UserError(ExitCode::failed,
                    fs::exists(file, ignored)
                        ? shown(file) + " (--also or $GTUNE_ALSO): the database is empty"
                        : shown(file) + " (--also or $GTUNE_ALSO): there is no such file");
  }
}

MeasurementId last_measurement(Database& database) {
  return MeasurementId{database.connection()
                           .execAndGet("SELECT coalesce(max(id), 0) FROM main.measurement")
                           .getInt64()};
}

CombinedDatabase combine_once(const FilesToCombine& files) {
  const fs::path& name = files.own.empty() ? files.also.front() : files.own;
  CombinedDatabase all{{name, OpenMode::in_memory}, {}};
  std::optional<Database> own;
  if (!files.own.empty()) own = open_if_stored(files.own);
  if (own) merge_from(all.database, *own, {files.kernel, true});
  all.origins.end_own(last_measurement(all.database));
  for (const fs::path& file : files.also) {
    Database source = open_also(file);
    merge_from(all.database, source, {files.kernel, true});
    all.origins.end_file(source.path(), last_measurement(all.database));
  }
  return all;
}

}  // namespace

CombinedDatabase combine(const FilesToCombine& files) {
  constexpr int most_tries = 5;
  for (int tries = 1;; ++tries) {
    const std::vector<FileStamp> before = stamps_of(files.also);
    const auto is_unchanged = [&] { return stamps_of(files.also) == before; };
    try {
      CombinedDatabase all = combine_once(files);
      if (is_unchanged()) return all;
    } catch (const UserError&) {  // perhaps the file was read while it was written
      if (is_unchanged() || tries == most_tries) throw;
    }
    if (tries == most_tries) {
      throw UserError(ExitCode::failed, "the databases of --also keep changing: run again later");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace gtune
