#include "page/problem_record.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>

#include "explain/findings.hpp"
#include "explain/stored_subject.hpp"
#include "model/one_line.hpp"
#include "spec/evaluate.hpp"
#include "spec/given_sizes.hpp"
#include "spec/problem_text.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

constexpr int k_most_finalists = 5;

/// Reads all that is stored of one device and problem.
class RecordReader {
 public:
  RecordReader(const RecordSource& from, ProblemBest best) : m_from(from) {
    m_record.best = std::move(best);
  }

  [[nodiscard]] ProblemRecord read() && {
    const MeasurementId best = row().best.id;
    m_record.steps = m_from.database.load_search_steps(best, m_from.identity.parameter_names);
    m_record.past_runs = m_from.database.load_past_runs(best);
    m_record.speeds = speeds_beside(m_from.database, m_from.identity, row());
    m_record.run_again = run_again();
    m_record.measure_again = measure_again();
    read_run();
    read_subjects();
    m_record.counted = counted_subjects(m_from.database, *m_from.spec, row());
    read_sampled();
    explain();
    explain_baselines();
    return std::move(m_record);
  }

 private:
  [[nodiscard]] const BestRow& row() const { return m_record.best.row; }

  [[nodiscard]] std::string run_again() const {
    const PastRun* run = run_of_best();
    return tuned_here() + (row().device.replayed ? " --device " + recording() : "") +
           (run != nullptr && run->strategy == "exhaustive" ? " --strategy exhaustive" : "");
  }

  [[nodiscard]] std::string measure_again() const {
    const Config& config = row().best.measurement.config;
    if (config.empty()) return "";
    return tuned_here() + (row().device.replayed ? " --device " + recording() : "") + " --config " +
           config_text(*m_from.spec, config);
  }

  /// The run that found the best; null if it is not stored.
  [[nodiscard]] const PastRun* run_of_best() const {
    const auto found = std::ranges::find_if(m_record.past_runs, [&](const PastRun& run) {
      return run.same_source && run.winner == row().best.id;
    });
    return found == m_record.past_runs.end() ? nullptr : &*found;
  }

  /// "replay", or "replay:FILE" if the latest run on this device named a file.
  [[nodiscard]] std::string recording() const {
    const std::vector<PastRun>& runs = m_record.past_runs;
    for (std::size_t i = runs.size(); i-- > 0;) {
      if (const std::string word = recording_word(runs[i].command_line); !word.empty()) return word;
    }
    return "replay";
  }

  /// The command that tunes this problem.
  [[nodiscard]] std::string tuned_here() const {
    return m_from.tuned_by + given_sizes(*m_from.spec, row().problem) + row().mode.options();
  }

  /// The report of the run that found the best, as it was printed at its end.
  void read_run() {
    const PastRun* found = run_of_best();
    if (found == nullptr) return;
    auto result = m_from.database.load_result(found->id);
    if (!result) return;
    RunReport report;
    report.device = row().device;
    report.toolchain = row().toolchain;
    report.problem = row().problem;
    report.flops = found->flops;
    report.bytes = found->bytes;
    report.result = std::move(*result);
    report.finalists = m_from.database.load_finalists(found->id, k_most_finalists);
    report.baselines = m_record.best.baselines;
    report.failures = group_failures(failed_steps());
    for (const auto* measured : {&report.finalists, &report.baselines}) {
      for (const StoredMeasurement& each : *measured) {
        report.metrics[each.id] = m_from.database.load_metrics(each.id);
      }
    }
    report.seed = found->seed;
    report.strategy = found->strategy;
    report.budget = found->budget;
    report.database = also_file().value_or(m_from.database.path()).filename();
    report.run_again = m_record.run_again;
    m_record.run = std::move(report);
  }

  [[nodiscard]] std::vector<StoredMeasurement> failed_steps() const {
    std::vector<StoredMeasurement> failed;
    for (const SearchStep& step : m_record.steps) {
      if (step.phase != Phase::search || step.status == Status::ok) continue;
      StoredMeasurement stored;
      stored.measurement.status = step.status;
      stored.measurement.reason = step.reason;
      failed.push_back(std::move(stored));
    }
    return failed;
  }

  [[nodiscard]] Subject subject(std::string name, const StoredMeasurement& stored) const {
    return stored_subject(m_from.database, *m_from.spec, row(), std::move(name), stored);
  }

  void read_subjects() {
    m_record.subjects.push_back(subject("best", row().best));
    if (m_record.run) {
      int place = 1;
      for (const StoredMeasurement& each : m_record.run->finalists) {
        if (each.id == row().best.id) continue;
        m_record.subjects.push_back(subject("finalist " + std::to_string(++place), each));
      }
    }
    for (const StoredMeasurement& each : m_record.best.baselines) {
      if (!each.measurement.ok()) continue;
      m_record.subjects.push_back(subject(each.measurement.label, each));
    }
  }

