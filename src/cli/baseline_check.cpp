#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cli/baseline_commands.hpp"
#include "cli/common_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/progress_line.hpp"
#include "cli/share_argument.hpp"
#include "cli/value_types.hpp"
#include "gate/earlier_source.hpp"
#include "gate/gate_report.hpp"
#include "gate/kernel_check.hpp"
#include "model/error.hpp"
#include "spec/spec_catalog.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

struct GateCheckOptions {
  GateOptions gate;
  std::string against;
  std::string threshold = "1%";
  int most_rounds = GateTerms{}.most_rounds;
  std::string markdown;
  std::string junit;
};

/// The entries of one kernel, in the file's order.
struct KernelGroup {
  std::string kernel;
  std::string spec;
  std::vector<ReferenceTime> entries;
};

std::vector<KernelGroup> by_kernel(const ReferenceTimes& times) {
  std::vector<KernelGroup> groups;
  for (const ReferenceTime& entry : times.problems) {
    const auto same = [&](const KernelGroup& group) {
      return group.kernel == entry.kernel && group.spec == entry.spec;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {entry.kernel, entry.spec, {}});
    }
    group->entries.push_back(entry);
  }
  return groups;
}

GateTerms terms_of(const GateCheckOptions& options) {
  GateTerms terms;
  terms.threshold = parse_share("--threshold", options.threshold);
  terms.most_rounds = options.most_rounds;
  if (terms.threshold < 0.001 || terms.threshold > 1) {
    throw UserError(ExitCode::usage,
                    "--threshold " + options.threshold + ": expected 0.1% to 100%");
  }
  return terms;
}

/// Measures the problems of a file again and compares.
class CheckCommand {
 public:
  CheckCommand(const GateCheckOptions& options, const std::vector<fs::path>& folders)
      : m_options(options),
        m_finder(folders),
        m_progress(options.gate.quiet ? ProgressLine::Style::quiet
                                      : ProgressLine::Style::automatic) {
    m_result.file = options.gate.file;
    m_result.terms = terms_of(options);
    if (!options.against.empty()) m_earlier.emplace(options.against, home_of(options.gate));
  }

  int run() {
    m_times = read_reference_times(m_options.gate.file);
    m_result.device = m_times.device.name;
    if (m_times.problems.empty()) {
      throw UserError(ExitCode::usage, m_options.gate.file + " holds no problem to check");
    }
    require_outputs({{"--markdown", m_options.markdown}, {"--junit", m_options.junit}},
                    {{"the times", m_options.gate.file}});
    const std::vector<KernelGroup> groups = by_kernel(m_times);
    require_right_folder(groups);
    catch_interrupts();
    for (const KernelGroup& group : groups) check_kernel(group);
    m_progress.clear();
    report();
    require_comparison();
    return static_cast<int>(m_result.exit_code());
  }

 private:
  void check_kernel(const KernelGroup& group) {
    std::shared_ptr<const KernelSpec> spec;
    try {
      spec = present_spec(group);
    } catch (const UserError& error) {
      return fail_rest(group, nullptr, error.what());
    }
    const GateDevice device = choose_gate_device(
        m_options.gate, *spec, group.entries.front().problem, m_finder.data_folders());
    require_model(device.facts);
    std::optional<KernelSpec> before;
    std::string no_before;
    if (m_earlier) no_before = find_earlier(*spec, before);
    try {
      measure(group, *spec, before ? &*before : nullptr, std::move(no_before), device.choice);
    } catch (const UserError& error) {
      if (error.code() != ExitCode::failed) throw;
      fail_rest(group, spec.get(), error.what());
    }
  }

  [[nodiscard]] std::shared_ptr<const KernelSpec> present_spec(const KernelGroup& group) {
    if (!group.spec.empty()) {
      auto spec = m_finder.read(home_of(m_options.gate) / group.spec);
      if (spec->name == group.kernel) return spec;
      throw UserError(ExitCode::usage, spec->file.string() + " is of kernel '" + spec->name +
                                           "', not '" + group.kernel + "'");
    }
    if (auto spec = m_finder.find(group.kernel)) return spec;
    throw UserError(ExitCode::usage, "there is no kernel '" + group.kernel + "' (see gtune list)");
  }

  void require_model(const DeviceFacts& device) {
    if (model_of(device) != m_times.device) {
      throw UserError(
          ExitCode::no_device,
          fmt::format("{} holds times of {}, and this is {}: check on the same "
                      "device model, or save a file for this one",
                      m_options.gate.file, text_of(m_times.device), text_of(model_of(device))));
    }
    m_result.replayed = device.replayed;
  }

  /// Why there is no earlier version of the kernel; empty if there is one.
  std::string find_earlier(const KernelSpec& present, std::optional<KernelSpec>& before) {
    try {
      before = m_earlier->spec_of(present, kernel_folders(m_finder.data_folders()));
    } catch (const UserError& error) {
      if (error.code() != ExitCode::nothing_stored) throw;
      return error.what();
    }
    return "";
  }

