#include "tune/energy_probe.hpp"

#include "model/error.hpp"

namespace gtune {

MeasureEnergyReply EnergyProbe::take(const Measure& run) {
  return m_asking.ask([&] {
    return m_env.workers.on_lead(
        [&](RestartingWorker& worker) { return worker.ask(MeasureEnergy{run}); });
  });
}

void require_energy(const Environment& environment, Objective objective) {
  const WorkerPool::Member& lead = environment.workers.lead();
  if (objective == Objective::time || lead.measures_energy) return;
  const std::string option = "--objective " + std::string(to_string(objective));
  if (lead.device.replayed) {
    throw UserError(ExitCode::nothing_stored,
                    option +
                        ": the recording has no energies; leave out --objective, or make a "
                        "recording with --metrics energy_mj on a GPU");
  }
  throw UserError(ExitCode::no_device, option + ": NVML reads no energy of " + lead.command.name +
                                           " (" + lead.device.name +
                                           "); leave out --objective, or use another GPU");
}

}  // namespace gtune
