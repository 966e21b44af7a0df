#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/usage_error.hpp"
#include "gtune_version.hpp"
#include "model/error.hpp"
#include "spec/reserved_names.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

struct KernelCommand {
  const char* name;
  void (*add)(CLI::App& app, CommandContext& context, const AskedKernel* kernel);
};

constexpr KernelCommand kernel_commands[] = {
    {"tune", add_tune_command},     {"space", add_space_command},     {"query", add_query_command},
    {"export", add_export_command}, {"explain", add_explain_command}, {"run", add_run_command},
};

struct OtherCommand {
  const char* name;
  void (*add)(CLI::App& app, CommandContext& context);
  bool for_people = true;
};

constexpr OtherCommand other_commands[] = {
    {"db", add_db_command},
    {"list", add_list_command},
    {"devices", add_devices_command},
    {"metrics", add_metrics_command},
    {"bench-search", add_bench_search_command},
    {"worker", add_worker_command, false},
    {"compiler", add_compiler_command, false},
};

bool is_kernel_command(const std::string& name) {
  return std::any_of(std::begin(kernel_commands), std::end(kernel_commands),
                     [&](const KernelCommand& command) { return command.name == name; });
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// CLI11 takes the words from the last to the first.
void parse(CLI::App& app, const std::vector<std::string>& words) {
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
}

std::vector<CLI::App*> all_subcommands(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The command that was given, down to the last: `merge` of `gtune db merge`.
CLI::App& given_command(CLI::App& app) {
  CLI::App* given = &app;
  while (!given->get_subcommands().empty()) given = given->get_subcommands().front();
  return *given;
}

/// "db merge"
std::string full_name(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "";
  const std::string above = full_name(*command.get_parent());
  return above.empty() ? command.get_name() : above + " " + command.get_name();
}

/// A parser for the begin of a command line. Commands that are added to it are like it.
struct BeginParser : CLI::App {
  BeginParser() {
    set_help_flag();
    prefix_command();
    require_subcommand(1);
  }
};

/// Makes a parser take options up to the first word that is neither an option nor a value of one,
/// and keep the rest: that word is what the command is about, wherever options stand.
void read_options_only(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional()) command.remove_option(option);
  }
  command.add_flag("-h,--help");  // it ends the reading of everything, not this one
  for (CLI::App* below : all_subcommands(command)) read_options_only(*below);
}

/// What follows the options of a parser. What is wrong with them the reading of everything says.
std::vector<std::string> rest_of(CLI::App& app, const std::vector<std::string>& words) {
  read_options_only(app);
  app.add_flag("--version");
  try {
    parse(app, words);
  } catch (const CLI::ParseError&) {
  }
  return app.remaining(true);
}

/// `asked`: "gtune", or "gtune db" where its own commands are meant.
[[noreturn]] void refuse_unknown_command(const std::string& what, const std::string& word,
                                         const std::vector<std::string>& known,
                                         const std::string& asked) {
  throw UserError(ExitCode::usage, what + " '" + word + "'" + did_you_mean(word, known) + " (see " +
                                       asked + " --help)");
}

/// What a command line is about.
struct CommandSubject {
  std::string command;  // "query", "db"; empty where none is given, or it is a kernel's name
  std::optional<std::string> kernel;

  [[nodiscard]] bool tunes_by_name() const { return command.empty() && kernel; }
};

/// The command: nothing but names of commands need be known.
CommandSubject read_command(const std::vector<std::string>& words, KernelFinder& kernels) {
  BeginParser app;
  for (const KernelCommand& command : kernel_commands) app.add_subcommand(command.name);
  for (const OtherCommand& command : other_commands) app.add_subcommand(command.name);
  const std::vector<std::string> rest = rest_of(app, words);
  if (const CLI::App& given = given_command(app); &given != &app) {
    return {given.get_name(), std::nullopt};
  }
  if (rest.empty() || is_option(rest.front())) return {};
  if (kernels.find(rest.front())) return {"", rest.front()};
  std::vector<std::string> known = kernels.names();
  for (const KernelCommand& command : kernel_commands) known.emplace_back(command.name);
  for (const OtherCommand& command : other_commands) {
    if (command.for_people) known.emplace_back(command.name);
  }
  refuse_unknown_command("no kernel or command", rest.front(), known, "gtune");
}

