#include "worker/own_allocation.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "model/error.hpp"
#include "system/child_process.hpp"

namespace gtune {
namespace {

constexpr EndPatience scancel_patience{std::chrono::seconds(10), std::chrono::seconds(0)};

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_job_id(std::string_view text) {
  constexpr std::size_t most_digits = 10;  // a job id has 32 bits; each array task has its own
  return !text.empty() && text.size() <= most_digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool makes_own_allocation(std::string_view launcher) {
  // srun inherits a job from these two, or takes it from --jobid, which may be abbreviated.
  if (!environment("SLURM_JOB_ID").empty() || !environment("SLURM_JOBID").empty()) return false;
  for (const std::string_view hint : {"SLURM_JOB", "--jobi", "$", "`"}) {
    if (launcher.find(hint) != std::string_view::npos) return false;  // an expansion may name a job
  }
  constexpr std::string_view blanks = " \t";
  launcher.remove_prefix(std::min(launcher.find_first_not_of(blanks), launcher.size()));
  const std::string_view program = launcher.substr(0, launcher.find_first_of(blanks));
  return program.substr(program.find_last_of('/') + 1) == "srun";
}

std::string cancel_own_allocation() {
  const std::string job(environment("SLURM_JOB_ID"));
  // Step 0 is that of the srun that made the allocation.
  if (!is_job_id(job) || environment("SLURM_STEP_ID") != "0") return "";
  if (!environment("SLURM_HET_SIZE").empty()) return "";  // its parts cannot be cancelled alone
  std::signal(SIGTERM, SIG_IGN);
  try {
    ChildProcess scancel({"scancel", job});
    const std::string end = scancel.end(scancel_patience);
    if (end == "exit code 0") return "Slurm job " + job + " is cancelled";
    return "scancel " + job + " failed (" + end + "): " + scancel.last_stderr_line();
  } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace gtune
