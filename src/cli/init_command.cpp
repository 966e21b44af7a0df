#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "authoring/check_report.hpp"
#include "authoring/kernel_facts.hpp"
#include "authoring/source_tokens.hpp"
#include "authoring/spec_check.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/compile_all.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/kernel_name.hpp"
#include "spec/spec_catalog.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  std::string source;
  std::string entry;
  std::string output;
  std::vector<std::string> includes;
  std::vector<std::string> definitions;
  std::string standard;
  std::vector<std::string> pre_includes;
  std::string arch = "sm_90";
};

/// Throws UserError (usage) if the file exists; it is never overwritten.
void write_new_file(const fs::path& file, const std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wx"),
                                                            std::fclose);
  if (!out && errno == EEXIST) {
    throw UserError(ExitCode::usage, file.string() +
                                         " exists and is left as it is: give another name with "
                                         "-o, or remove it");
  }
  if (!out || std::fwrite(text.data(), 1, text.size(), out.get()) != text.size() ||
      std::fflush(out.get()) != 0) {
    throw UserError(ExitCode::failed,
                    file.string() + " cannot be written: " + std::strerror(errno));
  }
}

std::string schema_file(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    const fs::path file = folder / "tuner_configs" / "gtune.schema.json";
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) return fs::absolute(file).lexically_normal().string();
  }
  return "";
}

void refuse_no_source(const std::string& source) {
  if (!source.ends_with(".toml")) return;
  throw UserError(ExitCode::usage, source +
                                       " is a spec; expected a CUDA source, FILE.cu (gtune check " +
                                       file_word(source) + " finds a spec's mistakes)");
}

/// The path of the new spec.
fs::path spec_file_for(const InitOptions& options) {
  if (options.output.empty()) return fs::path(options.source).replace_extension(".toml");
  fs::path file = options.output;
  if (file.extension() != ".toml") {
    throw UserError(ExitCode::usage, "-o " + options.output +
                                         " is not named like a spec; expected -o " +
                                         file_word(fs::path(file).replace_extension(".toml")));
  }
  return file;
}

/// Why the text is not a macro's definition; empty if it is one.
std::string check_definition(const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  const bool is_name = is_word(name) && source_tokens(name).size() == 1;
  return is_name ? "" : "expected NAME or NAME=VALUE, got '" + text + "'";
}

/// Options for the compiler. `from`: the folder that paths are relative to; empty: absolute paths.
std::vector<std::string> compiler_options_of(const InitOptions& options, const fs::path& from) {
  const auto path = [&](const std::string& text) {
    return (from.empty() ? fs::absolute(text).lexically_normal() : fs::proximate(text, from))
        .string();
  };
  std::vector<std::string> all;
  if (!options.standard.empty()) all.push_back("--std=" + options.standard);
  for (const std::string& folder : options.includes) all.push_back("-I" + path(folder));
  for (const std::string& file : options.pre_includes) all.push_back("--pre-include=" + path(file));
  for (const std::string& definition : options.definitions) all.push_back("-D" + definition);
  return all;
}

int init_spec(const InitOptions& options, const std::vector<fs::path>& folders) {
  refuse_no_source(options.source);
  const fs::path source = options.source;
  const fs::path file = spec_file_for(options);
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored))) write_new_file(file, "");  // throws
  const KernelQuestion question{source, options.entry, compiler_options_of(options, {}),
                                typical_device(options.arch).arch()};
  KernelFacts facts = find_kernel_facts(question, compile_all);
  const fs::path home = fs::absolute(file).parent_path();
  facts.source = fs::proximate(source, home).string();
  const std::vector<std::string> own = compiler_options_of(options, home);
  facts.options.insert(facts.options.begin(), own.begin(), own.end());
  facts.schema = schema_file(folders);
  const std::string stem = file.stem().string();
  if (kernel_name_like(stem) != stem) facts.kernel_name = kernel_name_like(stem);
  write_new_file(file, first_spec(facts));
  CheckSettings settings;
  settings.arch = options.arch;
  const SpecCheck check = check_spec(file, kernel_folders(folders), settings, compile_all);
  print_out(text_of(check_report(check)));
  if (!facts.kernel_name.empty()) {
    print_out(fmt::format("\nthe kernel is called {}: it cannot have the name '{}'\n",
                          facts.kernel_name, stem));
  }
  const std::string name = file_word(file.string());
  print_out(
      fmt::format("\nwrote {}: edit the lines with TODO, then gtune check {}, then gtune tune "
                  "{}\n",
                  name, name, name));
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_init_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "init", "Write a first spec for a kernel of your own, FILE.toml, and check it; needs no GPU");
  auto options = context.keep<InitOptions>();
  command->add_option("source", options->source, "The CUDA source, FILE.cu")
      ->required()
      ->type_name(value_type::source_file);
  command
      ->add_option("--entry", options->entry,
                   "The kernel to tune, perhaps with template arguments to keep, as in "
                   "'scale<float>' [the only one of the source]")
      ->type_name(value_type::entry);
  command
      ->add_option(
          "-o,--output", options->output,
          "The new spec; an existing file is never overwritten [the source's name with .toml]")
      ->type_name(value_type::spec_file);
  command
      ->add_option("-I,--include", options->includes,
                   "A folder where the source's includes are looked for; may be given repeatedly")
      ->type_name(value_type::folder)
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command
      ->add_option("-D,--define", options->definitions,
                   "A macro that the build defines; may be given repeatedly")
      ->type_name(value_type::definition)
      ->check(CLI::Validator(check_definition, ""))
      ->allow_extra_args(false);
  add_choices(command->add_option("--std", options->standard, "The language [the compiler's]"),
              value_type::standard, {"c++03", "c++11", "c++14", "c++17", "c++20"});
  command
      ->add_option("--pre-include", options->pre_includes,
                   "A file to include before the source; may be given repeatedly")
      ->type_name(value_type::file)
      ->check(CLI::ExistingFile)
      ->allow_extra_args(false);
  add_arch_option(*command, options->arch, "Compile for this architecture");
  add_examples(*command, {"gtune init mykernel.cu", "# One of several kernels",
                          "gtune init mykernels.cu --entry scale -o scale.toml"});
  command->callback([&context, options] {
    context.action = [options, folders = context.folders] { return init_spec(*options, folders); };
  });
}

}  // namespace gtune
