#include "cli/current_machine.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "gpu/cuda_error.hpp"
#include "gpu/device.hpp"
#include "gpu/gpu_state.hpp"
#include "gpu/nvml.hpp"
#include "jit/cubin_cache.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "profile/counter_access.hpp"
#include "profile/cupti_library.hpp"
#include "store/default_path.hpp"
#include "system/cpu_governors.hpp"
#include "system/storage_state.hpp"
#include "worker/gpu_lock.hpp"

namespace gtune {
namespace {

LibraryState library_state(const std::function<std::string()>& find_version) {
  try {
    return {find_version(), ""};
  } catch (const UserError& error) {
    return {std::nullopt, error.what()};
  }
}

StorageState cubin_cache_state() {
  StorageState state;
  try {
    const auto cache = CubinCacheOptions::from_environment();
    if (!cache.folder.empty()) state = folder_state(cache.folder);
    state.most_bytes = cache.most_bytes;
  } catch (const UserError& error) {
    state.missing = error.what();
  }
  return state;
}

StorageState database_state() {
  try {
    return file_state(default_database_path());
  } catch (const UserError& error) {
    StorageState state;
    state.missing = error.what();
    return state;
  }
}

/// Whether /proc lists all of these processes.
bool are_listed(const std::optional<std::vector<unsigned>>& pids) {
  return !pids || std::all_of(pids->begin(), pids->end(), [](unsigned pid) {
    std::error_code error;
    return std::filesystem::exists("/proc/" + std::to_string(pid), error);
  });
}

GpuState gpu_state(int index) {
  GpuState state;
  try {
    state = read_gpu_state(index, read_device(index));
    state.has_unlisted_processes =
        !are_listed(state.compute_processes) || !are_listed(state.graphics_processes);
    state.lock_holder = GpuLock::holder(state.uuid);
  } catch (const CudaError& error) {
    state.index = index;
    state.read_error = error.what();
  } catch (const UserError& error) {
    state.lock_error = error.what();
  }
  return state;
}

/// Adds the GPUs, or why there is none.
void add_gpus(MachineState& machine, std::optional<int> device) {
  try {
    const int count = count_devices();
    if (device) {
      require_device(*device, static_cast<std::size_t>(count));
      machine.gpus.push_back(gpu_state(*device));
      return;
    }
    for (int i = 0; i < count; ++i) machine.gpus.push_back(gpu_state(i));
  } catch (const UserError& error) {
    machine.no_device = error.what();
  }
}

}  // namespace

MachineState current_machine(std::optional<int> device) {
  MachineState machine;
  machine.driver_version = nvml_driver_version();
  machine.driver_cuda = cuda_driver_version();
  machine.runtime_version = cuda_runtime_version();
  machine.nvrtc = library_state(nvrtc_version);
  machine.cupti = library_state(cupti_version);
  machine.counters = counter_access();
  machine.cpu_governors = cpu_governors();
  machine.cubin_cache = cubin_cache_state();
  machine.database = database_state();
  add_gpus(machine, device);
  return machine;
}

}  // namespace gtune