  /// With a wrong folder, no problem could be compared. Kernels that are gone are no sign of it.
  void require_right_folder(const std::vector<KernelGroup>& groups) {
    if (!m_earlier || !m_earlier->is_folder()) return;
    bool has_present = false;
    for (const KernelGroup& group : groups) {
      try {
        if (m_earlier->has_file_of(*present_spec(group))) return;
        has_present = true;
      } catch (const UserError&) {  // reported when its turn comes
      }
    }
    if (!has_present) return;
    throw UserError(ExitCode::usage, "--against " + m_options.against +
                                         ": the folder has none of the kernels' specs; expected "
                                         "them as in the repository, or at its top");
  }

  /// A check that compared nothing must not pass.
  void require_comparison() const {
    if (!m_earlier || m_result.exit_code() != ExitCode::done) return;
    const bool any =
        std::any_of(m_result.problems.begin(), m_result.problems.end(),
                    [](const CheckedProblem& each) { return each.change.has_value(); });
    if (any) return;
    throw UserError(ExitCode::usage,
                    "--against " + m_options.against +
                        ": no problem could be compared: " + m_result.problems.front().reason);
  }

  void measure(const KernelGroup& group, const KernelSpec& spec, const KernelSpec* before,
               std::string no_before, const DeviceChoice& device) {
    SessionOptions session = gate_session_options(m_options.gate, device);
    const GateSession now(session, spec, m_progress, interrupt_requested);
    session.lock_gpus = false;  // `now` holds the lock
    std::optional<GateSession> earlier;
    try {
      if (before != nullptr) earlier.emplace(session, *before, m_progress, interrupt_requested);
    } catch (const UserError& error) {
      if (error.code() != ExitCode::failed) throw;
      no_before = error.what();
    }
    const KernelCheck check(now, earlier ? &*earlier : nullptr, std::move(no_before),
                            m_result.terms, m_options.gate.launch_limit_s * 1000);
    for (const ReferenceTime& entry : group.entries) {
      m_progress.begin_part(fmt::format("{}/{} {} {}: ", m_result.problems.size() + 1,
                                        m_times.problems.size(), entry.kernel,
                                        sizes_text(&spec, entry)));
      m_result.problems.push_back(check.check(entry));
    }
  }

  /// For a failure after which no other problem of the kernel can be measured.
  void fail_rest(const KernelGroup& group, const KernelSpec* spec, const std::string& reason) {
    for (const ReferenceTime& entry : group.entries) {
      const bool done =
          std::any_of(m_result.problems.begin(), m_result.problems.end(),
                      [&](const CheckedProblem& each) { return each.reference.replaces(entry); });
      if (!done) m_result.problems.push_back(failed_problem(spec, entry, reason));
    }
  }

  void report() {
    if (m_earlier) m_result.against = m_earlier->text();
    if (m_earlier && m_result.replayed) {
      spdlog::info("note: a recording answers for both sources");
    }
    if (!m_options.markdown.empty()) write_whole_file(m_options.markdown, gate_markdown(m_result));
    if (!m_options.junit.empty()) write_whole_file(m_options.junit, gate_junit(m_result));
    print_out(render(gate_report(m_result), m_options.gate.json ? Format::json : Format::text));
  }

  const GateCheckOptions& m_options;
  KernelFinder m_finder;
  ProgressLine m_progress;
  ReferenceTimes m_times;
  GateResult m_result;
  std::optional<EarlierSource> m_earlier;
};

void add_check_options(CLI::App& command, GateCheckOptions& options) {
  command
      .add_option(
          "--against", options.against,
          "Compare with this earlier source, measured in turn with the present one, instead "
          "of the times in the file: a git commit, branch or tag, or a folder")
      ->type_name(value_type::earlier_source);
  command
      .add_option("--threshold", options.threshold,
                  "Smallest slowdown to detect; changes under half of it are ignored")
      ->type_name(value_type::share)
      ->capture_default_str();
  command
      .add_option("--max-rounds", options.most_rounds,
                  "Maximum rounds per problem, each in a new process")
      ->check(CLI::Range(ChangeTest::first_look, 1000))
      ->type_name(value_type::number)
      ->capture_default_str()
      ->group(option_group::measuring);
  command.add_option("--markdown", options.markdown, "Also write a table for a pull request")
      ->type_name(value_type::file)
      ->group(option_group::output);
  command.add_option("--junit", options.junit, "Also write JUnit's XML")
      ->type_name(value_type::file)
      ->group(option_group::output);
  options.gate.add_to(command);
}

}  // namespace

void add_baseline_check(CLI::App& baseline, CommandContext& context) {
  CLI::App* command = baseline.add_subcommand(
      "check",
      "Measure the problems of a file again, and say for each: SAME, FASTER, SLOWER, UNSURE, or "
      "FAILED. Exit code 1 if one is SLOWER or FAILED");
  auto options = context.keep<GateCheckOptions>();
  command->add_option(k_argument_before_kernel, options->gate.file, "A file of gtune baseline save")
      ->required()
      ->type_name(value_type::file);
  add_check_options(*command, *options);
  add_examples(*command,
               {"gtune baseline check gate.json --junit gate.xml --markdown gate.md",
                "# The working tree against a branch, on the same GPU in turn",
                "gtune baseline check gate.json --against main", "# Only changes of 2 % matter",
                "gtune baseline check gate.json --threshold 2%"});
  command->callback([&context, options] {
    context.action = [options, folders = context.folders] {
      return run_or_lose([&] { return CheckCommand(*options, folders).run(); });
    };
  });
}

}  // namespace gtune
