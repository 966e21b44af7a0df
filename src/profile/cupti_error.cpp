#include "profile/cupti_error.hpp"

namespace gtune {

std::optional<std::string> why_unavailable(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "the driver allows hardware counters to administrators only: run as root or with "
             "CAP_SYS_ADMIN, or load the driver with NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return "another profiler is using the hardware counters: end it (ncu, nsys, DCGM, a process "
             "with CUPTI) and try again";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "this virtual GPU has no hardware counters: use a GPU of its own or passed through";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "profiling is off for this virtual GPU: have its host turn it on "
             "(enable_profiling=1)";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "there are no hardware counters under confidential computing: turn it off, or profile "
             "on another machine";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return "this GPU is a mining processor, which has no hardware counters for users";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "this part of a GPU (MIG) has no hardware counters for users: use the whole GPU";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return "there are no hardware counters under SLI: turn it off";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "hardware counters cannot be read under this WSL: update Windows' driver and allow "
             "counters to all users in its control panel, or use Linux itself";
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another profiler is in this process: run without it (ncu, nsys, compute-sanitizer)";
    default:
      return std::nullopt;
  }
}

void check_cupti(const CuptiLibrary& cupti, CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  if (const auto reason = why_unavailable(result)) throw CountersUnavailable(*reason);
  const char* name = nullptr;
  if (cupti.result_string(result, &name) != CUPTI_SUCCESS || name == nullptr) name = "failed";
  throw CuptiError(std::string(what) + ": " + name + " (" + std::to_string(result) + ")");
}

}  // namespace gtune
