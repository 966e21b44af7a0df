#include "report/diagnosis.hpp"

#include <algorithm>
#include <utility>

#include "report/gpu_checks.hpp"
#include "report/machine_checks.hpp"

namespace gtune {
namespace {

Severity worst_of(const std::vector<HealthCheck>& checks) {
  Severity worst = Severity::ok;
  for (const HealthCheck& each : checks) worst = std::max(worst, each.judgement.severity);
  return worst;
}

bool is_readable(const GpuState& gpu) { return gpu.read_error.empty(); }

}  // namespace

std::string severity_text(Severity severity) {
  if (severity == Severity::ok) return "OK";
  return severity == Severity::note ? "NOTE" : "BAD";
}

Diagnosis::Diagnosis(MachineState state)
    : m_state(std::move(state)), m_machine(machine_checks(m_state)) {
  for (const GpuState& gpu : m_state.gpus) m_gpus.push_back(gpu_checks(gpu));
}

Severity Diagnosis::worst() const {
  if (!m_state.no_device.empty()) return Severity::bad;
  Severity worst = worst_of(m_machine);
  for (const auto& checks : m_gpus) worst = std::max(worst, worst_of(checks));
  return worst;
}

ExitCode Diagnosis::exit_code() const {
  if (std::none_of(m_state.gpus.begin(), m_state.gpus.end(), is_readable)) {
    return ExitCode::no_device;
  }
  return worst() == Severity::bad ? ExitCode::failed : ExitCode::done;
}

}  // namespace gtune
