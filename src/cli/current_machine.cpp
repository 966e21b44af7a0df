#include "cli/current_machine.hpp"

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
  const auto folder = CubinCacheOptions::from_environment().folder;
  return folder.empty() ? StorageState{} : storage_state(folder);
}

StorageState database_state() {
  try {
    return storage_state(default_database_path());
  } catch (const UserError& error) {
    StorageState state;
    state.missing = error.what();
    return state;
  }
}

GpuState gpu_state(int index, const DeviceFacts& facts) {
  GpuState state = read_gpu_state(index, facts);
  try {
    state.lock_holder = GpuLock::holder(facts.uuid);
  } catch (const UserError& error) {
    state.lock_error = error.what();
  }
  return state;
}

/// Adds the GPUs, or why there is none.
void add_gpus(MachineState& machine, std::optional<int> device) {
  try {
    const std::vector<DeviceFacts> all = list_devices();
    if (device) {
      machine.gpus.push_back(gpu_state(*device, find_device(all, *device)));
      return;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      machine.gpus.push_back(gpu_state(static_cast<int>(i), all[i]));
    }
  } catch (const UserError& error) {
    machine.no_device = error.what();
  } catch (const CudaError& error) {  // such as a GPU that fell off its bus
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
