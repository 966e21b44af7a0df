// A foreign database: cells of the wrong type, additional statements, damaged pages. Read as a
// query, a report, an export and a merge read it.

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "../changed_cells.hpp"
#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "../toy.hpp"
#include "../toy_database.hpp"
#include "answer/answer.hpp"
#include "answer/best_report.hpp"
#include "exchange/json_lines.hpp"
#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "store/inventory.hpp"
#include "store/merge.hpp"

namespace gtune::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array<std::string_view, 25> columns = {"device.facts",
                                                      "device.name",
                                                      "device.uuid",
                                                      "device.toolchain_id",
                                                      "kernel.name",
                                                      "kernel.problem_names",
                                                      "kernel.parameter_names",
                                                      "kernel.last_used",
                                                      "problem.sizes",
                                                      "config.params",
                                                      "run.seed",
                                                      "run.finished",
                                                      "measurement.phase",
                                                      "measurement.status",
                                                      "measurement.median_ms",
                                                      "measurement.samples_ms",
                                                      "measurement.config_id",
                                                      "measurement.reason",
                                                      "measurement.registers",
                                                      "metric.value",
                                                      "line_profile.profile",
                                                      "result.ties",
                                                      "result.summary",
                                                      "result.winner_id",
                                                      "result.verified"};

constexpr std::array<std::string_view, 12> statements = {
    "PRAGMA user_version = -5",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
    "DROP TABLE result",
    "DROP VIEW best_toy",
    "ALTER TABLE measurement DROP COLUMN reason",
    "CREATE TRIGGER t AFTER INSERT ON measurement BEGIN UPDATE measurement SET median_ms = 1; END",
    "CREATE VIEW best_x AS SELECT * FROM best_x",
    "DELETE FROM kernel",
    "DELETE FROM config",
    "UPDATE measurement SET kernel_id = 99",
    "INSERT INTO device SELECT id + 9, name, uuid || 'x', replayed, compute_capability, sm_count, "
    "l2_bytes, memory_bytes, max_sm_clock_mhz, max_memory_clock_mhz, facts, fma_tflops, dram_gbps, "
    "toolchain_id FROM device"};

class DatabaseCellsTarget : public Target {
 public:
  std::vector<std::string> seeds() override {
    return {R"([["device.facts", 0, "{}"]])",      R"([["measurement.samples_ms", 2, "xx"]])",
            R"([["result.ties", 0, "[1,2,99]"]])", R"([["measurement.median_ms", 0, -1.5]])",
            R"([["PRAGMA user_version = -5"]])",   R"([[4096, 255]])"};
  }

