#pragma once

namespace gtune {

// The few declarations that are used of nvml.h, which not every CUDA package contains.
using NvmlReturn = int;
using NvmlDevice = void*;
inline constexpr NvmlReturn nvml_success = 0;
inline constexpr NvmlReturn nvml_insufficient_size = 7;
inline constexpr int nvml_clock_graphics = 0;
inline constexpr int nvml_clock_sm = 1;
inline constexpr int nvml_clock_memory = 2;

/// nvmlProcessInfo_t of NVML's functions _v2. For _v3 it is longer in some drivers of branch 535.
struct NvmlProcess {
  unsigned pid = 0;
  unsigned long long used_memory = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};
static_assert(sizeof(NvmlProcess) == 24, "as NVML fills it");

/// NVML's functions. It comes with the driver and is opened at run time. All are null if it cannot
/// be opened; those that only GpuState and EnergyCounter need are null if NVML is too old for them.
struct NvmlLibrary {
  using OfDevice = NvmlReturn(NvmlDevice, unsigned*);
  using OfDeviceAndKind = NvmlReturn(NvmlDevice, int, unsigned*);
  using NowAndPending = NvmlReturn(NvmlDevice, unsigned*, unsigned*);
  using Processes = NvmlReturn(NvmlDevice, unsigned*, NvmlProcess*);

  NvmlReturn (*init)() = nullptr;
  NvmlReturn (*driver_version)(char*, unsigned) = nullptr;
  NvmlReturn (*device_by_uuid)(const char*, NvmlDevice*) = nullptr;
  OfDeviceAndKind* clock = nullptr;
  bool usable = false;  // all of the above are there, and NVML has started

  NvmlReturn (*device_by_pci)(const char*, NvmlDevice*) = nullptr;
  OfDeviceAndKind* max_clock = nullptr;
  OfDeviceAndKind* application_clock = nullptr;
  OfDeviceAndKind* default_application_clock = nullptr;
  NvmlReturn (*clock_reasons)(NvmlDevice, unsigned long long*) = nullptr;
  OfDeviceAndKind* temperature = nullptr;
  OfDeviceAndKind* temperature_threshold = nullptr;
  OfDevice* power_mw = nullptr;
  OfDevice* power_limit_mw = nullptr;
  OfDevice* set_power_limit_mw = nullptr;
  OfDevice* default_power_limit_mw = nullptr;
  NvmlReturn (*total_energy_mj)(NvmlDevice, unsigned long long*) = nullptr;
  Processes* compute_processes = nullptr;
  Processes* graphics_processes = nullptr;
  OfDevice* persistence = nullptr;
  NowAndPending* ecc = nullptr;
  NowAndPending* mig = nullptr;
  OfDevice* gpu_instance = nullptr;  // of a slice
  OfDevice* compute_mode = nullptr;
  OfDevice* pcie_generation = nullptr;
  OfDevice* max_pcie_generation = nullptr;
  OfDevice* pcie_width = nullptr;
  OfDevice* max_pcie_width = nullptr;
};

/// The machine's NVML, opened by the first call and never closed.
[[nodiscard]] const NvmlLibrary& nvml();

}  // namespace gtune
