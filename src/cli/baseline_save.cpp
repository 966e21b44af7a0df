#include <fmt/format.h>

#include "answer/query_service.hpp"
#include "cli/baseline_commands.hpp"
#include "cli/common_options.hpp"
#include "cli/current_identity.hpp"
#include "cli/current_rules.hpp"
#include "cli/database_choice.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweep.hpp"
#include "cli/timing_options.hpp"
#include "cli/value_types.hpp"
#include "gate/gate_report.hpp"
#include "gate/kernel_check.hpp"
#include "model/error.hpp"
#include "space/narrowing.hpp"
#include "spec/given_sizes.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"
#include "system/folder_lock.hpp"
#include "system/shell_word.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

constexpr int default_round_count = 20;

struct SaveOptions {
  GateOptions gate;
  std::vector<std::string> kernels;
  SweepOptions sweep;  // of the only kernel
  std::string config;
  DatabaseOptions databases;
  TimingOptions timing;
  int round_count = default_round_count;
};

/// A problem to save and the configuration to measure on it.
struct Held {
  Problem problem;
  Config config;
};

/// A kernel to measure.
struct SavePlan {
  const AskedKernel* kernel = nullptr;
  GateDevice device;
  std::vector<Held> held;
};

/// Measures problems of kernels into a file of reference times.
class SaveCommand {
 public:
  /// `first`: the first kernel, in the variant that the command line chose.
  SaveCommand(const SaveOptions& options, AskedKernel first, const std::vector<fs::path>& folders)
      : m_options(options),
        m_finder(folders),
        m_progress(options.gate.quiet ? ProgressLine::Style::quiet
                                      : ProgressLine::Style::automatic) {
    m_kernels.push_back(std::move(first));
    for (std::size_t i = 1; i < options.kernels.size(); ++i) {
      m_kernels.push_back(find_asked_kernel(options.kernels[i], m_finder));
    }
  }

  int run() {
    require_unambiguous();
    require_apart();
    if (const auto times = read_file()) m_device = times->device;
    const std::vector<SavePlan> plans = plan_kernels();
    catch_interrupts();
    for (const SavePlan& plan : plans) save_kernel(plan);
    m_progress.clear();
    if (!m_saved.empty()) {
      write_times();
      print_out(render(saved_report(m_options.gate.file, device_text(*m_device), m_saved),
                       m_options.gate.json ? Format::json : Format::text));
    }
    if (m_failures.empty()) return 0;
    throw UserError(ExitCode::failed, fmt::format("not saved: {}", fmt::join(m_failures, "; ")));
  }

 private:
  [[nodiscard]] bool sizes_given() const {
    return m_options.sweep.sizes.any() || !m_options.sweep.shapes.empty();
  }

  void require_unambiguous() const {
    const bool of_one =
        sizes_given() || !m_options.config.empty() || !m_kernels.front().chosen.empty();
    if (m_kernels.size() > 1 && of_one) {
      throw UserError(ExitCode::usage,
                      "sizes, --shapes, --config and variants are of one kernel: save the kernels "
                      "one after the other into the same file");
    }
    const bool has_sizes = !m_kernels.front().spec->sizes.empty();
    if (!m_options.config.empty() && has_sizes && !sizes_given()) {
      throw UserError(ExitCode::usage, "--config needs sizes or --shapes: on which problems?");
    }
  }

  /// Entries of other problems stay in the file.
  void require_apart() const {
    std::vector<NamedFile> inputs = m_options.databases.inputs();
    inputs.push_back({"--shapes", m_options.sweep.shapes});
    for (const AskedKernel& kernel : m_kernels) inputs.push_back({"a kernel", kernel.spec->file});
    require_outputs({{"the file of times", m_options.gate.file}}, inputs);
  }

  /// Absent if there is none yet.
  [[nodiscard]] std::optional<ReferenceTimes> read_file() const {
    std::error_code ignored;
    if (!fs::exists(m_options.gate.file, ignored)) return std::nullopt;
    return read_reference_times(m_options.gate.file);
  }

  /// Another process may have saved other problems since this one began.
  void write_times() const {
    const FolderLock lock(home_of(m_options.gate));
    ReferenceTimes times = read_file().value_or(ReferenceTimes{*m_device, {}});
    if (times.device != *m_device) throw other_model(times.device, *m_device);
    for (const SavedProblem& each : m_saved) times.put(each.entry);
    write_whole_file(m_options.gate.file, reference_times_text(times));
  }

