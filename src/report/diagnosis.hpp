#pragma once

#include <string>
#include <vector>

#include "model/error.hpp"
#include "model/machine_state.hpp"
#include "report/health_check.hpp"

namespace gtune {

/// Judges from facts alone whether a machine is fit to measure, and how to fix what is not.
class Diagnosis {
 public:
  explicit Diagnosis(MachineState state);

  [[nodiscard]] const MachineState& state() const { return m_state; }
  [[nodiscard]] const std::vector<HealthCheck>& machine() const { return m_machine; }
  /// The checks of each GPU, in the order of state().gpus.
  [[nodiscard]] const std::vector<std::vector<HealthCheck>>& gpus() const { return m_gpus; }
  /// The worst severity of all checks; bad if there is no usable device.
  [[nodiscard]] Severity worst() const;
  /// no_device if there is no device whose properties can be read, failed if anything is bad, else
  /// done.
  [[nodiscard]] ExitCode exit_code() const;

 private:
  MachineState m_state;
  std::vector<HealthCheck> m_machine;
  std::vector<std::vector<HealthCheck>> m_gpus;
};

}  // namespace gtune
