#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>

#include "cli/command_help.hpp"
#include "cli/command_subject.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/usage_error.hpp"
#include "cli/version_text.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

/// Parses the whole command line, including the options of its kernel.
class FullReading {
 public:
  FullReading(const std::vector<std::string>& words, const CommandSubject& subject,
              const AskedKernel* kernel, KernelFinder& kernels) {
    describe_program(m_app);
    m_context.folders = kernels.data_folders();
    m_context.command_line = "gtune";
    for (const std::string& word : words) m_context.command_line += ' ' + word;
    declare_for(m_app, m_context, subject, kernel, kernels);
    try {
      parse(m_app, words);
    } catch (const CLI::ParseError&) {
      m_error = std::current_exception();
    }
  }

  /// The given values of the options that choose a variant, by option name.
  [[nodiscard]] std::map<std::string, std::string> values_of(
      const std::vector<VariantOption>& options) {
    std::map<std::string, std::string> values;
    for (const VariantOption& option : options) {
      const CLI::Option* given = given_command(m_app).get_option_no_throw("--" + option.name);
      if (given != nullptr && given->count() > 0) values[option.name] = given->results().back();
    }
    return values;
  }

  /// The kernel; absent if the command names none, or if the parser stopped before it.
  [[nodiscard]] std::optional<std::string> kernel(const CommandSubject& subject) {
    const CLI::App& given = given_command(m_app);
    if (subject.tunes_by_name()) return given.get_name();
    for (const CLI::Option* option : given.get_options()) {
      if (!option->get_positional() || option->get_name() == k_argument_before_kernel) continue;
      if (option->count() > 0) return option->results().front();
    }
    return std::nullopt;
  }

  [[nodiscard]] bool failed() const { return m_error != nullptr; }

  /// What --help or --version does. Throws UserError if the command line is wrong.
  [[nodiscard]] std::function<void()> in_place_of_action() {
    try {
      std::rethrow_exception(m_error);
    } catch (const CLI::CallForHelp&) {
      return [help = command_help(given_command(m_app))] { print_help(help); };
    } catch (const CLI::CallForVersion&) {
      return [] { print_out(version_text()); };
    } catch (const CLI::ParseError& error) {
      throw usage_error(m_app, error);
    }
  }

  [[nodiscard]] std::string command() { return full_name(given_command(m_app)); }
  [[nodiscard]] const std::function<int()>& action() const { return m_context.action; }
  void require_no_empty_values() const { gtune::require_no_empty_values(m_app); }

 private:
  CLI::App m_app;  // outlives the action, which asks whether options were given
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
                          ": the name of a size or variant cannot be an option: " + error.what());
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
    parsed.action = [print = reading->in_place_of_action()] {
      print();
      return 0;
    };
    return parsed;
  }
  reading->require_no_empty_values();
  // The declared options depend on the kernel and its variant: all readings must agree on them.
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
