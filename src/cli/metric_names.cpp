#include "cli/metric_names.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "gpu/device.hpp"
#include "model/energy_use.hpp"
#include "model/error.hpp"
#include "profile/familiar_metrics.hpp"
#include "profile/metric_catalog.hpp"
#include "spec/suggestion.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

/// CUPTI's own names begin with a hardware unit: "dram__bytes.sum".
bool is_cuptis_own(const std::string& name) { return name.find("__") != std::string::npos; }

std::optional<std::string> chip_of_choice(const std::vector<DeviceChoice>& devices) {
  if (devices.empty()) return std::nullopt;
  const DeviceChoice& device = devices.front();
  if (device.recording) return chip_of(read_recording_header(*device.recording).device.cc());
  return chip_of(find_device(list_devices(), device.index).cc());
}

std::unique_ptr<CuptiLibrary> cupti_if_any() {
  try {
    return std::make_unique<CuptiLibrary>();
  } catch (const UserError&) {
    return nullptr;
  }
}

}  // namespace

bool may_be_metric(const std::string& name) {
  return find_familiar(name) != nullptr || is_energy_metric(name) || is_cuptis_own(name);
}

void check_metric_names(const std::vector<std::string>& names,
                        const std::vector<DeviceChoice>& devices) {
  std::vector<std::string> own;
  for (const std::string& name : names) {
    if (find_familiar(name) != nullptr || is_energy_metric(name)) continue;
    if (!is_cuptis_own(name)) {
      std::vector<std::string> known = default_metrics();
      for (std::string& ours : energy_metric_names()) known.push_back(std::move(ours));
      throw UserError(ExitCode::usage, "--metrics " + name + ": no such metric" +
                                           did_you_mean(name, known) + " (see gtune metrics)");
    }
    own.push_back(name);
  }
  if (own.empty()) return;
  const auto cupti = cupti_if_any();
  const auto chip = chip_of_choice(devices);
  if (!cupti || !chip) return;
  const MetricCatalog catalog(*cupti, *chip);
  for (const std::string& name : own) {
    if (catalog.find(name)) continue;
    throw UserError(ExitCode::usage, "--metrics " + name + ": " + *chip + " has no such metric" +
                                         did_you_mean(name, catalog.metrics()) +
                                         " (see gtune metrics --all)");
  }
}

}  // namespace gtune
