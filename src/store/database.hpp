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
  create,     // reads and writes; creates the file and its folders if they are missing
  read_only,  // changes nothing; works in a read-only folder
  immutable,  // read_only for a file that nobody writes meanwhile: leaves no files beside it
  untouched,  // read_only for someone else's file: creates and changes no file, also beside it
  in_memory,  // an empty database that vanishes with the object; messages call it by `path`
};

/// The measurements on disk. Several processes may use one file at a time; each writing call is
/// one committed transaction. Not thread-safe.
///
/// Every call throws UserError with one line that names the file: `failed` if the file cannot be
/// used (no database, damaged, read-only, disk full, locked for longer than the timeout, written by
/// a newer gtune), `nothing_stored` if a reading mode finds no file or an empty one.
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

  // Writing. An upsert returns the row of an equal value, whether it is new or not.

  /// Keeps the limits measured earlier if `facts` has none.
  DeviceId upsert_device(const DeviceFacts& facts);
  ToolchainId upsert_toolchain(const Toolchain& toolchain);
  /// Makes it the device's current toolchain, whose results come before those of others.
  void use_toolchain(DeviceId device, ToolchainId toolchain);
  /// Makes this source and spec the current ones of the kernel's name.
  KernelId upsert_kernel(const KernelIdentity& kernel);
  ProblemId upsert_problem(const std::string& kernel_name, const Problem& problem);
  RunId begin_run(const RunInfo& info);
  /// `key` may name another problem than the run's, as for the check of a winner. Throws UserError
  /// if the measurement is impossible: see model/possible_measurement.hpp.
  MeasurementId insert_measurement(RunId run, const MeasurementKey& key,
                                   const Measurement& measurement);
  /// Replaces metrics of the same name.
  void insert_metrics(MeasurementId measurement, const std::vector<Metric>& metrics);
  /// Replaces an earlier profile.
  void insert_line_profile(MeasurementId measurement, const StoredLines& lines);

  /// For a run that continues on another device than it began on.
  void set_run_device(RunId run, DeviceId device);
  /// Marks the run as ended. Without this call it counts as interrupted.
  /// Throws UserError if the file is no longer at its path.
  void finish_run(RunId run, const RunResult& result);
  /// Brings the views best_KERNEL and all_KERNEL up to date with the names in `kernel`; writes
  /// nothing if they are. docs/database.md describes their columns.
  void refresh_views(const KernelIdentity& kernel);
  /// Merges the journal into the file, so that the file can be moved. Must be the last call.
  void fold_journal();

  /// From now on, all answers use measurements of this timing mode. Without this call they use cold
  /// ones, or else warm ones, or else others, as a device and problem have them.
  void answer_of(const TimingMode& mode);

  // Reading.

  /// While the snapshot exists, all reads see one state of the database, whatever others write.
  [[nodiscard]] Snapshot snapshot() const;
  [[nodiscard]] DeviceLimits device_limits(DeviceId device) const;
  /// What a run can reuse: the latest measurement of each configuration and label.
  [[nodiscard]] std::vector<StoredMeasurement> load_measurements(const MeasurementKey& key,
                                                                 Phase phase) const;
  /// Configurations that any run saw wrong on the key's problem, or on awkward sizes as its winner,
  /// in whatever timing mode.
  [[nodiscard]] std::vector<Config> load_wrong(const MeasurementKey& key) const;
  /// The problems of all runs of exactly this source and spec, in the order they were first stored.
  [[nodiscard]] std::vector<TunedProblem> tuned_problems(const KernelIdentity& kernel) const;
  [[nodiscard]] std::vector<DeviceFacts> tuned_devices(const KernelIdentity& kernel) const;
  /// Other sources and specs of the same name, the one used last first.
  [[nodiscard]] std::vector<KernelIdentity> other_sources(const KernelIdentity& kernel) const;
  /// Finds the problem whether it was tuned or not.
  [[nodiscard]] std::optional<ProblemId> find_problem(const std::string& kernel_name,
                                                      const Problem& problem) const;
  /// The best known configuration per device and problem, for exactly this source and spec, without
  /// the measurements themselves. For all problems, or for `problems` in their order.
  [[nodiscard]] std::vector<Winner> winners(const KernelIdentity& kernel) const;
  [[nodiscard]] std::vector<Winner> winners(const KernelIdentity& kernel,
                                            const std::vector<ProblemId>& problems) const;
  /// At most `most` finalists of a run that were not disqualified: the winner, then the others in
  /// the order they were stored, which is that of their rank.
  [[nodiscard]] std::vector<StoredMeasurement> load_finalists(RunId run, int most) const;
  /// Sorted by name.
  [[nodiscard]] std::vector<Metric> load_metrics(MeasurementId measurement) const;

  /// Absent if nothing is stored, not even why there is no profile.
  [[nodiscard]] std::optional<StoredLines> load_line_profile(MeasurementId measurement) const;

  /// The ended run with exactly this key and space whose winner is the fastest; never a run in
  /// whose search a worker sent an impossible reply.
  [[nodiscard]] std::optional<RunId> find_ended_run(const MeasurementKey& key,
                                                    const std::string& space_signature) const;
  /// What an ended run found; absent if it found no winner.
  [[nodiscard]] std::optional<StoredResult> load_result(RunId run) const;
  /// Everything stored about a winner.
  [[nodiscard]] BestRow load_best(const Winner& winner) const;
  /// One row per device and problem, for exactly this source and spec.
  [[nodiscard]] std::vector<BestRow> query_best(const KernelIdentity& kernel,
                                                const BestFilter& filter = {}) const;
  /// Every right configuration of exactly this source and spec, by device and problem: its last
  /// measurement under the device's current toolchain, in the timing mode in which the
  /// best of that device and problem was measured.
  [[nodiscard]] std::vector<ConfigSpeed> load_speeds(const KernelIdentity& kernel,
                                                     const BestFilter& filter = {}) const;
  /// Every right configuration of exactly this source and spec whose energy was measured, by device
  /// and problem: its newest such measurement under the device's current toolchain, for each state
  /// of the L2 cache. Runs of every objective count.
  [[nodiscard]] std::vector<ConfigEnergy> load_energies(const KernelIdentity& kernel,
                                                        const BestFilter& filter = {}) const;
  /// The metrics of a measurement, by name. If it has no values: those of another measurement of
  /// the same configuration or baseline under the same conditions, the newest with values, else
  /// with reasons.
  [[nodiscard]] std::vector<Metric> load_comparable_metrics(MeasurementId measurement) const;
  /// The source lines of a measurement, or those of another measurement of the same configuration
  /// or baseline under the same conditions: a profile comes before a reason.
  [[nodiscard]] std::optional<StoredLines> load_comparable_lines(MeasurementId measurement) const;
  /// The newest measurement of a configuration under the conditions of `base` (device, toolchain,
  /// source, spec, problem, timing mode); one with status ok comes before all others.
  [[nodiscard]] std::optional<StoredMeasurement> find_comparable(MeasurementId base,
                                                                 const Config& config) const;
  [[nodiscard]] std::optional<StoredMeasurement> find_comparable_baseline(
      MeasurementId base, const std::string& name) const;
  /// The newest measurement of each baseline under these conditions, failed ones included.
  [[nodiscard]] std::vector<StoredMeasurement> load_comparable_baselines(MeasurementId base) const;
  /// The newest measurement of each configuration and baseline under these conditions that has a
  /// time and a value of the metric.
  [[nodiscard]] std::vector<StoredMeasurement> load_counted(MeasurementId base,
                                                            const std::string& metric) const;
  /// The newest measurement of each configuration under these conditions that has a time and
  /// sampled source lines.
  [[nodiscard]] std::vector<StoredMeasurement> load_sampled(MeasurementId base) const;
  /// The median time of each configuration on the winner's device and problem: from its last right
  /// measurement under the device's current toolchain, in the winner's timing mode. Absent
  /// if there is none or the configuration was seen wrong.
  [[nodiscard]] std::vector<std::optional<double>> find_median_ms(
      const KernelIdentity& kernel, const Winner& where, const std::vector<Config>& configs) const;
  /// Every measurement of the search and the final under the conditions of `base` (device,
  /// toolchain, source, spec, problem, timing mode), in the order they were made.
  /// `parameters`: their names, in the spec's order.
  [[nodiscard]] std::vector<SearchStep> load_search_steps(
      MeasurementId base, const std::vector<std::string>& parameters) const;
  /// The runs on the device and problem of `base`, of any source and spec of the kernel's name, the
  /// oldest first.
  [[nodiscard]] std::vector<PastRun> load_past_runs(MeasurementId base) const;
  /// How many rows `query_best` would return for other sources or specs of the same name.
  [[nodiscard]] std::int64_t count_other_sources(const KernelIdentity& kernel,
                                                 const BestFilter& filter = {}) const;

  /// The underlying connection, which this object owns.
  [[nodiscard]] SQLite::Database& connection() { return *m_connection; }

 private:
  std::filesystem::path m_path;
  std::unique_ptr<SQLite::Database> m_connection;
  std::unique_ptr<StatementCache> m_statements;  // of m_connection
};

/// The database to read; absent if there is no file or an empty one.
[[nodiscard]] std::optional<Database> open_if_stored(const std::filesystem::path& path);

}  // namespace gtune
