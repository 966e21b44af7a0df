#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Whether `launcher`, a shell's command line, is an srun that makes a Slurm allocation of its own.
/// A user's own allocation must never be cancelled, so in doubt the answer is no: for a script,
/// ssh, `--jobid`, and any srun that inherits a job, in salloc or sbatch.
[[nodiscard]] bool makes_own_allocation(std::string_view launcher);

/// Cancels the Slurm job that this process runs in, within 11 s. For a worker whose launcher made
/// the allocation and may be dead: by default, Slurm keeps the allocation until somebody cancels
/// it. Does nothing outside a job, in a later step, or in a heterogeneous job. The process ignores
/// SIGTERM afterwards, so it can still report its own job's end. Returns the report, or "".
std::string cancel_own_allocation();

}  // namespace gtune
