#include <spdlog/spdlog.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "exchange/space_file.hpp"
#include "model/error.hpp"
#include "score/score_plot.hpp"
#include "score/score_report.hpp"
#include "search/strategy.hpp"
#include "space/launch_amounts.hpp"
#include "spec/spec_catalog.hpp"
#include "system/side_by_side.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

struct BenchSearchOptions {
  std::vector<std::string> files;
  std::vector<std::filesystem::path> folders;  // of specs
  ScoreSettings settings;
  std::string plot;
  bool json = false;
};

/// The bundled recordings.
std::vector<std::string> recordings_to_score(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> files;
  for (const auto& folder : folders) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "db/recordings", none)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
    }
    if (!files.empty()) break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

void require_known_strategies(const std::vector<std::string>& names) {
  const SearchSpace nothing({{"", {0}}}, {});
  for (const std::string& name : names) (void)make_strategy(name, nothing, 0);
}

/// Notes each strategy that needs metrics if the recording has none.
void note_missing_metrics(const RecordedSpace& recorded, const std::vector<std::string>& names) {
  const bool has_metrics = std::any_of(recorded.metrics.begin(), recorded.metrics.end(),
                                       [](const auto& metrics) { return !metrics.empty(); });
  if (has_metrics) return;
  for (const StrategyInfo& info : strategies()) {
    if (!info.wants_metrics || std::find(names.begin(), names.end(), info.name) == names.end()) {
      continue;
    }
    spdlog::info("note: {} has no metrics, which {} needs", recorded.name, info.name);
  }
}

/// Reads all files before the first is scored: the last may be damaged, and scoring takes minutes.
std::vector<RecordedSpace> read_all(const std::vector<std::string>& files) {
  std::vector<RecordedSpace> spaces;
  for (const std::string& file : files) {
    if (interrupt_requested()) {
      throw UserError(ExitCode::interrupted, "interrupted before the first score");
    }
    spaces.push_back(read_space_file(file));
  }
  return spaces;
}

/// The spec of a recording of gtune, if it comes with the program and has the same parameters.
std::shared_ptr<const KernelSpec> spec_of(const RecordedSpace& recorded,
                                          const std::vector<std::filesystem::path>& folders) {
  if (!recorded.of) return nullptr;
  for (const CatalogEntry& entry : find_specs(folders, {recorded.of->kernel})) {
    const auto& dimensions = recorded.space.dimensions();
    const bool is_same =
        entry.spec && std::equal(dimensions.begin(), dimensions.end(), entry.spec->params.begin(),
                                 entry.spec->params.end(),
                                 [](const Dimension& dimension, const Parameter& parameter) {
                                   return dimension.name == parameter.name;
                                 });
    if (is_same) return entry.spec;
  }
  return nullptr;
}

int bench_search(const BenchSearchOptions& options) {
  require_known_strategies(options.settings.strategies);
  if (options.files.empty()) {
    throw UserError(ExitCode::usage, "no recorded space is given, and none is bundled");
  }
  if (!options.plot.empty()) require_writable(options.plot);  // now, not after all runs
  catch_interrupts();
  std::vector<SpaceScore> scores;
  for (RecordedSpace& recorded : read_all(options.files)) {
    const auto spec = spec_of(recorded, options.folders);
    if (spec) recorded.amounts = launch_amounts(*spec, recorded.of->problem, recorded.of->device);
    note_missing_metrics(recorded, options.settings.strategies);
    auto score = score_space(recorded, options.settings, interrupt_requested);
    if (!score) {
      throw UserError(ExitCode::interrupted, "interrupted; no scores of " + recorded.name);
    }
    if (!options.json) print_out(text_of(space_score_report(*score, options.settings)));
    flush_out();
    scores.push_back(std::move(*score));
  }
  if (options.json) {
    print_out(json_of(score_report(scores, options.settings), -1));
  } else if (scores.size() > 1) {
    print_out(text_of(mean_score_report(scores)));
  }
  if (!options.plot.empty()) write_whole_file(options.plot, score_plot(scores));
  return 0;
}

}  // namespace

void add_bench_search_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "bench-search", "Score search strategies on recorded spaces; needs no GPU");
  auto options = context.keep<BenchSearchOptions>();
  ScoreSettings& settings = options->settings;
  settings.threads = hardware_threads();
  command
      ->add_option("files", options->files,
                   "Fully measured spaces: gtune's recordings (.jsonl), Kernel Tuner's caches, T4 "
                   "results, gzipped or not [the bundled recordings]")
      ->type_name("FILE...");
  command
      ->add_option("--strategy", settings.strategies,
                   "Only these (repeatable) [all that need no metrics]")
      ->type_name(value_type::strategies)
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--seeds", settings.seeds, "Runs of each strategy")
      ->type_name(value_type::number)
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--evaluations", settings.evaluations,
                   "Maximum number of configurations that a run tries")
      ->type_name(value_type::number)
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command
      ->add_option("--outstanding", settings.outstanding,
                   "Number of configurations asked for before the first result is known")
      ->type_name(value_type::number)
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--threads", settings.threads, "Number of runs in parallel [one per core]")
      ->type_name(value_type::number)
      ->check(CLI::Range(1, 1024));
  command->add_option("--plot", options->plot, "Write best-so-far curves to this SVG file")
      ->type_name(value_type::file);
  command->add_flag("--json", options->json, "Print as JSON, with the curves");
  add_examples(*command,
               {"# All strategies on the bundled recordings", "gtune bench-search",
                "# Two of them on your own space",
                "gtune bench-search --strategy guided,random --plot curves.svg space.jsonl"});
  command->callback([&context, options] {
    context.action = [options, folders = context.folders] {
      options->folders = folders;
      if (options->settings.strategies.empty()) {
        for (const StrategyInfo& info : strategies()) {
          if (!info.wants_metrics) options->settings.strategies.emplace_back(info.name);
        }
      }
      if (options->files.empty()) options->files = recordings_to_score(folders);
      return bench_search(*options);
    };
  });
}

}  // namespace gtune
