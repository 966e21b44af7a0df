#include "gpu/gpu_state.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace gtune {
namespace {

constexpr int thermometer_of_gpu = 0;
constexpr int threshold_of_slowdown = 1;
constexpr unsigned processes_that_may_start = 16;  // between the two calls that list them

using OfDevice = NvmlLibrary::OfDevice;
using OfDeviceAndKind = NvmlLibrary::OfDeviceAndKind;

std::optional<int> number(OfDevice* function, NvmlDevice device) {
  unsigned value = 0;
  if (function == nullptr || function(device, &value) != nvml_success) return std::nullopt;
  return static_cast<int>(value);
}

std::optional<int> number(OfDeviceAndKind* function, NvmlDevice device, int kind) {
  unsigned value = 0;
  if (function == nullptr || function(device, kind, &value) != nvml_success) return std::nullopt;
  return static_cast<int>(value);
}

std::optional<double> watts(OfDevice* function, NvmlDevice device) {
  const auto milliwatts = number(function, device);
  if (!milliwatts) return std::nullopt;
  return *milliwatts / 1000.0;
}

std::optional<PendingMode> pending_mode(NvmlLibrary::NowAndPending* function, NvmlDevice device) {
  unsigned now = 0;
  unsigned pending = 0;
  if (function == nullptr || function(device, &now, &pending) != nvml_success) return std::nullopt;
  return PendingMode{now != 0, pending != 0};
}

/// `gpu_instance`: only the processes of this slice.
std::optional<std::vector<unsigned>> processes(NvmlLibrary::Processes* function, NvmlDevice device,
                                               std::optional<int> gpu_instance) {
  if (function == nullptr) return std::nullopt;
  unsigned count = 0;
  const NvmlReturn counted = function(device, &count, nullptr);
  if (counted == nvml_success) return std::vector<unsigned>{};
  if (counted != nvml_insufficient_size) return std::nullopt;
  count += processes_that_may_start;
  std::vector<NvmlProcess> found(count);
  if (function(device, &count, found.data()) != nvml_success) return std::nullopt;
  found.resize(count);
  std::vector<unsigned> pids;
  for (const NvmlProcess& each : found) {
    if (!gpu_instance || std::cmp_equal(each.gpu_instance, *gpu_instance)) {
      pids.push_back(each.pid);
    }
  }
  return pids;
}

/// `application`: the kind of clock by which NVML names the application clock.
ClockState clock_state(const NvmlLibrary& library, NvmlDevice device, int kind, int application) {
  return {.now = number(library.clock, device, kind),
          .max = number(library.max_clock, device, kind),
          .application = number(library.application_clock, device, application),
          .default_application = number(library.default_application_clock, device, application)};
}

PcieLink pcie_link(const NvmlLibrary& library, NvmlDevice device) {
  return {.generation = number(library.pcie_generation, device),
          .max_generation = number(library.max_pcie_generation, device),
          .width = number(library.pcie_width, device),
          .max_width = number(library.max_pcie_width, device)};
}

/// Empty if CUDA does not know it.
std::string bus_id_of(int index) {
  char id[32] = {};
  if (cudaDeviceGetPCIBusId(id, sizeof id, index) != cudaSuccess) return "";
  return nvml_bus_id(id);
}

NvmlDevice device_by_uuid(const NvmlLibrary& library, const std::string& uuid) {
  NvmlDevice device = nullptr;
  return library.device_by_uuid(uuid.c_str(), &device) == nvml_success ? device : nullptr;
}

/// Null if NVML does not know the device. NVML knows a slice of a divided GPU by another UUID than
/// CUDA, so the whole GPU is found by its place on the bus.
NvmlDevice find_nvml_device(const NvmlLibrary& library, const GpuState& gpu) {
  if (NvmlDevice device = device_by_uuid(library, gpu.uuid)) return device;
  NvmlDevice device = nullptr;
  if (library.device_by_pci == nullptr || gpu.pci_bus_id.empty() ||
      library.device_by_pci(gpu.pci_bus_id.c_str(), &device) != nvml_success) {
    return nullptr;
  }
  return device;
}

/// Null if the device is no slice. NVML writes MIG- before the UUID of a slice, gtune GPU-.
NvmlDevice find_slice(const NvmlLibrary& library, const std::string& uuid) {
  constexpr std::size_t prefix = 3;
  return uuid.starts_with("GPU-") ? device_by_uuid(library, "MIG" + uuid.substr(prefix)) : nullptr;
}

}  // namespace

std::string nvml_bus_id(const std::string& cuda_bus_id) {
  constexpr std::size_t digits_of_domain = 8;
  const std::size_t domain = std::min(cuda_bus_id.find(':'), digits_of_domain);
  std::string id = std::string(digits_of_domain - domain, '0') + cuda_bus_id;
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) { return std::toupper(c); });
  return id;
}

GpuState read_gpu_state(const NvmlLibrary& library, NvmlDevice device, NvmlDevice slice) {
  GpuState state;
  state.known_to_nvml = true;
  state.sm_clock = clock_state(library, device, nvml_clock_sm, nvml_clock_graphics);
  state.memory_clock = clock_state(library, device, nvml_clock_memory, nvml_clock_memory);
  unsigned long long reasons = 0;
  if (library.clock_reasons != nullptr && library.clock_reasons(device, &reasons) == nvml_success) {
    state.clock_reasons = reasons;
  }
  state.temperature_c = number(library.temperature, device, thermometer_of_gpu);
  state.slowdown_c = number(library.temperature_threshold, device, threshold_of_slowdown);
  state.power_w = watts(library.power_mw, device);
  state.power_limit_w = watts(library.power_limit_mw, device);
  state.set_power_limit_w = watts(library.set_power_limit_mw, device);
  state.default_power_limit_w = watts(library.default_power_limit_mw, device);
  if (slice != nullptr) state.gpu_instance = number(library.gpu_instance, slice);
  state.compute_processes = processes(library.compute_processes, device, state.gpu_instance);
  state.graphics_processes = processes(library.graphics_processes, device, state.gpu_instance);
  if (const auto mode = number(library.persistence, device)) state.persistence = *mode != 0;
  state.ecc = pending_mode(library.ecc, device);
  state.mig = pending_mode(library.mig, device);
  if (const auto mode = number(library.compute_mode, device)) {
    state.compute_mode = static_cast<ComputeMode>(*mode);
  }
  state.pcie = pcie_link(library, device);
  return state;
}

GpuState read_gpu_state(int index, const DeviceFacts& facts) {
  GpuState identity;
  identity.index = index;
  identity.name = facts.name;
  identity.uuid = facts.uuid;
  identity.pci_bus_id = bus_id_of(index);
  if (!nvml().usable) return identity;
  const NvmlDevice device = find_nvml_device(nvml(), identity);
  if (device == nullptr) return identity;
  GpuState state = read_gpu_state(nvml(), device, find_slice(nvml(), facts.uuid));
  state.index = identity.index;
  state.name = identity.name;
  state.uuid = identity.uuid;
  state.pci_bus_id = identity.pci_bus_id;
  return state;
}

}  // namespace gtune
