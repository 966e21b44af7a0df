#include "cli/app.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/data_folders.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/output.hpp"
#include "gtune_version.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"
#include "spec/suggestion.hpp"
#include "worker/worker_client.hpp"

namespace gtune {
namespace {

/// One line, whatever is quoted in it, and nothing that a terminal would take for a command.
int complain(const std::string& line, ExitCode code) {
  spdlog::error("gtune: {}", one_line(line));
  return static_cast<int>(code);
}

std::string join(int argc, char** argv) {
  std::string line = "gtune";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

/// The kernel or spec that a subcommand is about: its sizes become options, so it has to be
/// known before the command line is parsed. It may stand behind options and their values.
std::string kernel_of(const char* command, const CommandContext& context) {
  const std::vector<std::string>& words = context.words;
  if (words.size() < 2 || words.front() != command) return "";
  std::string first;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty() || word.front() == '-') continue;
    if (first.empty()) first = word;
    const bool named = std::any_of(context.specs.begin(), context.specs.end(),
                                   [&](const CatalogEntry& entry) { return entry.name == word; });
    if (named || word.ends_with(".toml")) return word;
  }
  return first;
}

/// The kernels that the command line names; all, where it asks what there is or names none.
std::vector<CatalogEntry> asked_specs(const CommandContext& context) {
  const std::vector<std::string>& words = context.words;
  if (words.empty() || words.front().starts_with('-')) return list_specs(context.folders);
  std::vector<CatalogEntry> named = find_specs(context.folders, words);
  return named.empty() ? list_specs(context.folders) : named;
}

/// CLI11 would only say that a subcommand is missing.
void require_known_command(const CLI::App& app, const CommandContext& context,
                           std::size_t place = 0) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty() || context.words.size() <= place) return;
  const std::string& word = context.words[place];
  if (word.starts_with('-')) return;
  std::vector<std::string> known;
  for (const CLI::App* command : commands) {
    if (command->get_name() == word) return require_known_command(*command, context, place + 1);
    if (!command->get_group().empty()) known.push_back(command->get_name());
  }
  if (place == 0) {
    for (const CatalogEntry& entry : list_specs(context.folders)) known.push_back(entry.name);
  }
  const std::string asked = place == 0 ? "gtune" : "gtune " + app.get_name();
  const std::string what = place == 0 ? "no kernel or command" : asked + " has no command";
  throw UserError(ExitCode::usage, what + " '" + word + "'" + did_you_mean(word, known) + " (see " +
                                       asked + " --help)");
}

/// The options of the command that was given: "--M", "--budget".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* given : app.get_subcommands()) {
    for (const CLI::Option* option : given->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

/// "--bugdet was not expected; did you mean '--budget'?"
std::string unexpected_line(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> extra = app.remaining(true);
  std::erase_if(extra, [](const std::string& word) { return !word.starts_with("--"); });
  if (extra.empty()) return error.what();
  const std::vector<std::string> known = option_names(app);
  const std::string word = extra.front().substr(0, extra.front().find('='));
  if (std::find(known.begin(), known.end(), word) != known.end()) {
    return "option " + word + " goes behind the command: gtune " +
           app.get_subcommands().front()->get_name() + " ... " + word;
  }
  return "option " + word + " is not known" + did_you_mean(word, known);
}

/// No option has an empty value: most likely a script's variable was not set.
void require_no_empty_values(const CLI::App& app) {
  for (const CLI::App* given : app.get_subcommands()) {
    for (const CLI::Option* option : given->get_options()) {
      if (option->get_expected_min() == 0) continue;  // flags
      const std::vector<std::string>& values = option->results();
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      throw UserError(ExitCode::usage,
                      option->get_name() + " is given an empty value (see --help)");
    }
    require_no_empty_values(*given);
  }
}

int parse_and_run(int argc, char** argv) {
  CLI::App app(
      "gtune tunes CUDA kernels: it compiles, checks and times the configurations of a\n"
      "kernel, keeps every result in a database, and tells the best.",
      "gtune");
  app.set_version_flag("--version", std::string(version));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  gtune sgemm --M 4096 --device 0\n"
      "  gtune query sgemm --M 4096\n"
      "  gtune space sgemm --M 4096 --arch sm_90\n"
      "Exit codes: 0 done, 1 failed, 2 usage, 3 no usable device, 4 nothing valid found,\n"
      "5 nothing stored, 130 interrupted.");
  CommandContext context;
  context.folders = data_folders();
  context.command_line = join(argc, argv);
  context.words.assign(argv + 1, argv + argc);
  context.specs = asked_specs(context);
  add_kernel_commands(app, context);
  add_tune_command(app, context, kernel_of("tune", context));
  add_space_command(app, context, kernel_of("space", context));
  add_query_command(app, context, kernel_of("query", context));
  add_export_command(app, context, kernel_of("export", context));
  add_explain_command(app, context, kernel_of("explain", context));
  add_run_command(app, context, kernel_of("run", context));
  add_db_command(app, context);
  add_list_command(app, context);
  add_devices_command(app, context);
  add_metrics_command(app, context);
  add_bench_search_command(app, context);
  add_process_commands(app, context);
  require_known_command(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {  // --help and --version
    return app.exit(help);
  } catch (const CLI::ExtrasError& error) {
    return complain(unexpected_line(app, error) + " (see --help)", ExitCode::usage);
  } catch (const CLI::RequiredError& error) {  // of a command, perhaps as an option is misspelt
    const bool has_command = !app.get_subcommands().empty();
    return complain((has_command ? error.what() : unexpected_line(app, error)) + " (see --help)",
                    ExitCode::usage);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (see --help)", ExitCode::usage);
  }
  require_no_empty_values(app);
  const int code = context.action();
  flush_out();
  return code;
}

}  // namespace

int run_app(int argc, char** argv) {
  set_up_log(false);
  // A closed pipe or a full disk is an error to report, not a reason to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return parse_and_run(argc, argv);
  } catch (const Interrupted&) {
    return complain("interrupted; what was measured is stored, the same command goes on",
                    ExitCode::interrupted);
  } catch (const UserError& error) {
    return complain(error.what(), error.code());
  } catch (const std::exception& error) {
    return complain(std::string("unexpected: ") + error.what(), ExitCode::failed);
  }
}

}  // namespace gtune
