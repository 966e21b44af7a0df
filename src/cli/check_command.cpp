#include "authoring/check_report.hpp"
#include "authoring/spec_check.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compile_all.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/spec_word.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "spec/spec_catalog.hpp"

namespace gtune {
namespace {

struct CheckOptions {
  std::string kernel;
  CheckSettings settings;
  bool json = false;
};

/// Also finds specs with mistakes, which the check is to report.
std::filesystem::path file_of(const std::string& kernel,
                              const std::vector<std::filesystem::path>& folders) {
  if (kernel.ends_with(".toml")) return kernel;
  const std::vector<CatalogEntry> found = find_specs(folders, {kernel});
  if (!found.empty()) return found.front().file;
  refuse_other_files(kernel);
  throw UserError(ExitCode::usage,
                  "no kernel '" + kernel + "'; expected a name from gtune list, or FILE.toml");
}

/// Notes that a bundled kernel has the same name: on the command line the name means that kernel.
void note_bundled_name(SpecCheck& check, const std::vector<std::filesystem::path>& folders) {
  if (check.kernel.empty()) return;
  for (const CatalogEntry& bundled : find_specs(folders, {check.kernel})) {
    std::error_code error;
    if (std::filesystem::equivalent(bundled.file, check.file, error)) continue;
    check.notes.push_back("a bundled kernel is called '" + check.kernel +
                          "' too, and commands that name it mean that one; give this one another "
                          "'name' in [kernel]");
  }
}

int show_check(const CheckOptions& options, const std::vector<std::filesystem::path>& folders) {
  SpecCheck check = check_spec(file_of(options.kernel, folders), kernel_folders(folders),
                               options.settings, compile_all);
  note_bundled_name(check, folders);
  print_out(render(check_report(check), options.json ? Format::json : Format::text));
  return static_cast<int>(check.passed() ? ExitCode::done : ExitCode::failed);
}

}  // namespace

void add_check_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "check", "Find a spec's mistakes, compile its kernels and compare arguments; needs no GPU");
  auto options = context.keep<CheckOptions>();
  command->add_option("spec", options->kernel, "A spec, FILE.toml, or a kernel's name")
      ->required()
      ->type_name(value_type::kernel);
  add_arch_option(*command, options->settings.arch, "Compile for this architecture");
  command
      ->add_option("--configs", options->settings.configs,
                   "Number of configurations to compile, chosen to have every value of every "
                   "parameter")
      ->check(CLI::Range(1, 1000))
      ->type_name(value_type::number)
      ->capture_default_str();
  add_json_flag(*command, options->json);
  add_examples(*command, {"gtune check mykernel.toml", "# More configurations, for another GPU",
                          "gtune check mykernel.toml --arch sm_80 --configs 32"});
  command->callback([&context, options] {
    context.action = [options, folders = context.folders] { return show_check(*options, folders); };
  });
}

}  // namespace gtune
