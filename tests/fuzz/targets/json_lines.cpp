// Input of db import: rows as JSON Lines. An import stores all or nothing, and what it stored can
// be exported and imported again.

#include "exchange/json_lines.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <functional>
#include <sstream>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "../toy_database.hpp"
#include "exchange/row_reader.hpp"
#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "store/sqlite_error.hpp"

namespace gtune::fuzz {
namespace {

namespace fs = std::filesystem;

std::string lines_from(Database& database) {
  std::string lines;
  write_json_lines(database, [&](std::string_view line) { lines += std::string(line) + '\n'; });
  return lines;
}

class JsonLinesTarget : public Target {
 public:
  JsonLinesTarget() {
    Database empty(m_empty, OpenMode::create);
    empty.fold_journal();
    m_empty_content = content_of(m_empty);
  }

  std::vector<std::string> seeds() override {
    Database filled(m_folder.path() / "filled.db", OpenMode::create);
    fill_with_toy_runs(filled);
    const std::string lines = lines_from(filled);
    return {
        lines, with(lines, R"("name":"toy")", R"("name":"a\u0000b")"),
        with(lines, R"(\"replayed\":)",
             R"(\"x\":)" + std::string(deep, '[') + std::string(deep, ']') + R"(,\"replayed\":)")};
  }

  /// Every input's rows are read. One input in 64 is imported, which takes thirty times as long
  /// because it makes, opens and merges databases.
  void run(const std::string& input) override {
    if (std::hash<std::string>()(input) % 64 == 0) {
      import_and_back(input);
    } else {
      read_rows(input);
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_json_lines(input, other, random);
  }

 private:
  static constexpr std::size_t deep = 200000;

  void read_rows(const std::string& input) {
    const SQLite::Transaction taken_back(m_rows.connection());
    std::istringstream in(input);
    with_user_errors(m_rows.path(), m_rows.connection(), [&] { m_reader.read(in, "input.jsonl"); });
  }

  void import_and_back(const std::string& input) {
    const fs::path target = fresh("target.db");
    try {
      import(input, target);
    } catch (const UserError&) {
      require_empty(target);
      throw;
    }
    Database imported(target, OpenMode::create);
    const std::string lines = lines_from(imported);
    const fs::path second = fresh("second.db");
    try {
      import(lines, second);
    } catch (const UserError& error) {
      throw Fault(std::string("what was imported cannot be imported again: ") + error.what());
    }
    Database again(second, OpenMode::create);
    require(lines_from(again) == lines, "what was imported comes back as something else");
  }

  static std::string with(std::string lines, const std::string& old, const std::string& text) {
    const std::size_t at = lines.find(old);
    require(at != lines.npos, "an export has another form now: change this target");
    return lines.replace(at, old.size(), text);
  }

  static void import(const std::string& text, const fs::path& target) {
    std::istringstream in(text);
    read_json_lines(in, "input.jsonl", target);
  }

  /// Compares bytes, because opening the database takes longer than the import did.
  void require_empty(const fs::path& target) const {
    if (fs::exists(target.string() + "-wal") || content_of(target) != m_empty_content) {
      Database after(target, OpenMode::create);
      require(lines_from(after) == m_nothing, "an import that failed has stored something");
    }
  }

  static std::string content_of(const fs::path& file) {
    std::string content(fs::file_size(file), '\0');
    std::ifstream(file, std::ios::binary)
        .read(content.data(), static_cast<std::streamsize>(content.size()));
    return content;
  }

  /// A copy of an empty database: making a new one takes longer than most imports.
  fs::path fresh(const std::string& name) const {
    const fs::path file = m_folder.path() / name;
    for (const char* suffix : {"-wal", "-shm", "-journal"}) fs::remove(file.string() + suffix);
    return m_folder.write(name, m_empty_content);
  }

  ScratchFolder m_folder;
  std::string m_empty_content;
  fs::path m_empty = m_folder.path() / "empty.db";
  std::string m_nothing = [this] {
    Database empty(m_folder.path() / "nothing.db", OpenMode::create);
    return lines_from(empty);
  }();
  Database m_rows{m_folder.path() / "rows.db", OpenMode::create};
  RowReader m_reader{m_rows.connection()};
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<JsonLinesTarget>(); }

}  // namespace gtune::fuzz
