#include <fmt/format.h>

#include <chrono>

#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/kernel_action.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/space_report.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "report/few_sizes.hpp"
#include "space/enumerate.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

struct SpaceOptions {
  SizeOptions sizes;
  std::vector<std::string> params;
  std::string arch = "sm_90";
  bool json = false;
  bool list = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int show_space(const KernelSpec& spec, const SpaceOptions& options) {
  const DeviceFacts& device = typical_device(options.arch);
  const Narrowing narrowing = parse_narrowing(spec, options.params);
  std::vector<Problem> empty;
  for (const Problem& problem : options.sizes.problems(spec)) {
    const auto start = std::chrono::steady_clock::now();
    const Enumeration space = enumerate(spec, problem, device, narrowing);
    const double seconds = seconds_since(start);
    print_out(render(space_report(spec, problem, options.arch, space, seconds, options.list),
                     options.json ? Format::json : Format::text));
    if (space.space.size() == 0) empty.push_back(problem);
  }
  if (empty.empty()) return static_cast<int>(ExitCode::done);
  flush_out();
  throw UserError(ExitCode::nothing_valid,
                  fmt::format("no configuration of {} is valid for {} on {}: loosen a constraint "
                              "that excludes them, or give other values",
                              spec.name, few_sizes(spec, empty), options.arch));
}

}  // namespace

void add_space_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "space", "Count a kernel's valid configurations and what excludes the others; needs no GPU");
  add_kernel_argument(*command);
  auto options = context.keep<SpaceOptions>();
  add_arch_option(*command, options->arch, "Limits of this architecture");
  add_param_option(*command, options->params);
  command->add_flag("--list", options->list, "Print every valid configuration");
  add_json_flag(*command, options->json);
  add_examples(*command, {"gtune space sgemm --M 4096 --arch sm_90",
                          "# Every configuration with these values",
                          "gtune space sgemm --M 4096 --param BM=64,128 --param BK=16 --list"});
  act_on_kernel(*command, context, kernel, options, show_space);
}

}  // namespace gtune
