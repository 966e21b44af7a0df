#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"
#include "store/ids.hpp"
#include "store/records.hpp"
#include "store/snapshot.hpp"

namespace SQLite {
class Database;
}

namespace gtune {

class StatementCache;

enum class OpenMode {
  create,     // reads and writes; makes the file and its folders where they are missing
  read_only,  // changes nothing and works in a folder that cannot be written
  immutable,  // the same of a file that nobody writes meanwhile: leaves nothing beside it
};

/// The measurements on disk. Several processes may use one file at a time; each writing call is
/// one committed transaction. Not for use by two threads at once.
///
/// Every call throws UserError with one line that names the file: `failed` where it cannot be
/// used (no database, damaged, read-only, full, locked for longer than the timeout, written by a
/// newer gtune), `nothing_stored` where one that only reads finds no file.
class Database {
 public:
  /// How long a writer waits for others: longer than an import of a large database takes.
  static constexpr std::chrono::minutes patience{10};

  Database(const std::filesystem::path& path, OpenMode mode,
           std::chrono::milliseconds busy_timeout = patience);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

  // Writing. An upsert returns the row of an equal value, new or not.

  /// Keeps the limits measured before where `facts` has none.
  DeviceId upsert_device(const DeviceFacts& facts);
  ToolchainId upsert_toolchain(const Toolchain& toolchain);
  /// Makes it the present toolchain of the device: its results come before those of others.
  void use_toolchain(DeviceId device, ToolchainId toolchain);
  /// Makes this source and spec the current ones of the kernel's name.
  KernelId upsert_kernel(const KernelIdentity& kernel);
  ProblemId upsert_problem(const std::string& kernel_name, const Problem& problem);
  RunId begin_run(const RunInfo& info);
  /// `key` may name another problem than the run's, as for the check of a winner. What cannot have
  /// been measured is refused: see model/possible_measurement.hpp.
  MeasurementId insert_measurement(RunId run, const MeasurementKey& key,
                                   const Measurement& measurement);
  /// Replaces those of the same name.
  void insert_metrics(MeasurementId measurement, const std::vector<Metric>& metrics);

  /// Called if the run continues on another device than it began on.
  void set_run_device(RunId run, DeviceId device);
  /// Marks the run as ended. Without this call it counts as interrupted.
  void finish_run(RunId run, const RunResult& result);
  /// Brings the views best_KERNEL and all_KERNEL up to date with the names in `kernel`; writes
  /// nothing if they are. docs/database.md describes their columns.
  void refresh_views(const KernelIdentity& kernel);
  /// Puts everything into the one file, so that it can be moved. The last call.
  void fold_journal();

  /// From now on all answers use measurements with a warm L2 cache. Without this call they use
  /// those with a flushed one, or warm ones if a device and problem has no others.
  void answer_of_warm_l2();

  // Reading.

  /// While it exists, all reads see the database at one moment, whatever others write.
  [[nodiscard]] Snapshot snapshot() const;
  [[nodiscard]] DeviceLimits device_limits(DeviceId device) const;
  /// What a run can take over: the latest measurement of each configuration and label.
  [[nodiscard]] std::vector<StoredMeasurement> load_measurements(const MeasurementKey& key,
                                                                 Phase phase) const;
  /// Configurations seen wrong, on awkward sizes or this one, whichever run saw it, with the L2
  /// cache flushed or not.
  [[nodiscard]] std::vector<Config> load_wrong(const MeasurementKey& key) const;
  /// What runs of exactly this source and spec were about, in the order in which it came.
  [[nodiscard]] std::vector<TunedProblem> tuned_problems(const KernelIdentity& kernel) const;
  [[nodiscard]] std::vector<DeviceFacts> tuned_devices(const KernelIdentity& kernel) const;
  /// Whatever runs were about it.
  [[nodiscard]] std::optional<ProblemId> find_problem(const std::string& kernel_name,
                                                      const Problem& problem) const;
  /// What is known to be best, per device and problem, of exactly this source and spec; without
  /// the measurements themselves. Of all problems, or of some, in their order.
  [[nodiscard]] std::vector<Winner> winners(const KernelIdentity& kernel) const;
  [[nodiscard]] std::vector<Winner> winners(const KernelIdentity& kernel,
                                            const std::vector<ProblemId>& problems) const;
  /// At most so many finalists of a run that were not disqualified: the winner, then the others in
  /// the order in which they were stored, which is that of their rank.
  [[nodiscard]] std::vector<StoredMeasurement> load_finalists(RunId run, int most) const;
  /// By name.
  [[nodiscard]] std::vector<Metric> load_metrics(MeasurementId measurement) const;

  /// The ended run of exactly this with the fastest winner; never one with an impossible reply of a
  /// worker.
  [[nodiscard]] std::optional<RunId> find_ended_run(const MeasurementKey& key,
                                                    const std::string& space_signature) const;
  /// What an ended run found; absent where it found no winner.
  [[nodiscard]] std::optional<StoredResult> load_result(RunId run) const;
  /// All that is stored of a winner.
  [[nodiscard]] BestRow load_best(const Winner& winner) const;
  /// One row per device and problem, of exactly this source and spec.
  [[nodiscard]] std::vector<BestRow> query_best(const KernelIdentity& kernel,
                                                const BestFilter& filter = {}) const;
  /// Every configuration that was measured right, with the L2 cache as it was for the device and
  /// problem's best and under each device's present toolchain, of exactly this source and spec; by
  /// device and problem. Of one that was measured more than once, the last measurement.
  [[nodiscard]] std::vector<ConfigSpeed> load_speeds(const KernelIdentity& kernel,
                                                     const BestFilter& filter = {}) const;
  /// The metrics of a measurement, by name. Where it has no values, those of another one of the
  /// same configuration or baseline under the same conditions: the newest with values, else with
  /// reasons.
  [[nodiscard]] std::vector<Metric> load_comparable_metrics(MeasurementId measurement) const;
  /// The newest measurement of a configuration, right or not, under the conditions of another one:
  /// device, toolchain, source, spec, problem, state of the L2 cache.
  [[nodiscard]] std::optional<StoredMeasurement> find_comparable(MeasurementId base,
                                                                 const Config& config) const;
  [[nodiscard]] std::optional<StoredMeasurement> find_comparable_baseline(
      MeasurementId base, const std::string& name) const;
  /// Of each configuration where a winner was found, under the device's present toolchain and with
  /// the L2 cache as for the winner, by the last measurement that was right; absent where there is
  /// none, or it was seen wrong.
  [[nodiscard]] std::vector<std::optional<double>> find_median_ms(
      const KernelIdentity& kernel, const Winner& where, const std::vector<Config>& configs) const;
  /// How many rows `query_best` would give for other sources or specs of the same name.
  [[nodiscard]] std::int64_t count_other_sources(const KernelIdentity& kernel,
                                                 const BestFilter& filter = {}) const;

  /// The open file, for settings of this connection alone.
  [[nodiscard]] SQLite::Database& connection() { return *m_connection; }

 private:
  std::filesystem::path m_path;
  std::unique_ptr<SQLite::Database> m_connection;
  std::unique_ptr<StatementCache> m_statements;  // of that connection
};

}  // namespace gtune
