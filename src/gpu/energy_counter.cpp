#include "gpu/energy_counter.hpp"

#include "gpu/nvml_library.hpp"

namespace gtune {

EnergyCounter::EnergyCounter(const std::string& uuid) {
  const NvmlLibrary& library = nvml();
  if (!library.usable || library.total_energy_mj == nullptr) return;
  if (library.device_by_uuid(uuid.c_str(), &m_device) != nvml_success) m_device = nullptr;
}

std::optional<double> EnergyCounter::total_mj() const {
  unsigned long long total = 0;
  if (m_device == nullptr || nvml().total_energy_mj(m_device, &total) != nvml_success) {
    return std::nullopt;
  }
  return static_cast<double>(total);
}

}  // namespace gtune
