#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// Whether `launcher`, a shell's command line, is an srun that makes a Slurm allocation of its own.
/// A user's own allocation must never be cancelled, so the answer is no in doubt: for a script,
/// ssh, `--jobid`, and any srun that inherits a job, in salloc or sbatch.
[[nodiscard]] bool makes_own_allocation(std::string_view launcher);

/// Cancels the Slurm job that this process runs in, within 11 s. For a worker whose launcher made
/// the allocation and may be dead: Slurm's default is to keep that until somebody cancels it. Does
/// nothing outside a job and in a heterogeneous one. The process ignores SIGTERM from then on, so
/// that it can still report after its own job's end. Returns the report, or nothing.
std::string cancel_own_allocation();

}  // namespace gtune