  /// What to measure, before anything is. A kernel without a stored result is a failure, unless
  /// there is no other.
  [[nodiscard]] std::vector<SavePlan> plan_kernels() {
    std::vector<SavePlan> plans;
    std::optional<UserError> nothing;
    for (const AskedKernel& kernel : m_kernels) {
      try {
        plans.push_back(plan_of(kernel));
      } catch (const UserError& error) {
        if (error.code() != ExitCode::nothing_stored) throw;
        if (!nothing) nothing = error;
        m_failures.emplace_back(error.what());
      }
    }
    if (plans.empty() && nothing) throw UserError(*nothing);
    return plans;
  }

  [[nodiscard]] SavePlan plan_of(const AskedKernel& kernel) {
    const KernelSpec& spec = *kernel.spec;
    SavePlan plan{
        &kernel,
        choose_gate_device(m_options.gate, spec, expand_problems(spec, given_first()).front(),
                           m_finder.data_folders()),
        {}};
    require_model(plan.device.facts);
    plan.held = held_problems(kernel, plan.device.facts);
    return plan;
  }

  void save_kernel(const SavePlan& plan) {
    const KernelSpec& spec = *plan.kernel->spec;
    try {
      const GateSession session(gate_session_options(m_options.gate, plan.device.choice), spec,
                                m_progress, interrupt_requested);
      for (const Held& each : plan.held) save_problem(session, each);
    } catch (const UserError& error) {
      if (error.code() == ExitCode::interrupted) throw;
      if (error.code() == ExitCode::no_device && m_saved.empty()) throw;
      m_failures.push_back(spec.name + ": " + error.what());
    }
  }

  /// For plain `--device replay`, which looks for a recording of a problem.
  [[nodiscard]] std::map<std::string, std::vector<std::int64_t>> given_first() const {
    if (m_kernels.size() > 1 || !m_options.sweep.sizes.any()) return {};
    auto given = m_options.sweep.sizes.values(*m_kernels.front().spec);
    for (auto& [name, values] : given) values.resize(1);
    return given;
  }

  void require_model(const DeviceFacts& device) {
    const DeviceModel model = model_of(device);
    if (m_device && model != *m_device) throw other_model(*m_device, model);
    m_device = model;
  }

  [[nodiscard]] UserError other_model(const DeviceModel& of_file, const DeviceModel& here) const {
    return {ExitCode::usage,
            fmt::format("{} holds times of {}, and this is {}: save them to another file",
                        m_options.gate.file, text_of(of_file), text_of(here))};
  }

  [[nodiscard]] std::vector<Held> held_problems(const AskedKernel& kernel,
                                                const DeviceFacts& device) const {
    const KernelSpec& spec = *kernel.spec;
    const bool named = sizes_given() || spec.sizes.empty();
    std::vector<Problem> problems;
    if (named) problems = m_options.sweep.problems(spec);
    if (!m_options.config.empty()) {
      const Config config = parse_config(spec, m_options.config);
      std::vector<Held> held;
      for (const Problem& problem : problems) {
        require_valid(spec, {problem, config, device});
        held.push_back({problem, config});
      }
      return held;
    }
    Results results = open_stored_results(m_options.databases, spec.name);
    results.database.answer_of(m_options.timing.mode());
    note_sources(results, spec.name);
    return named ? best_of_named(results, kernel, problems, device)
                 : best_of_all(results, kernel, device);
  }

  [[nodiscard]] UserError tune_first(const Database& database, const AskedKernel& kernel,
                                     const DeviceFacts& device, const std::string& what,
                                     const std::string& sizes) const {
    const std::string timing = m_options.timing.mode().phrase();
    return {ExitCode::nothing_stored,
            fmt::format("no stored result of {}{} for '{}' in {}{}: tune first ({}{}{}{})",
                        kernel.spec->name, what, device.name, database.path().string(),
                        timing.empty() ? "" : " " + timing, kernel.tuned_by(), sizes,
                        m_options.timing.mode().options(),
                        device.replayed ? " --device " + shell_word(m_options.gate.device) : "")};
  }

