#include <fmt/format.h>

#include <chrono>

#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/kernel_options.hpp"
#include "cli/output.hpp"
#include "model/error.hpp"
#include "model/json.hpp"
#include "report/few_sizes.hpp"
#include "report/values_json.hpp"
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

void print_text(const KernelSpec& spec, const Problem& problem, const Enumeration& space,
                const SpaceOptions& options, double seconds) {
  print_out(fmt::format("{}  {}  {}\n{} of {} combinations are valid (enumerated in {:.3f} s)\n",
                        spec.name, problem.text(), options.arch, space.space.size(),
                        space.combinations, seconds));
  for (const Exclusion& exclusion : space.excluded) {
    print_out(
        fmt::format("  {:>12} excluded by {}\n", exclusion.combinations, exclusion.constraint));
  }
  if (!options.list) return;
  for (std::size_t i = 0; i < space.space.size(); ++i) {
    print_out(fmt::format("{}\n", space.space.config(i).text()));
  }
}

void print_json(const KernelSpec& spec, const Problem& problem, const Enumeration& space,
                const SpaceOptions& options, double seconds) {
  nlohmann::json excluded = nlohmann::json::object();
  for (const Exclusion& exclusion : space.excluded) {
    excluded[exclusion.constraint] = exclusion.combinations;
  }
  nlohmann::json out = {{"kernel", spec.name},         {"problem", values_json(problem)},
                        {"arch", options.arch},        {"combinations", space.combinations},
                        {"valid", space.space.size()}, {"excluded", excluded},
                        {"seconds", seconds}};
  if (options.list) {
    for (std::size_t i = 0; i < space.space.size(); ++i) {
      out["configurations"].push_back(space.space.config(i).text());
    }
  }
  print_out(fmt::format("{}\n", json_text(out, 2)));
}

int show_space(const KernelSpec& spec, const SpaceOptions& options) {
  const DeviceFacts& device = typical_device(options.arch);
  const Narrowing narrowing = parse_narrowing(spec, options.params);
  std::vector<Problem> empty;
  for (const Problem& problem : options.sizes.problems(spec)) {
    const auto start = std::chrono::steady_clock::now();
    const Enumeration space = enumerate(spec, problem, device, narrowing);
    const double seconds = seconds_since(start);
    (options.json ? print_json : print_text)(spec, problem, space, options, seconds);
    if (space.space.size() == 0) empty.push_back(problem);
  }
  if (empty.empty()) return static_cast<int>(ExitCode::done);
  flush_out();
  throw UserError(ExitCode::nothing_valid,
                  fmt::format("no configuration of {} is valid for {} on {}: loosen a constraint "
                              "that excludes them, or give other values",
                              spec.name, few_sizes(empty), options.arch));
}

}  // namespace

void add_space_command(CLI::App& app, CommandContext& context, const AskedKernel* kernel) {
  CLI::App* command = app.add_subcommand(
      "space", "Count a kernel's configurations, and what excludes the others; needs no GPU");
  add_kernel_argument(*command);
  auto options = context.keep<SpaceOptions>();
  command->add_option("--arch", options->arch, "sm_80, sm_86, sm_89, sm_90, sm_100, sm_120")
      ->capture_default_str();
  command->add_option("--param", options->params, "Narrow the space: NAME=VALUE,VALUE (repeatable)")
      ->allow_extra_args(false);
  command->add_flag("--list", options->list, "Print every valid configuration");
  command->add_flag("--json", options->json, "Print as JSON");
  if (kernel == nullptr) return;
  add_variant_options(*command, kernel->variants);
  options->sizes.add_to(*command, *kernel->spec);
  command->callback([&context, spec = kernel->spec, options] {
    context.action = [spec, options] { return show_space(*spec, *options); };
  });
}

}  // namespace gtune
