#include "report/machine_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "report/quantity.hpp"

namespace gtune {
namespace {

constexpr std::uint64_t little_space = std::uint64_t{1} << 30;       // bytes
constexpr std::uint64_t too_little_space = std::uint64_t{64} << 20;  // a run's measurements

/// {13, 0} for "13.0".
std::pair<int, int> version_numbers(const std::string& text) {
  std::pair<int, int> numbers{0, 0};
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, numbers.first);
  if (major.ptr != end) std::from_chars(major.ptr + 1, end, numbers.second);
  return numbers;
}

/// Whether a library's major version is newer than the CUDA version that the driver supports.
bool is_too_new(const std::string& library, const std::optional<std::string>& driver_cuda) {
  return driver_cuda && version_numbers(library).first > version_numbers(*driver_cuda).first;
}

HealthCheck driver_check(const MachineState& machine) {
  HealthCheck check{"driver", "NVIDIA driver", "", Judgement::ok()};
  if (machine.driver_version) {
    check.value = *machine.driver_version;
  } else if (machine.driver_cuda) {
    check.value = "present; version unknown without NVML";
  } else {
    check.value = "none";
    check.judgement = Judgement::bad(
        "install the NVIDIA driver; without it, gtune can only compile and replay recordings");
  }
  return check;
}

HealthCheck runtime_check(const MachineState& machine) {
  const auto& driver = machine.driver_cuda;
  HealthCheck check{"cuda_runtime", "CUDA runtime", machine.runtime_version, Judgement::ok()};
  if (!driver) return check;
  check.value += "; the driver supports " + *driver;
  if (is_too_new(machine.runtime_version, driver)) {
    check.judgement = Judgement::bad(
        fmt::format("the driver is too old for this gtune: install one for CUDA {} or newer, or "
                    "build gtune with an older toolkit",
                    machine.runtime_version));
  } else if (version_numbers(machine.runtime_version) > version_numbers(*driver)) {
    check.judgement = Judgement::note(
        "the driver is older than the runtime: kernels run, but newer features may be missing; "
        "update the driver if a call fails");
  }
  return check;
}

HealthCheck nvrtc_check(const MachineState& machine) {
  HealthCheck check{"nvrtc", "NVRTC", machine.nvrtc.version.value_or("not found"), Judgement::ok()};
  if (!machine.nvrtc.version) {
    check.judgement = Judgement::bad("no kernel can be compiled: " + machine.nvrtc.missing);
  } else if (is_too_new(*machine.nvrtc.version, machine.driver_cuda)) {
    check.judgement = Judgement::bad(
        "the driver cannot load what this NVRTC compiles: update the driver, or name an older one "
        "in GTUNE_NVRTC");
  }
  return check;
}

HealthCheck cupti_check(const MachineState& machine) {
  HealthCheck check{"cupti", "CUPTI", machine.cupti.version.value_or("not found"), Judgement::ok()};
  if (!machine.cupti.version) {
    check.judgement = Judgement::note("metrics will be missing: " + machine.cupti.missing);
  } else if (is_too_new(*machine.cupti.version, machine.driver_cuda)) {
    check.judgement = Judgement::note(
        "metrics will be missing: update the driver, or name an older CUPTI in GTUNE_CUPTI");
  }
  return check;
}

HealthCheck counters_check(const CounterAccess& access) {
  HealthCheck check{"counters", "hardware counters", "for all users", Judgement::ok()};
  if (!access.admins_only) {
    check.value = "unknown";
    check.judgement = Judgement::note(
        "the driver does not tell who may read them: /proc/driver/nvidia/params is missing");
  } else if (*access.admins_only && access.may_read_counters) {
    check.value = "administrators only; this user is one";
  } else if (*access.admins_only) {
    check.value = "administrators only";
    check.judgement = Judgement::note(
        "metrics will be missing: run gtune with CAP_PERFMON or CAP_SYS_ADMIN, or load the "
        "driver with NVreg_RestrictProfilingToAdminUsers=0");
  }
  return check;
}

HealthCheck governor_check(const std::vector<std::string>& governors) {
  HealthCheck check{"cpu_governor", "CPU governor", "not shown", Judgement::ok()};
  if (governors.empty()) return check;
  check.value = fmt::format("{}", fmt::join(governors, ", "));
  if (std::any_of(governors.begin(), governors.end(),
                  [](const std::string& each) { return each != "performance"; })) {
    check.judgement = Judgement::note(
        "CPU clocks vary, and so do times of short launches; sudo cpupower frequency-set -g "
        "performance stops that");
  }
  return check;
}

std::string space_text(const StorageState& place) {
  if (!place.free_bytes) return "unknown space at " + place.path;
  return fmt::format("{} free at {}",
                     quantity_text(static_cast<double>(*place.free_bytes), "byte", 3), place.path);
}

HealthCheck cache_check(const StorageState& cache) {
  HealthCheck check{"cubin_cache", "cubin cache", "off", Judgement::ok()};
  if (!cache.missing.empty()) {
    check.value = "unusable";
    check.judgement = Judgement::bad(cache.missing);
    return check;
  }
  if (cache.path.empty()) {
    check.judgement =
        Judgement::note("each run compiles every configuration again: set GTUNE_CACHE to a folder");
    return check;
  }
  check.value = space_text(cache);
  if (!cache.writable) {
    check.judgement = Judgement::note(
        "not writable, so each run compiles again: set GTUNE_CACHE to another folder");
  } else if (cache.free_bytes && *cache.free_bytes < cache.most_bytes) {
    check.judgement = Judgement::note(
        fmt::format("less than the cache's limit: free some, or set GTUNE_CACHE_MIB to at most {}",
                    *cache.free_bytes >> 20));
  }
  return check;
}

HealthCheck database_check(const StorageState& database) {
  HealthCheck check{"database", "database", "none", Judgement::ok()};
  if (database.path.empty()) {
    check.judgement = Judgement::bad(database.missing);
    return check;
  }
  check.value = space_text(database);
  if (!database.writable) {
    check.judgement =
        Judgement::bad("not writable: give --db FILE, or name another file in GTUNE_DB");
  } else if (database.free_bytes && *database.free_bytes < too_little_space) {
    check.judgement = Judgement::bad("results may not fit: free some space");
  } else if (database.free_bytes && *database.free_bytes < little_space) {
    check.judgement = Judgement::note("little space: free some before a long run");
  }
  return check;
}

}  // namespace

std::vector<HealthCheck> machine_checks(const MachineState& machine) {
  return {driver_check(machine),
          runtime_check(machine),
          nvrtc_check(machine),
          cupti_check(machine),
          counters_check(machine.counters),
          governor_check(machine.cpu_governors),
          cache_check(machine.cubin_cache),
          database_check(machine.database)};
}

}  // namespace gtune