  [[nodiscard]] std::vector<Held> best_of_named(const Results& results, const AskedKernel& kernel,
                                                const std::vector<Problem>& problems,
                                                const DeviceFacts& device) const {
    const auto found = find_answers_of(results.database, current_identity(*kernel.spec),
                                       current_rules(*kernel.spec), problems, device.name);
    std::vector<Held> held;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const auto fits = [&](const Answer& answer) { return answer.tier == Tier::exact; };
      const auto best = std::find_if(found[i].begin(), found[i].end(), fits);
      if (best == found[i].end()) {
        throw tune_first(results.database, kernel, device,
                         " at " + problem_text(*kernel.spec, problems[i]),
                         given_sizes(*kernel.spec, problems[i]));
      }
      held.push_back({problems[i], best->config});
    }
    return held;
  }

  [[nodiscard]] std::vector<Held> best_of_all(const Results& results, const AskedKernel& kernel,
                                              const DeviceFacts& device) const {
    const KernelIdentity identity = current_identity(*kernel.spec);
    std::vector<Held> held;
    for (const Answer& answer :
         answers_of_models(all_answers(results.database, identity, device.name))) {
      if (answer.row.device.replayed != device.replayed) continue;
      held.push_back({answer.row.problem, answer.config});
    }
    if (held.empty()) throw tune_first(results.database, kernel, device, "", "");
    return held;
  }

  void save_problem(const GateSession& session, const Held& held) {
    const KernelSpec& spec = session.environment().spec;
    const std::string name = spec.name + ' ' + problem_text(spec, held.problem);
    m_progress.begin_part(name + ": ");
    try {
      const ReferenceTime entry = measure_reference(
          session, {m_options.timing.mode(), m_options.gate.launch_limit_s * 1000},
          spec_in_file(spec), held.problem, held.config, m_options.round_count);
      m_saved.push_back({entry, sizes_text(&spec, entry), config_text(spec, entry.config)});
    } catch (const RoundFailed& failure) {
      m_failures.push_back(name + ": " + failure.what());
    }
  }

  /// "" for a bundled kernel, else the spec's file relative to that of the times.
  [[nodiscard]] std::string spec_in_file(const KernelSpec& spec) {
    const auto bundled = m_finder.find(spec.name);
    std::error_code ignored;
    if (bundled && fs::equivalent(bundled->file, spec.file, ignored)) return "";
    return fs::weakly_canonical(spec.file)
        .lexically_relative(home_of(m_options.gate))
        .generic_string();
  }

  const SaveOptions& m_options;
  KernelFinder m_finder;
  std::vector<AskedKernel> m_kernels;
  ProgressLine m_progress;
  std::optional<DeviceModel> m_device;  // of the file, or of the first kernel
  std::vector<SavedProblem> m_saved;
  std::vector<std::string> m_failures;
};

void add_save_options(CLI::App& command, SaveOptions& options) {
  command
      .add_option("--shapes", options.sweep.shapes,
                  "Read problems from a file: CSV with a line of names, or lines such as "
                  "4096x4096x512")
      ->type_name(value_type::file);
  command
      .add_option("--config", options.config,
                  "Hold this configuration, a value of every parameter [the best stored one]")
      ->type_name(value_type::configuration);
  command
      .add_option("--round-count", options.round_count,
                  "How often each problem is measured, each time in a new process")
      ->check(CLI::Range(static_cast<int>(fewest_reference_rounds),
                         static_cast<int>(most_reference_rounds)))
      ->type_name(value_type::number)
      ->capture_default_str()
      ->group(option_group::measuring);
  options.timing.add_to_measuring(command);
  options.databases.add_to(command);
  options.gate.add_to(command);
}

}  // namespace

void add_baseline_save(CLI::App& baseline, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = baseline.add_subcommand(
      "save", "Measure kernels and write the times that later versions are held to");
  auto options = context.keep<SaveOptions>();
  command
      ->add_option(k_argument_before_kernel, options->gate.file,
                   "The file of times (JSON); problems that it already has are measured again, "
                   "others stay")
      ->required()
      ->type_name(value_type::file);
  command
      ->add_option(k_kernel_argument, options->kernels,
                   "Kernels (see gtune list) or specs, FILE.toml. One kernel: its sizes and "
                   "variants follow it; without sizes, and for several kernels: all problems that "
                   "are stored for the device")
      ->required()
      ->type_name(value_type::kernel);
  add_save_options(*command, *options);
  add_examples(
      *command,
      {"# The best stored configurations at two sizes",
       "gtune baseline save gate.json sgemm --M 1024,4096", "# Every stored problem of two kernels",
       "gtune baseline save gate.json sgemm transpose",
       "# A kernel of your own, in one configuration",
       "gtune baseline save gate.json mykernel.toml --config BLOCK=256,UNROLL=4"});
  if (kernel == nullptr) return;
  add_variant_options(*command, kernel->variants);
  options->sweep.sizes.add_to(*command, *kernel->spec);
  command->callback([&context, options, asked = *kernel] {
    context.action = [options, asked, folders = context.folders] {
      return run_or_lose([&] { return SaveCommand(*options, asked, folders).run(); });
    };
  });
}

}  // namespace gtune