  void read_sampled() {
    const std::vector<SampledConfig> configs =
        sampled_configs(m_from.database, *m_from.spec, row().best.id);
    const auto read = [&](const std::string& name, const StoredMeasurement& stored) {
      auto lines = m_from.database.load_comparable_lines(stored.id);
      if (!lines || !lines->profile) return;
      const Measurement& measured = stored.measurement;
      const SampledConfig explained{existing_values(*m_from.spec, measured.config),
                                    measured.timing->median_ms, *lines->profile};
      m_record.sampled.push_back(
          {name, std::move(*lines->profile), find_stalls(explained, configs, subject("", stored))});
    };
    read("best", row().best);
    for (const StoredMeasurement& each : m_record.best.baselines) {
      if (each.measurement.ok()) read(each.measurement.label, each);
    }
  }

  /// What limits a baseline says what the best does better.
  void explain_baselines() {
    for (const Subject& each : m_record.subjects) {
      if (each.measured.phase != Phase::baseline) continue;
      auto findings = find_findings(
          each, {*m_from.spec, {row().problem, {}, row().device}, m_record.speeds, nullptr});
      if (findings.empty()) continue;
      m_record.baseline_findings.push_back({each.name, std::move(findings.front())});
    }
  }

  /// The file of --also that holds the best.
  [[nodiscard]] std::optional<std::filesystem::path> also_file() const {
    return m_from.origins == nullptr ? std::nullopt : m_from.origins->also_file(row().best.id);
  }

  void explain() {
    Explanation& out = m_record.explanation;
    out.answer = {Tier::exact, {},           row().best.measurement.config,
                  row(),       std::nullopt, m_from.bundled};
    if (const auto file = also_file()) out.answer.from = file->filename().string();
    out.subject = m_record.subjects.front();
    out.findings = find_findings(out.subject,
                                 {*m_from.spec,
                                  {row().problem, out.subject.measured.config, row().device},
                                  m_record.speeds,
                                  nullptr},
                                 m_record.counted);
    out.tuned_by = tuned_here();
  }

  const RecordSource& m_from;
  ProblemRecord m_record;
};

/// The places of the rows that say most.
std::vector<std::size_t> most_telling(const Database& database, const std::vector<ProblemBest>& all,
                                      std::size_t most) {
  std::vector<std::pair<bool, std::size_t>> weights;
  for (const ProblemBest& each : all) {
    const bool has_metrics = !database.load_comparable_metrics(each.row.best.id).empty();
    weights.emplace_back(has_metrics, each.configurations);
  }
  std::vector<std::size_t> places(all.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  places.resize(std::min(most, places.size()));
  return places;
}

/// A device and problem.
using RowKey = std::tuple<std::string, bool, std::string>;

RowKey key_of(const DeviceFacts& device, const Problem& problem) {
  return {device.uuid, device.replayed, problem.text()};
}

/// The times on the devices and problems of these rows.
std::vector<ConfigSpeed> speeds_of(const RecordSource& from, const std::vector<BestRow>& rows) {
  std::set<RowKey> keys;
  for (const BestRow& row : rows) keys.insert(key_of(row.device, row.problem));
  std::vector<ConfigSpeed> speeds = from.database.load_speeds(from.identity);
  std::erase_if(speeds, [&](const ConfigSpeed& each) {
    return !keys.contains(key_of(each.device, each.problem));
  });
  return speeds;
}

}  // namespace

std::string recording_word(const std::string& command_line) {
  std::istringstream words(command_line);
  std::string word;
  std::string before;
  for (; words >> word; before = word) {
    std::string device = before == "--device" ? word : "";
    if (word.starts_with("--device=")) device = word.substr(word.find('=') + 1);
    if (!device.starts_with("replay:")) continue;
    // Words are stored without quotes, so a quote or a backslash may be of a longer name.
    const bool is_odd =
        device.find_first_of("'\"\\`$") != std::string::npos || one_line(device) != device;
    return is_odd ? "replay" : shell_word(device);
  }
  return "";
}

const Measurement* ProblemBest::fastest_baseline() const {
  const Measurement* fastest = nullptr;
  for (const StoredMeasurement& each : baselines) {
    const Measurement& m = each.measurement;
    if (!m.ok()) continue;
    if (fastest == nullptr || m.timing->median_ms < fastest->timing->median_ms) fastest = &m;
  }
  return fastest;
}

KernelRecord load_kernel_record(const RecordSource& from, std::vector<BestRow> rows,
                                std::size_t most_detailed) {
  const Snapshot snapshot = from.database.snapshot();  // a run may be writing
  KernelRecord record{from.spec, {}, {}, {}, {}};
  const std::vector<ConfigSpeed> speeds = speeds_of(from, rows);
  std::map<RowKey, std::size_t> counts;
  for (const ConfigSpeed& each : speeds) ++counts[key_of(each.device, each.problem)];
  for (BestRow& row : rows) {
    const std::size_t count = counts[key_of(row.device, row.problem)];
    const MeasurementId best = row.best.id;
    record.best.push_back({std::move(row), from.database.load_comparable_baselines(best), count});
  }
  if (record.best.size() > 1) record.effects = find_effects(speeds);
  for (const std::size_t place : most_telling(from.database, record.best, most_detailed)) {
    record.problems.push_back(RecordReader(from, record.best[place]).read());
  }
  const auto sampled =
      std::find_if(record.problems.begin(), record.problems.end(),
                   [](const ProblemRecord& each) { return !each.sampled.empty(); });
  if (sampled != record.problems.end() && from.read_texts) {
    record.texts = from.read_texts(sampled->best.row.best.measurement.config);
  }
  return record;
}

}  // namespace gtune
