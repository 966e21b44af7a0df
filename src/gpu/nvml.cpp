#include "gpu/nvml.hpp"

#include "gpu/nvml_library.hpp"

namespace gtune {
namespace {

constexpr unsigned version_length = 80;

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
