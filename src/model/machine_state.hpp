#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What `gtune doctor` reads of a machine. An absent value is unknown: the driver, the device or the
// operating system does not report it.
namespace gtune {

/// A clock of a GPU, in MHz.
struct ClockState {
  std::optional<int> now;
  std::optional<int> max;
  std::optional<int> application;  // the limit that nvidia-smi -ac sets
  std::optional<int> default_application;
};

/// A mode that NVML reports now and for the time after the next reset.
struct PendingMode {
  bool now = false;
  bool pending = false;
};

struct PcieLink {
  std::optional<int> generation;
  std::optional<int> max_generation;
  std::optional<int> width;  // lanes
  std::optional<int> max_width;
};

/// Who may create a context on a GPU; the values are NVML's.
enum class ComputeMode : int {
  shared = 0,
  exclusive_thread = 1,
  prohibited = 2,
  exclusive_process = 3
};

/// Why a GPU's clock is lower than its maximum. The values are NVML's bits.
namespace clock_reason {
inline constexpr std::uint64_t idle = 0x1;
inline constexpr std::uint64_t application_clocks = 0x2;
inline constexpr std::uint64_t power_cap = 0x4;
inline constexpr std::uint64_t hardware_slowdown = 0x8;
inline constexpr std::uint64_t sync_boost = 0x10;
inline constexpr std::uint64_t software_thermal = 0x20;
inline constexpr std::uint64_t hardware_thermal = 0x40;
inline constexpr std::uint64_t power_brake = 0x80;
inline constexpr std::uint64_t display_clocks = 0x100;
}  // namespace clock_reason

/// A GPU, as NVML and the lock of gtune report it.
struct GpuState {
  int index = 0;
  std::string name;
  std::string uuid;
  std::string pci_bus_id;      // "00000000:1B:00.0", as nvidia-smi -i takes it; empty if unknown
  std::string read_error;      // why its properties cannot be read; empty if they can
  bool known_to_nvml = false;  // false: everything below but the lock is absent
  ClockState sm_clock;
  ClockState memory_clock;
  std::optional<std::uint64_t> clock_reasons;  // bits of clock_reason
  std::optional<int> temperature_c;
  std::optional<int> slowdown_c;  // at which the GPU lowers its clock
  std::optional<double> power_w;
  std::optional<double> power_limit_w;      // enforced: the lowest of all limits
  std::optional<double> set_power_limit_w;  // the limit that nvidia-smi -pl sets
  std::optional<double> default_power_limit_w;
  // Of the whole GPU, or if gpu_instance is known, of this slice.
  std::optional<std::vector<unsigned>> compute_processes;
  std::optional<std::vector<unsigned>> graphics_processes;
  bool has_unlisted_processes = false;  // /proc lacks one of these processes
  std::optional<bool> persistence;
  std::optional<PendingMode> ecc;
  std::optional<PendingMode> mig;
  std::optional<int> gpu_instance;  // MIG's number of this slice; absent without MIG
  std::optional<ComputeMode> compute_mode;
  PcieLink pcie;
  std::optional<std::string> lock_holder;  // "process 4711"; absent if no gtune holds the GPU
  std::string lock_error;                  // why the lock cannot be taken; empty if it can
};

/// A library of the toolkit that is opened at run time.
struct LibraryState {
  std::optional<std::string> version;  // "13.0"
  std::string missing;                 // why there is no version
};

/// Who may read hardware counters.
struct CounterAccess {
  std::optional<bool> admins_only;  // the driver's NVreg_RestrictProfilingToAdminUsers
  bool may_read_counters = false;   // this process may, because all may or by its capabilities
};

/// A place that gtune writes to.
struct StorageState {
  std::string path;                         // empty: not used
  std::optional<std::uint64_t> free_bytes;  // of the file system
  bool writable = false;
  std::string missing;           // why there is no such place
  std::uint64_t most_bytes = 0;  // that gtune keeps there; 0: no limit
};

/// A machine and its GPUs.
struct MachineState {
  std::optional<std::string> driver_version;  // "580.159.04"
  std::optional<std::string> driver_cuda;     // the newest CUDA that the driver supports: "13.0"
  std::string runtime_version;                // of the linked CUDA runtime
  LibraryState nvrtc;
  LibraryState cupti;
  CounterAccess counters;
  std::vector<std::string> cpu_governors;  // each once; empty if the system has none
  StorageState cubin_cache;
  StorageState database;
  std::vector<GpuState> gpus;
  std::string no_device;  // why there is no GPU, or not the one asked for; empty if there is
};

}  // namespace gtune