/// The kernel that the command is about: the command's own options need be known.
std::optional<std::string> read_kernel(const std::string& name,
                                       const std::vector<std::string>& words) {
  BeginParser app;
  CommandContext context;
  declare_command(app, context, name, nullptr);
  const std::vector<std::string> rest = rest_of(app, words);
  if (rest.empty()) return std::nullopt;
  CLI::App& given = given_command(app);
  const std::string& word = rest.front();
  if (is_kernel_command(name)) {
    if (is_option(word)) throw option_before_kernel(given, word);
    return word;
  }
  std::vector<std::string> below;
  for (const CLI::App* command : all_subcommands(given)) below.push_back(command->get_name());
  if (!below.empty() && !is_option(word)) {
    refuse_unknown_command("gtune " + name + " has no command", word, below, "gtune " + name);
  }
  return std::nullopt;
}

CommandSubject read_subject(const std::vector<std::string>& words, KernelFinder& kernels) {
  CommandSubject subject = read_command(words, kernels);
  if (!subject.command.empty()) subject.kernel = read_kernel(subject.command, words);
  return subject;
}

/// For gtune --help.
void list_kernels_as_commands(CLI::App& app, KernelFinder& kernels) {
  for (const CatalogEntry& entry : kernels.all()) {
    const bool can_be_one =
        !is_reserved_command(entry.name) && CLI::detail::valid_name_string(entry.name);
    if (!can_be_one) continue;  // gtune list says so
    app.add_subcommand(entry.name, entry.error ? "(its spec has a mistake)" : entry.help)
        ->group("Kernels to tune");
  }
}

/// The whole command line, with the options of the kernel that it is about.
class FullReading {
 public:
  FullReading(const std::vector<std::string>& words, const CommandSubject& subject,
              const AskedKernel* kernel, KernelFinder& kernels)
      : m_app(
            "gtune tunes CUDA kernels: it compiles, checks and times the configurations of a\n"
            "kernel, keeps every result in a database, and tells the best.",
            "gtune") {
    m_app.set_version_flag("--version", std::string(version));
    m_app.require_subcommand(1);
    m_app.footer(
        "Examples:\n"
        "  gtune sgemm --M 4096 --device 0\n"
        "  gtune query sgemm --M 4096\n"
        "  gtune space sgemm --M 4096 --arch sm_90\n"
        "Exit codes: 0 done, 1 failed, 2 usage, 3 no usable device, 4 nothing valid found,\n"
        "5 nothing stored, 130 interrupted.");
    m_context.folders = kernels.data_folders();
    m_context.command_line = "gtune";
    for (const std::string& word : words) m_context.command_line += ' ' + word;
    if (subject.tunes_by_name()) {
      add_named_tune_command(m_app, m_context, *kernel);
    } else if (!subject.command.empty()) {
      declare_command(m_app, m_context, subject.command, kernel);
    } else {
      list_kernels_as_commands(m_app, kernels);
      declare_commands(m_app, m_context);
    }
    try {
      parse(m_app, words);
    } catch (const CLI::ParseError&) {
      m_error = std::current_exception();
    }
  }

  /// What was given for options that choose a variant.
  [[nodiscard]] std::map<std::string, std::string> values_of(
      const std::vector<VariantOption>& options) {
    std::map<std::string, std::string> values;
    for (const VariantOption& option : options) {
      const CLI::Option* given = given_command(m_app).get_option_no_throw("--" + option.name);
      if (given != nullptr && given->count() > 0) values[option.name] = given->results().back();
    }
    return values;
  }

  /// The kernel; absent where the command names none, or the parser did not get so far.
  [[nodiscard]] std::optional<std::string> kernel(const CommandSubject& subject) {
    const CLI::App& given = given_command(m_app);
    if (subject.tunes_by_name()) return given.get_name();
    for (const CLI::Option* option : given.get_options()) {
      if (option->get_positional() && option->count() > 0) return option->results().front();
    }
    return std::nullopt;
  }

