#include "gpu/nvml_library.hpp"

#include <dlfcn.h>

#include <initializer_list>

namespace gtune {
namespace {

/// Finds the first of these symbols.
template <typename Function>
bool resolve(void* library, std::initializer_list<const char*> symbols, Function& function) {
  for (const char* symbol : symbols) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function != nullptr) return true;
  }
  return false;
}

void resolve_state(void* library, NvmlLibrary& nvml) {
  resolve(library, {"nvmlDeviceGetHandleByPciBusId_v2"}, nvml.device_by_pci);
  resolve(library, {"nvmlDeviceGetMaxClockInfo"}, nvml.max_clock);
  resolve(library, {"nvmlDeviceGetApplicationsClock"}, nvml.application_clock);
  resolve(library, {"nvmlDeviceGetDefaultApplicationsClock"}, nvml.default_application_clock);
  resolve(library,
          {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
          nvml.clock_reasons);
  resolve(library, {"nvmlDeviceGetTemperature"}, nvml.temperature);
  resolve(library, {"nvmlDeviceGetTemperatureThreshold"}, nvml.temperature_threshold);
  resolve(library, {"nvmlDeviceGetPowerUsage"}, nvml.power_mw);
  resolve(library, {"nvmlDeviceGetEnforcedPowerLimit"}, nvml.power_limit_mw);
  resolve(library, {"nvmlDeviceGetPowerManagementLimit"}, nvml.set_power_limit_mw);
  resolve(library, {"nvmlDeviceGetPowerManagementDefaultLimit"}, nvml.default_power_limit_mw);
  resolve(library, {"nvmlDeviceGetTotalEnergyConsumption"}, nvml.total_energy_mj);
  // Not the newest first: some drivers of branch 535 fill a longer NvmlProcess in _v3.
  resolve(library,
          {"nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses_v3"},
          nvml.compute_processes);
  resolve(library,
          {"nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses_v3"},
          nvml.graphics_processes);
  resolve(library, {"nvmlDeviceGetPersistenceMode"}, nvml.persistence);
  resolve(library, {"nvmlDeviceGetEccMode"}, nvml.ecc);
  resolve(library, {"nvmlDeviceGetMigMode"}, nvml.mig);
  resolve(library, {"nvmlDeviceGetGpuInstanceId"}, nvml.gpu_instance);
  resolve(library, {"nvmlDeviceGetComputeMode"}, nvml.compute_mode);
  resolve(library, {"nvmlDeviceGetCurrPcieLinkGeneration"}, nvml.pcie_generation);
  resolve(library, {"nvmlDeviceGetMaxPcieLinkGeneration"}, nvml.max_pcie_generation);
  resolve(library, {"nvmlDeviceGetCurrPcieLinkWidth"}, nvml.pcie_width);
  resolve(library, {"nvmlDeviceGetMaxPcieLinkWidth"}, nvml.max_pcie_width);
}

NvmlLibrary open_nvml() {
  NvmlLibrary nvml;
  // Never closed: the monitor lives as long as the worker.
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nvml;
  nvml.usable = resolve(library, {"nvmlInit_v2"}, nvml.init) &&
                resolve(library, {"nvmlSystemGetDriverVersion"}, nvml.driver_version) &&
                resolve(library, {"nvmlDeviceGetHandleByUUID"}, nvml.device_by_uuid) &&
                resolve(library, {"nvmlDeviceGetClockInfo"}, nvml.clock) &&
                nvml.init() == nvml_success;
  if (nvml.usable) resolve_state(library, nvml);
  return nvml;
}

}  // namespace

const NvmlLibrary& nvml() {
  static const NvmlLibrary opened = open_nvml();
  return opened;
}

}  // namespace gtune
