#include "gpu/nvml.hpp"

#include <dlfcn.h>

namespace gtune {
namespace {

// The few declarations that are used of nvml.h, which not every CUDA package contains.
using NvmlReturn = int;
using NvmlDevice = void*;
constexpr NvmlReturn nvml_success = 0;
constexpr int nvml_clock_sm = 1;
constexpr unsigned version_length = 80;

struct Nvml {
  NvmlReturn (*init)() = nullptr;
  NvmlReturn (*driver_version)(char*, unsigned) = nullptr;
  NvmlReturn (*device_by_uuid)(const char*, NvmlDevice*) = nullptr;
  NvmlReturn (*clock)(NvmlDevice, int, unsigned*) = nullptr;
  bool usable = false;
};

template <typename Function>
bool resolve(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

Nvml open_nvml() {
  Nvml nvml;
  // Never closed: the monitor lives as long as the worker.
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nvml;
  nvml.usable = resolve(library, "nvmlInit_v2", nvml.init) &&
                resolve(library, "nvmlSystemGetDriverVersion", nvml.driver_version) &&
                resolve(library, "nvmlDeviceGetHandleByUUID", nvml.device_by_uuid) &&
                resolve(library, "nvmlDeviceGetClockInfo", nvml.clock) &&
                nvml.init() == nvml_success;
  return nvml;
}

const Nvml& nvml() {
  static const Nvml opened = open_nvml();
  return opened;
}

}  // namespace

std::optional<std::string> nvml_driver_version() {
  char text[version_length] = {};
  if (!nvml().usable || nvml().driver_version(text, version_length) != nvml_success) {
    return std::nullopt;
  }
  return text;
}

struct ClockMonitor::Handle {
  NvmlDevice device = nullptr;
};

ClockMonitor::ClockMonitor(const std::string& uuid) {
  NvmlDevice device = nullptr;
  if (nvml().usable && nvml().device_by_uuid(uuid.c_str(), &device) == nvml_success) {
    m_handle = std::make_unique<Handle>(Handle{device});
  }
}

ClockMonitor::~ClockMonitor() = default;

std::optional<double> ClockMonitor::sm_clock_mhz() const {
  unsigned mhz = 0;
  if (!m_handle || nvml().clock(m_handle->device, nvml_clock_sm, &mhz) != nvml_success) {
    return std::nullopt;
  }
  return mhz;
}

}  // namespace gtune
