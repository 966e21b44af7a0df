#include <fstream>
#include <sstream>

#include "store/fixture.hpp"

// SQL beside its result: each file of tests/store/sql holds cases that begin with "case NAME". A
// case has an empty database with one kernel, device 1, toolchains 1 and 2 (1 is current), problems
// 1 and 2, and configurations 1 to 3. Its blocks end with an empty line each:
//   measured  a table of measurements: id run problem config toolchain l2 phase status ms
//   runs      a table of runs: id problem toolchain l2 whole winner; '-' if it has not ended,
//             'none' if it ended without a winner
//   do        a statement
//   warm      nothing: from here on only times with a warm L2 cache answer
//   query     a statement, a line ----, and its rows, columns separated by '|'
// GTUNE_UPDATE_EXPECTED=1 writes the actual rows into the files.
namespace gtune::test {
namespace {

using Lines = std::vector<std::string>;

class SqlText : public ::testing::TestWithParam<fs::path> {};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// The database of one case.
class SqlCase {
 public:
  SqlCase() {
    m_db.use_toolchain(m_db.upsert_device(some_device()), m_db.upsert_toolchain(some_toolchain()));
    m_db.upsert_toolchain({"590", "13.1", "13.1", "", "0.1.0"});
    m_db.upsert_kernel(some_kernel());
    m_db.upsert_problem("sgemm", {{"M", 64}, {"N", 32}});
    m_db.upsert_problem("sgemm", {{"M", 1}, {"N", 1}});
    for (int i = 1; i <= 3; ++i) {
      execute("INSERT INTO config (kernel, params) VALUES ('sgemm', '{\"BM\":" + std::to_string(i) +
              "}')");
    }
    execute("PRAGMA foreign_keys = OFF");  // so that a case lists only the rows it is about
  }

  void execute(const std::string& sql) { m_db.connection().exec(sql); }
  /// 1: cold, 0: warm.
  static std::string timing_of(const std::string& flushed) {
    return flushed == "1" ? "'cold'" : "'warm'";
  }
  void ask_warm() { m_db.answer_of({LaunchOrder::warm}); }

  void add_measurement(const std::string& line) {
    const auto w = words_of(line);
    if (w.size() != 9) throw std::invalid_argument("a measurement has 9 columns: " + line);
    const std::string ms = w[8] == "-" ? "NULL" : w[8];
    const std::string samples = w[8] == "-" ? "NULL" : "zeroblob(8)";
    execute(
        "INSERT INTO measurement (id, run_id, problem_id, config_id, toolchain_id, timing, "
        "phase, status, median_ms, min_ms, samples_ms, device_id, kernel_id, label, reason) "
        "VALUES (" +
        w[0] + "," + w[1] + "," + w[2] + "," + w[3] + "," + w[4] + "," + timing_of(w[5]) + ",'" +
        w[6] + "','" + w[7] + "'," + ms + "," + ms + "," + samples + ",1,1,'','')");
  }

  void add_run(const std::string& line) {
    const auto w = words_of(line);
    if (w.size() != 6) throw std::invalid_argument("a run has 6 columns: " + line);
    execute(
        "INSERT INTO run (id, problem_id, toolchain_id, timing, objective, whole_space, device_id, "
        "kernel_id, flops, strategy, budget, seed, command_line, space_signature, pid) VALUES (" +
        w[0] + "," + w[1] + "," + w[2] + "," + timing_of(w[3]) + ",'time'," + w[4] +
        ",1,1,2e9,'','','0','','all',1)");
    if (w[5] == "-") return;
    execute("INSERT INTO result (run_id, winner_id, ties, verified, summary) VALUES (" + w[0] +
            "," + (w[5] == "none" ? "NULL" : w[5]) + ",'[]','passed','{}')");
  }

  Lines rows(const std::string& sql) {
    SQLite::Statement statement(m_db.connection(), sql);
    Lines rows;
    while (statement.executeStep()) {
      std::string row;
      for (int i = 0; i < statement.getColumnCount(); ++i) {
        const SQLite::Column column = statement.getColumn(i);
        row += (i > 0 ? "|" : "") + (column.isNull() ? "NULL" : column.getString());
      }
      rows.push_back(row);
    }
    return rows;
  }

 private:
  TempFolder m_folder;
  Database m_db{m_folder.path() / "gtune.db", OpenMode::create, std::chrono::seconds(10)};
};

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Runs one block of a case, and appends it to `out` with the actual rows.
void run_block(SqlCase& database, const Lines& block, const std::string& where, Lines& out) {
  const std::string& kind = block.front();
  const Lines body(block.begin() + 1, block.end());
  if (kind != "query") {
    out.insert(out.end(), block.begin(), block.end());
    if (kind == "do") return database.execute(joined(body));
    if (kind == "warm") return database.ask_warm();
    ASSERT_TRUE(kind == "measured" || kind == "runs") << where << ": no block is named " << kind;
    for (const std::string& line : body) {
      kind == "runs" ? database.add_run(line) : database.add_measurement(line);
    }
    return;
  }
  const auto rule = std::find(body.begin(), body.end(), "----");
  ASSERT_NE(rule, body.end()) << where << ": a query needs ---- before its rows";
  const Lines rows = database.rows(joined({body.begin(), rule}));
  EXPECT_EQ(joined({rule + 1, body.end()}), joined(rows)) << where;
  out.insert(out.end(), block.begin(), block.begin() + (rule - body.begin()) + 2);
  out.insert(out.end(), rows.begin(), rows.end());
}

TEST_P(SqlText, GivesTheRowsBesideIt) {
  std::ifstream file(GetParam());
  std::unique_ptr<SqlCase> database;
  Lines out;
  Lines block;
  int number = 0;
  int queries = 0;
  const auto end_block = [&] {
    if (block.empty()) return;
    const std::string where =
        GetParam().filename().string() + ", block before line " + std::to_string(number);
    ASSERT_TRUE(database) << where << ": a case comes first";
    queries += block.front() == "query";
    run_block(*database, block, where, out);
    block.clear();
  };
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.front() != '#' && !line.starts_with("case ")) {
      block.push_back(line);
      continue;
    }
    end_block();
    if (line.starts_with("case ")) database = std::make_unique<SqlCase>();
    out.push_back(line);
  }
  end_block();
  EXPECT_GT(queries, 0) << "a file without a query tests nothing";
  if (std::getenv("GTUNE_UPDATE_EXPECTED") != nullptr) std::ofstream(GetParam()) << joined(out);
}

std::vector<fs::path> sql_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(GTUNE_SOURCE_DIR "/tests/store/sql")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Files, SqlText, ::testing::ValuesIn(sql_files()),
                         [](const auto& tested) { return tested.param.stem().string(); });

}  // namespace
}  // namespace gtune::test
