#include "report/diagnosis_report.hpp"

#include <fmt/format.h>

namespace gtune {
namespace {

Table checks_table(const std::vector<HealthCheck>& checks) {
  Table table({json_column("check"), text_column(), column("", "value"), column("", "verdict"),
               column("", "advice")});
  table.key("checks");
  for (const HealthCheck& each : checks) {
    table.row({each.key, each.name, each.value, severity_text(each.judgement.severity),
               each.judgement.advice});
  }
  return table;
}

Cell list_cell(const auto& values) {
  std::vector<Cell> cells;
  for (const auto& value : values) cells.emplace_back(value);
  return cells;
}

Cell processes_cell(const std::optional<std::vector<unsigned>>& pids) {
  return pids ? list_cell(*pids) : Cell();
}

Cell mode_cell(const std::optional<PendingMode>& mode) { return mode ? Cell(mode->now) : Cell(); }

Cell known_text(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

void add_clock(Document& facts, const std::string& name, const ClockState& clock) {
  facts.data(name + "_clock_mhz", clock.now)
      .data("max_" + name + "_clock_mhz", clock.max)
      .data("application_" + name + "_clock_mhz", clock.application);
}

Document gpu_facts(const GpuState& gpu) {
  Document facts;
  add_clock(facts, "sm", gpu.sm_clock);
  add_clock(facts, "memory", gpu.memory_clock);
  return facts.data("clock_reasons", gpu.clock_reasons)
      .data("temperature_c", gpu.temperature_c)
      .data("slowdown_c", gpu.slowdown_c)
      .data("power_w", gpu.power_w)
      .data("power_limit_w", gpu.power_limit_w)
      .data("set_power_limit_w", gpu.set_power_limit_w)
      .data("default_power_limit_w", gpu.default_power_limit_w)
      .data("compute_processes", processes_cell(gpu.compute_processes))
      .data("graphics_processes", processes_cell(gpu.graphics_processes))
      .data("persistence_mode", gpu.persistence)
      .data("ecc_mode", mode_cell(gpu.ecc))
      .data("mig_mode", mode_cell(gpu.mig))
      .data("gpu_instance", gpu.gpu_instance)
      .data("compute_mode", gpu.compute_mode ? Cell(static_cast<int>(*gpu.compute_mode)) : Cell())
      .data("pcie_generation", gpu.pcie.generation)
      .data("max_pcie_generation", gpu.pcie.max_generation)
      .data("pcie_width", gpu.pcie.width)
      .data("max_pcie_width", gpu.pcie.max_width)
      .data("lock_holder", gpu.lock_holder);
}

Document machine_facts(const MachineState& machine) {
  return Document()
      .data("driver_version", machine.driver_version)
      .data("driver_cuda", machine.driver_cuda)
      .data("cuda_runtime", machine.runtime_version)
      .data("nvrtc", machine.nvrtc.version)
      .data("cupti", machine.cupti.version)
      .data("counters_for_admins_only", machine.counters.admins_only)
      .data("may_read_counters", machine.counters.may_read_counters)
      .data("cpu_governors", list_cell(machine.cpu_governors))
      .data("cubin_cache", known_text(machine.cubin_cache.path))
      .data("cubin_cache_most_bytes", machine.cubin_cache.most_bytes)
      .data("cubin_cache_free_bytes", machine.cubin_cache.free_bytes)
      .data("database", known_text(machine.database.path))
      .data("database_free_bytes", machine.database.free_bytes);
}

Document machine_part(const Diagnosis& diagnosis) {
  Document part("machine");
  return part.table(checks_table(diagnosis.machine()))
      .part(machine_facts(diagnosis.state()), "facts");
}

Document gpu_part(const GpuState& gpu, const std::vector<HealthCheck>& checks) {
  Document part(fmt::format("{}  {}", gpu.index, gpu.name.empty() ? "unknown GPU" : gpu.name));
  return part.data("index", gpu.index)
      .data("name", known_text(gpu.name))
      .data("uuid", known_text(gpu.uuid))
      .data("pci_bus_id", known_text(gpu.pci_bus_id))
      .table(checks_table(checks))
      .part(gpu_facts(gpu), "facts");
}

}  // namespace

Document diagnosis_report(const Diagnosis& diagnosis) {
  const MachineState& state = diagnosis.state();
  Document out;
  out.data("verdict", severity_text(diagnosis.worst())).part(machine_part(diagnosis), "machine");
  std::vector<Document> gpus;
  for (std::size_t i = 0; i < state.gpus.size(); ++i) {
    gpus.push_back(gpu_part(state.gpus[i], diagnosis.gpus()[i]));
  }
  out.parts(std::move(gpus), "devices");
  if (state.no_device.empty()) return out.data("no_device", Cell());
  return out.fact("no GPU to examine:", "no_device", state.no_device);
}

}  // namespace gtune
