#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.hpp"
#include "explain/explain_report.hpp"
#include "explain/parameter_effects.hpp"
#include "explain/source_texts.hpp"
#include "explain/stall_findings.hpp"
#include "model/kernel_identity.hpp"
#include "model/line_profile.hpp"
#include "report/run_report.hpp"
#include "spec/kernel_spec.hpp"
#include "store/combined_database.hpp"

namespace gtune {

/// The best of a device and problem, and what it is compared with.
struct ProblemBest {
  BestRow row;
  std::vector<StoredMeasurement> baselines;  // the newest of each, failed ones included
  std::size_t configurations = 0;            // with a stored time

  /// Null if none has a time.
  [[nodiscard]] const Measurement* fastest_baseline() const;
};

/// Where a kernel waits.
struct SampledKernel {
  std::string name;  // "best", or a baseline's
  LineProfile profile;
  std::vector<StallFinding> stalls;
};

/// What limits a baseline most.
struct BaselineFinding {
  std::string name;
  Finding finding;
};

/// Everything that a page shows of one device and problem.
struct ProblemRecord {
  ProblemBest best;
  std::optional<RunReport> run;  // that found the best; absent if it has not ended
  std::vector<SearchStep> steps;
  std::vector<PastRun> past_runs;
  std::vector<ConfigSpeed> speeds;
  Explanation explanation;
  std::vector<BaselineFinding> baseline_findings;
  std::vector<Subject> subjects;  // the best, other finalists and baselines, with their metrics
  std::vector<Subject> counted;   // everything of which the moved bytes were counted
  std::vector<SampledKernel> sampled;  // the best and baselines whose source lines were sampled
  std::string run_again;               // the command of the whole search
  std::string measure_again;           // the command that measures only the best
};

/// What a page says of one kernel.
struct KernelRecord {
  std::shared_ptr<const KernelSpec> spec;
  std::vector<ProblemBest> best;        // of every device and problem asked for
  std::vector<ProblemRecord> problems;  // those shown in detail
  std::vector<ProblemEffects> effects;  // of parameters, in each of `best`
  SourceTexts texts;                    // empty unless lines were sampled
};

/// Where a kernel's results are, and how to name the kernel on a command line.
struct RecordSource {
  const Database& database;
  std::shared_ptr<const KernelSpec> spec;
  KernelIdentity identity;
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  bool bundled = false;
  const MeasurementOrigins* origins = nullptr;  // null: all measurements are the user's own
  /// The text of the kernel's own files; `config`: any valid one. Null: none.
  std::function<SourceTexts(const Config& config)> read_texts = nullptr;
};

/// The recording that a stored command line names with --device, quoted for a shell: "replay:FILE".
/// "replay" if its name cannot be told, "" if it names none. The line may be someone else's.
[[nodiscard]] std::string recording_word(const std::string& command_line);

/// Reads the results of these rows; in detail those of the first `most_detailed` that say most:
/// with metrics, then with most configurations.
[[nodiscard]] KernelRecord load_kernel_record(const RecordSource& from, std::vector<BestRow> rows,
                                              std::size_t most_detailed);

}  // namespace gtune