  /// The input is a list of changes: [COLUMN, ROW, VALUE], [STATEMENT] or [OFFSET, BYTE].
  void run(const std::string& input) override {
    const json changes = json::parse(input, nullptr, false);
    if (!changes.is_array()) return;
    if (std::all_of(changes.begin(), changes.end(), is_cell)) {
      read_changed_cells(changes, input);
    } else {
      Database database(changed_database(changes), OpenMode::read_only);
      read(database, input);
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    json changes = json::parse(one_in(4, random) ? other : input, nullptr, false);
    if (!changes.is_array() || changes.size() > 8 || one_in(3, random)) changes = json::array();
    changes.push_back(new_change(random));
    return changes.dump(-1, ' ', false, json::error_handler_t::replace);
  }

 private:
  static std::string made_template(const fs::path& file) {
    {
      Database made(file, OpenMode::create);
      fill_with_toy_runs(made);
      made.fold_journal();
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static bool is_cell(const json& change) {
    return change.is_array() && change.size() == 3 && change[0].is_string() &&
           std::find(columns.begin(), columns.end(), change[0].get<std::string>()) != columns.end();
  }

  void read_changed_cells(const json& changes, const std::string& input) {
    for (const json& change : changes) {
      m_cells.set(change[0].get<std::string>(), change[1], change[2]);
    }
    try {
      read(m_cells.reader(), input);
    } catch (...) {
      m_cells.restore();
      throw;
    }
    m_cells.restore();
  }

  static json value_of_a_cell(Random& random) {
    static const std::array<std::string, 12> texts = {"{}",
                                                      "[]",
                                                      "[1]",
                                                      "[\"a\"]",
                                                      "{\"n\":1}",
                                                      "{\"n\":\"x\"}",
                                                      "ok",
                                                      "final",
                                                      "search",
                                                      "2026-01-01T00:00:00.000Z",
                                                      "{\"n\":1e400}",
                                                      "null"};
    switch (random.below(6)) {
      case 0:
        return nullptr;
      case 1:
        return std::string(some_length(one_in(10, random) ? 100000 : 500, random), '[');
      case 2:
        return json::parse(hostile_number(random), nullptr, false).is_number()
                   ? json::parse(hostile_number(random), nullptr, false)
                   : json(-1);
      case 3:
        return hostile_text(random);
      default:
        return mutate_bytes(pick(texts, random), "", {}, random);
    }
  }

  json new_change(Random& random) const {
    // Rare, because each needs a new database.
    if (one_in(180, random)) return json::array({pick(statements, random)});
    if (one_in(90, random))
      return json::array({random.below(m_template.size()), random.below(256)});
    if (one_in(4, random)) {  // nearly valid JSON
      const std::string facts = R"({"name":"Made-up GPU","uuid":"GPU-made-up","replayed":false})";
      return json::array(
          {pick(columns, random), random.below(4), mutate_json(facts, facts, random)});
    }
    json value = value_of_a_cell(random);
    if (value.is_discarded()) value = nullptr;
    return json::array({pick(columns, random), random.below(4), value});
  }

  fs::path changed_database(const json& changes) const {
    std::string bytes = m_template;
    for (const json& change : changes) {
      if (!change.is_array() || change.size() != 2) continue;
      if (!change[0].is_number_unsigned() || !change[1].is_number_unsigned()) continue;
      bytes[change[0].get<std::size_t>() % bytes.size()] =
          static_cast<char>(change[1].get<std::uint64_t>());
    }
    const fs::path file = m_folder.path() / "input.db";
    for (const char* suffix : {"-wal", "-shm", "-journal"}) fs::remove(file.string() + suffix);
    m_folder.write("input.db", bytes);
    try {
      SQLite::Database database = open_unchecked(file);
      CellWriter cells(database);
      for (const json& change : changes) apply(database, cells, change);
    } catch (const SQLite::Exception&) {  // SQLite itself refuses a page
    }
    return file;
  }

  static void apply(SQLite::Database& database, CellWriter& cells, const json& change) {
    if (change.is_array() && change.size() == 3 && change[0].is_string()) {
      (void)cells.set(change[0].get<std::string>(), change[1], change[2]);
    } else if (change.is_array() && change.size() == 1 && change[0].is_string()) {
      (void)database.tryExec(change[0].get<std::string>().c_str());
    }
  }

  /// Runs one part of the reading code, chosen by the input's hash: running all parts would leave
  /// fewer inputs. The slowest parts get the fewest inputs.
  void read(Database& database, const std::string& input) const {
    const KernelIdentity& kernel = m_recording.kernel;
    const std::size_t part = std::hash<std::string>()(input) % 32;
    if (part == 0) {
      (void)take_inventory(database);
      (void)database.count_other_sources(kernel);
    } else if (part == 1) {
      merge(database);
    } else if (part < 4) {
      write_json_lines(database, [](std::string_view) {});
    } else if (part < 8) {
      (void)database.load_speeds(kernel);
    } else if (part < 14) {
      read_of_a_run(database);
    } else if (part < 20) {
      report(database);
    } else {
      ask(database);
    }
  }

  void report(const Database& database) const {
    std::vector<Answer> answers;
    for (const BestRow& row : database.query_best(m_recording.kernel)) {
      Answer& answer = answers.emplace_back();
      answer.asked = row.problem;
      answer.row = row;
    }
    const Document document = best_report(m_spec, answers);
    for (const Format format : {Format::text, Format::json, Format::csv}) {
      (void)render(document, format);
    }
  }

  void ask(const Database& database) const {
    Question question;
    question.problem = {{"n", 4096}};
    const KernelSpec anything_goes;  // no constraints, no choices
    (void)find_answers(database, m_recording.kernel, SizeRules(anything_goes), {question},
                       [](const std::vector<Winner>& winners) { return winners; });
  }

  void read_of_a_run(const Database& database) const {
    for (std::int64_t id = 1; id <= 2; ++id) {
      const MeasurementKey key{DeviceId{1}, ToolchainId{1}, KernelId{1}, ProblemId{id}, {}};
      (void)database.load_measurements(key, Phase::search);
      (void)database.load_wrong(key);
      if (const auto run = database.find_ended_run(key, "all")) (void)database.load_result(*run);
      (void)database.load_finalists(RunId{id}, 5);
      (void)database.load_comparable_metrics(MeasurementId{id});
      (void)database.find_comparable(MeasurementId{id},
                                     m_recording.measurements[1].measurement.config);
    }
  }

  void merge(Database& source) const {
    const fs::path file = m_folder.path() / "merged.db";
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(file.string() + suffix);
    m_folder.write("merged.db", m_template);
    Database into(file, OpenMode::create);
    merge_from(into, source);
  }

  ScratchFolder m_folder;
  std::string m_template = made_template(m_folder.path() / "template.db");
  ChangedCells m_cells{m_folder.path() / "cells.db", m_folder.path() / "template.db"};
  KernelSpec m_spec = toy_kernel();
  Recording m_recording = few_toy_measurements();
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<DatabaseCellsTarget>(); }

}  // namespace gtune::fuzz
