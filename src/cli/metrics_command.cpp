#include <algorithm>
#include <cctype>

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/metrics_report.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "gpu/device.hpp"
#include "model/checked_json.hpp"
#include "model/energy_use.hpp"
#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"
#include "profile/metric_catalog.hpp"

namespace gtune {
namespace {

struct MetricsOptions {
  std::string chip;
  std::vector<std::string> names;
  bool all = false;
  bool json = false;
};

/// The metrics that the user named; else the chip's familiar ones, and with --all every one.
std::vector<OfferedMetric> find_metrics(const MetricCatalog& catalog,
                                        const MetricsOptions& options) {
  std::vector<OfferedMetric> found;
  const auto add = [&](const std::string& name, std::string_view help, const std::string& metric) {
    const auto& facts = catalog.find(metric);
    if (facts) found.push_back({name, std::string(help), *facts});
  };
  if (!options.names.empty()) {
    for (const std::string& name : options.names) {
      const FamiliarMetric* familiar = find_familiar(name);
      add(name, familiar == nullptr ? "" : familiar->help, catalog.resolve(name));
    }
    return found;
  }
  for (const FamiliarMetric& each : familiar_metrics()) {
    const auto known = std::find_if(each.metrics.begin(), each.metrics.end(), [&](const auto& m) {
      return catalog.find(std::string(m)).has_value();
    });
    if (known != each.metrics.end()) add(std::string(each.name), each.help, std::string(*known));
  }
  if (!options.all) return found;
  for (const std::string& metric : catalog.metrics()) add(metric, "", metric);
  return found;
}

/// The chip of GPU 0; without a GPU, that of an H100 or H200.
std::string default_chip() {
  try {
    if (const auto chip = chip_of(list_devices().at(0).cc())) return *chip;
  } catch (const UserError&) {
    // No GPU, or no driver.
  }
  return "GH100";
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// gtune measures these itself, on every chip.
void refuse_energy(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!is_energy_metric(name)) continue;
    throw UserError(ExitCode::usage, name +
                                         " is no metric of CUPTI: gtune measures it with NVML's "
                                         "counter of energy (--metrics " +
                                         name + ")");
  }
}

int list_metrics(const MetricsOptions& options) {
  refuse_energy(options.names);
  const CuptiLibrary cupti;
  const MetricCatalog catalog(cupti, options.chip.empty() ? default_chip() : upper(options.chip));
  const Document report = metrics_report(catalog.chip(), find_metrics(catalog, options));
  print_out(render(report, options.json ? Format::json : Format::text));
  return 0;
}

}  // namespace

void add_metrics_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "metrics", "List the hardware metrics of a chip: unit, passes, description; needs no GPU");
  auto options = context.keep<MetricsOptions>();
  command
      ->add_option("names", options->names,
                   "Only these: familiar names (gld_efficiency) or CUPTI's own")
      ->type_name("METRIC...");
  command
      ->add_option("--chip", options->chip, "GA100, AD102, GH100, GB202, ... [GPU 0's, else GH100]")
      ->type_name(value_type::chip);
  command->add_flag("--all", options->all,
                    "List every counter that CUPTI has for the chip, in one of its forms");
  add_json_flag(*command, options->json);
  add_examples(*command, {"gtune metrics --chip GH100", "# What one name stands for",
                          "gtune metrics gld_efficiency"});
  command->callback(
      [&context, options] { context.action = [options] { return list_metrics(*options); }; });
}

}  // namespace gtune
