#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "answer/query_service.hpp"
#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/current_identity.hpp"
#include "cli/database_choice.hpp"
#include "cli/kernel_action.hpp"
#include "cli/kernel_finder.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "cli/own_source_texts.hpp"
#include "cli/page_file.hpp"
#include "cli/parsers.hpp"
#include "cli/timing_options.hpp"
#include "model/error.hpp"
#include "spec/problem_text.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

struct ReportOptions {
  std::string tuned_by;  // "gtune sgemm", "gtune tune FILE.toml"
  SizeOptions sizes;
  std::string device;
  DatabaseOptions databases;
  std::string file;
  TimingOptions timing;
};

/// The best of every stored problem, or of those that the sizes name.
std::vector<BestRow> asked_rows(const Database& database, const KernelIdentity& identity,
                                const KernelSpec& spec, const ReportOptions& options) {
  std::vector<std::optional<Problem>> problems = {std::nullopt};
  if (options.sizes.any()) {
    problems.clear();
    for (const Problem& problem : options.sizes.problems(spec)) problems.emplace_back(problem);
  }
  return stored_rows(database, identity, problems, options.device);
}

/// Notes the sizes that were asked for and have no result, which the page leaves out.
void note_missing(const KernelSpec& spec, const std::vector<BestRow>& rows,
                  const ReportOptions& options) {
  if (!options.sizes.any()) return;
  for (const Problem& problem : options.sizes.problems(spec)) {
    const bool found = std::any_of(rows.begin(), rows.end(),
                                   [&](const BestRow& row) { return row.problem == problem; });
    if (!found) spdlog::info("note: no stored result of {}", problem_text(spec, problem));
  }
}

void write_page(const PageContents& contents, const std::string& file) {
  const std::string page = report_page(contents);
  if (file.empty()) {
    print_out(page);
  } else {
    write_whole_file(file, page);
  }
}

std::vector<NamedFile> inputs_of(const ReportOptions& options,
                                 const std::filesystem::path& kernel) {
  std::vector<NamedFile> inputs = options.databases.inputs();
  inputs.push_back({"the kernel", kernel});
  return inputs;
}

int report_kernel(const std::shared_ptr<const KernelSpec>& spec, const ReportOptions& options) {
  require_outputs({{"-o", options.file}}, inputs_of(options, spec->file));
  const KernelIdentity identity = current_identity(*spec);
  std::vector<BestRow> rows;
  const Results results =
      open_results({options.tuned_by, options.databases, options.timing.asked()}, identity,
                   [&](const Database& database) {
                     rows = asked_rows(database, identity, *spec, options);
                     return !rows.empty();
                   });
  if (rows.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    nothing_asked_line(results.database, identity, *spec, options.device,
                                       options.tuned_by, options.timing.asked()) +
                        tuned_sizes(results.database, identity, *spec));
  }
  note_sources(results, spec->name);
  note_missing(*spec, rows, options);
  const RecordSource source{
      results.database,   spec, identity, options.tuned_by, results.bundled(), &results.origins,
      texts_reader(*spec)};
  write_page(kernel_page(source, std::move(rows)), options.file);
  return 0;
}

int report_all(const std::vector<std::filesystem::path>& folders, const ReportOptions& options) {
  if (options.timing.asked()) {
    throw UserError(ExitCode::usage,
                    "--timing and --streams need a kernel: a page of all kernels has all modes");
  }
  require_outputs({{"-o", options.file}}, inputs_of(options, ""));
  KernelFinder kernels(folders);
  Results results = open_any_results(options.databases);
  if (results.bundled()) {
    spdlog::info("note: there is no database {}; these are bundled results, from {}",
                 results.in_place_of->string(), results.database.path().string());
  }
  write_page(overview_page(results, kernels, options.device), options.file);
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "report", "Write stored results as one HTML page, for a kernel or for all of a database");
  add_kernel_argument(*command);
  command->get_option(k_kernel_argument)->required(false);
  auto options = context.keep<ReportOptions>();
  add_output_option(*command, options->file, kernel);
  add_device_name_option(*command, options->device);
  options->timing.add_to_reading(*command);
  options->databases.add_to(*command);
  add_examples(*command, {"# Everything stored of a kernel", "gtune report sgemm -o sgemm.html",
                          "# One problem, with every configuration",
                          "gtune report sgemm --M 4096 -o m4096.html",
                          "# All kernels of a database", "gtune report --db team.db -o team.html"});
  if (kernel == nullptr) {
    command->callback([&context, options] {
      context.action = [options, folders = context.folders] {
        return report_all(folders, *options);
      };
    });
    return;
  }
  add_variant_options(*command, kernel->variants);
  options->tuned_by = kernel->tuned_by();
  options->sizes.add_to(*command, *kernel->spec);
  command->callback([&context, spec = kernel->spec, options] {
    context.action = [spec, options] { return report_kernel(spec, *options); };
  });
}

}  // namespace gtune
