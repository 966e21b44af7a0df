#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "fixture.hpp"
#include "worker/recording.hpp"

namespace gtune::test {

/// Toy runs on several replays.
class Workers : public CliTest {
 protected:
  /// The toy recording as another device of the same model would have made it.
  [[nodiscard]] std::filesystem::path twin(const std::string& uuid,
                                           const std::string& name = "Made-up GPU") const {
    Recording copy = read_recording(recording);
    copy.device.uuid = uuid;
    copy.device.name = name;
    const std::filesystem::path file = folder / (uuid + ".jsonl");
    write_recording(copy, file);
    return file;
  }

  [[nodiscard]] std::vector<std::string> toy_on(const std::string& devices,
                                                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"tune", data + "/toy.toml", "--device", devices};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  [[nodiscard]] std::int64_t count(const std::string& sql) const {
    SQLite::Database db(database.string());
    return db.execAndGet(sql).getInt64();
  }

  void expect_each_once(std::int64_t searched) const {
    EXPECT_EQ(count("SELECT COUNT(*) FROM measurement WHERE phase='search'"), searched);
    EXPECT_EQ(count("SELECT COUNT(DISTINCT config_id) FROM measurement WHERE phase='search'"),
              searched);
  }
};

inline std::string replay(const std::filesystem::path& file) { return "replay:" + file.string(); }

}  // namespace gtune::test