  [[nodiscard]] bool failed() const { return m_error != nullptr; }

  /// The text of --help or --version, or throws UserError for what was wrong.
  [[nodiscard]] std::string text_in_place_of_action() {
    try {
      std::rethrow_exception(m_error);
    } catch (const CLI::CallForHelp&) {
      return m_app.help();
    } catch (const CLI::CallForVersion& asked) {
      return std::string(asked.what()) + '\n';
    } catch (const CLI::ParseError& error) {
      throw usage_error(m_app, error);
    }
  }

  [[nodiscard]] std::string command() { return full_name(given_command(m_app)); }
  [[nodiscard]] const std::function<int()>& action() const { return m_context.action; }
  void require_no_empty_values() const { gtune::require_no_empty_values(m_app); }

 private:
  CLI::App m_app;  // outlives the action: that asks whether options were given
  CommandContext m_context;
  std::exception_ptr m_error;
};

std::shared_ptr<FullReading> read_everything(const std::vector<std::string>& words,
                                             const CommandSubject& subject,
                                             std::optional<AskedKernel>& kernel,
                                             KernelFinder& kernels) {
  const auto read = [&] {
    try {
      return std::make_shared<FullReading>(words, subject, kernel ? &*kernel : nullptr, kernels);
    } catch (const CLI::ConstructionError& error) {
      if (!kernel) throw;
      throw UserError(ExitCode::usage,
                      kernel->spec->file.string() +
                          ": a size or variant cannot be an option of its name: " + error.what());
    }
  };
  auto reading = read();
  if (!kernel) return reading;
  AskedKernel variant = choose_variant(*kernel, reading->values_of(kernel->variants), kernels);
  if (variant.spec == kernel->spec) return reading;
  kernel = std::move(variant);
  return read();
}

}  // namespace

void declare_command(CLI::App& app, CommandContext& context, const std::string& name,
                     const AskedKernel* kernel) {
  for (const KernelCommand& command : kernel_commands) {
    if (command.name == name) command.add(app, context, kernel);
  }
  for (const OtherCommand& command : other_commands) {
    if (command.name == name) command.add(app, context);
  }
}

void declare_commands(CLI::App& app, CommandContext& context) {
  for (const KernelCommand& command : kernel_commands) command.add(app, context, nullptr);
  for (const OtherCommand& command : other_commands) command.add(app, context);
}

ParsedCommand parse_command_line(const std::vector<std::string>& words, KernelFinder& kernels) {
  const CommandSubject subject = read_subject(words, kernels);
  std::optional<AskedKernel> kernel;
  if (subject.kernel) {
    kernel = subject.command == "tune" ? read_asked_kernel(*subject.kernel, kernels)
                                       : find_asked_kernel(*subject.kernel, kernels);
  }
  const std::optional<AskedKernel> own = kernel;
  const auto reading = read_everything(words, subject, kernel, kernels);
  ParsedCommand parsed;
  parsed.command = subject.tunes_by_name() ? "tune" : reading->command();
  if (kernel) {
    parsed.kernel = kernel->name;
    parsed.spec = kernel->spec;
  }
  if (reading->failed()) {
    parsed.action = [text = reading->text_in_place_of_action()] {
      print_out(text);
      return 0;
    };
    return parsed;
  }
  reading->require_no_empty_values();
  // Both readings have the same options up to the kernel; all that follows rests on it.
  const bool same =
      !own ||
      (reading->kernel(subject) == subject.kernel &&
       choose_variant(*own, reading->values_of(own->variants), kernels).spec == kernel->spec);
  if (!same || !reading->action()) {
    throw UserError(ExitCode::usage,
                    "it is not clear which kernel is meant: give it first, as in gtune " +
                        subject.command + " KERNEL ...");
  }
  parsed.action = [reading] { return reading->action()(); };
  return parsed;
}

}  // namespace gtune
