#include "report/gpu_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>

namespace gtune {
namespace {

constexpr double near_limit = 0.95;  // of a clock or of a power limit
constexpr int warm_c = 10;           // below the threshold at which the clock is lowered
constexpr const char* not_reported = "not reported";
constexpr const char* wait_for_gtune =
    "another gtune is measuring: wait until it ends (with --no-wait, a second gtune fails)";

struct ClockReason {
  std::uint64_t bit;
  const char* words;
  Severity severity;
};

constexpr ClockReason clock_reasons[] = {
    {clock_reason::idle, "idle", Severity::ok},
    {clock_reason::application_clocks, "application clocks", Severity::note},
    {clock_reason::power_cap, "power limit", Severity::note},
    {clock_reason::hardware_slowdown, "hardware slowdown", Severity::bad},
    {clock_reason::sync_boost, "sync boost", Severity::note},
    {clock_reason::software_thermal, "heat (driver)", Severity::bad},
    {clock_reason::hardware_thermal, "heat (hardware)", Severity::bad},
    {clock_reason::power_brake, "power brake", Severity::bad},
    {clock_reason::display_clocks, "display clocks", Severity::note},
};

/// What selects this GPU in nvidia-smi -i: not CUDA's index, since nvidia-smi may count otherwise.
const std::string& smi_id(const GpuState& gpu) {
  return gpu.pci_bus_id.empty() ? gpu.uuid : gpu.pci_bus_id;
}

bool is_idle(const GpuState& gpu) {
  return gpu.clock_reasons && (*gpu.clock_reasons & clock_reason::idle) != 0;
}

/// Whether a clock is low under load; false if the load is unknown.
bool is_low_under_load(const ClockState& clock, const GpuState& gpu) {
  return clock.now && clock.max && gpu.clock_reasons && !is_idle(gpu) &&
         *clock.now < near_limit * *clock.max;
}

/// `unlock`: nvidia-smi's option that unlocks the clock.
HealthCheck clock_check(const char* key, const char* name, const char* unlock,
                        const ClockState& clock, const GpuState& gpu) {
  HealthCheck check{key, name, not_reported, Judgement::ok()};
  if (!clock.now) return check;
  check.value = clock.max ? fmt::format("{} of {} MHz", *clock.now, *clock.max)
                          : fmt::format("{} MHz", *clock.now);
  if (is_idle(gpu)) check.value += " (idle)";
  if (is_low_under_load(clock, gpu)) {
    check.judgement = Judgement::note(
        fmt::format("low under load: see clock limits; if none is listed, the clock may be locked, "
                    "and sudo nvidia-smi -i {} {} unlocks it",
                    smi_id(gpu), unlock));
  }
  return check;
}

HealthCheck application_clocks_check(const GpuState& gpu) {
  HealthCheck check{"application_clocks", "application clocks", not_reported, Judgement::ok()};
  const auto& sm = gpu.sm_clock;
  const auto& memory = gpu.memory_clock;
  if (!sm.application || !memory.application) return check;
  check.value = fmt::format("SM {}, memory {} MHz", *sm.application, *memory.application);
  const auto is_changed = [](const ClockState& clock) {
    return clock.default_application && clock.application != clock.default_application;
  };
  if (is_changed(sm) || is_changed(memory)) {
    check.judgement = Judgement::note(fmt::format(
        "not the default, so times hold only for these clocks; sudo nvidia-smi -i {} -rac restores "
        "the default",
        smi_id(gpu)));
  }
  return check;
}

std::string advice_on_reasons(Severity worst, std::uint64_t reasons) {
  constexpr std::uint64_t heat = clock_reason::software_thermal | clock_reason::hardware_thermal;
  if (worst == Severity::ok) return "";
  if ((reasons & heat) != 0) {
    return "the GPU is too hot and lowers its clock: wait until it has cooled, or improve its "
           "cooling";
  }
  if (worst == Severity::bad) {
    return "the hardware lowers the clock: check temperature, cooling and power cables";
  }
  return "the clock is held below its maximum, so times hold only for this clock";
}

HealthCheck clock_limits_check(const GpuState& gpu) {
  HealthCheck check{"clock_limits", "clock limits", not_reported, Judgement::ok()};
  if (!gpu.clock_reasons) return check;
  std::vector<std::string> words;
  Severity worst = Severity::ok;
  std::uint64_t unknown = *gpu.clock_reasons;
  for (const ClockReason& each : clock_reasons) {
    if ((*gpu.clock_reasons & each.bit) == 0) continue;
    words.emplace_back(each.words);
    worst = std::max(worst, each.severity);
    unknown &= ~each.bit;
  }
  if (unknown != 0) {
    words.push_back(fmt::format("unknown ({:#x})", unknown));
    worst = std::max(worst, Severity::note);
  }
  check.value = words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
  check.judgement = {worst, advice_on_reasons(worst, *gpu.clock_reasons)};
  return check;
}

HealthCheck temperature_check(const GpuState& gpu) {
  HealthCheck check{"temperature", "temperature", not_reported, Judgement::ok()};
  if (!gpu.temperature_c) return check;
  check.value = fmt::format("{} C", *gpu.temperature_c);
  if (!gpu.slowdown_c) return check;
  check.value += fmt::format(" (slows down at {} C)", *gpu.slowdown_c);
  if (*gpu.temperature_c >= *gpu.slowdown_c) {
    check.judgement = Judgement::bad("too hot, so the clock is lowered: wait, or improve cooling");
  } else if (*gpu.temperature_c >= *gpu.slowdown_c - warm_c) {
    check.judgement = Judgement::note(
        "near the threshold, so a long run may lower the clock: wait until the GPU has cooled, or "
        "improve its cooling");
  }
  return check;
}

/// Whether one limit in watts, which are shown whole, is below the other; false if one is unknown.
bool is_below(const std::optional<double>& limit, const std::optional<double>& other) {
  return limit && other && *limit < *other - 0.5;
}

/// The advice for an enforced limit below the default.
std::string advice_on_power_limit(const GpuState& gpu) {
  if (!is_below(gpu.set_power_limit_w, gpu.default_power_limit_w)) {
    return "something other than nvidia-smi -pl holds the limit below its default, which may lower "
           "the clock: check the power supply and the limits of the server";
  }
  return fmt::format(
      "the limit is below its default, which may lower the clock; sudo nvidia-smi -i {} -pl {:.0f} "
      "restores it",
      smi_id(gpu), *gpu.default_power_limit_w);
}

HealthCheck power_check(const GpuState& gpu) {
  HealthCheck check{"power", "power", not_reported, Judgement::ok()};
  if (!gpu.power_w) return check;
  check.value = fmt::format("{:.0f} W", *gpu.power_w);
  if (!gpu.power_limit_w) return check;
  check.value += fmt::format(" of {:.0f} W", *gpu.power_limit_w);
  if (*gpu.power_w >= near_limit * *gpu.power_limit_w) {
    check.judgement = Judgement::note(
        "at its limit, which lowers the clock: wait until other work on the GPU ends");
  } else if (is_below(gpu.power_limit_w, gpu.default_power_limit_w)) {
    check.judgement = Judgement::note(advice_on_power_limit(gpu));
  }
  return check;
}

std::string processes_text(const std::vector<unsigned>& pids, const char* kind) {
  return fmt::format("{} {} ({})", pids.size(), kind, fmt::join(pids, ", "));
}

Judgement judgement_of_compute(const GpuState& gpu) {
  if (gpu.mig && gpu.mig->now && !gpu.gpu_instance) {
    return Judgement::note(
        "they may be on other slices of this GPU, which share its power and heat: wait until they "
        "end if they are on this one");
  }
  if (gpu.lock_holder) return Judgement::bad(wait_for_gtune);
  return Judgement::bad(
      "they take time and bandwidth from the measured kernel: end them, or wait until they end");
}

HealthCheck processes_check(const GpuState& gpu) {
  HealthCheck check{"processes", "other processes", not_reported, Judgement::ok()};
  const auto& compute = gpu.compute_processes;
  const auto& graphics = gpu.graphics_processes;
  if (!compute && !graphics) return check;
  std::vector<std::string> words;
  if (compute && !compute->empty()) {
    words.push_back(processes_text(*compute, "compute"));
    check.judgement = judgement_of_compute(gpu);
  }
  if (graphics && !graphics->empty()) {
    words.push_back(processes_text(*graphics, "graphics"));
    if (check.judgement.severity == Severity::ok) {
      check.judgement =
          Judgement::note("a desktop disturbs measurements: use another GPU, or stop the desktop");
    }
  }
  check.value = words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
  if (!words.empty() && gpu.has_unlisted_processes) {
    check.judgement.advice += "; the ids are those of the host (gtune runs in a container)";
  }
  return check;
}

HealthCheck persistence_check(const GpuState& gpu) {
  HealthCheck check{"persistence_mode", "persistence mode", not_reported, Judgement::ok()};
  if (!gpu.persistence) return check;
  check.value = *gpu.persistence ? "on" : "off";
  if (!*gpu.persistence) {
    check.judgement = Judgement::note(fmt::format(
        "the driver unloads between runs: they start slowly, and locked clocks are lost; sudo "
        "nvidia-smi -i {} -pm 1 turns it on",
        smi_id(gpu)));
  }
  return check;
}

std::string mode_text(const PendingMode& mode) {
  std::string text = mode.now ? "on" : "off";
  if (mode.now != mode.pending) {
    text += mode.pending ? " (on after the next reset)" : " (off after the next reset)";
  }
  return text;
}

constexpr const char* pending_advice =
    "it changes at the next reset, and results from before and after do not compare: reset the GPU "
    "or reboot first";

HealthCheck ecc_check(const GpuState& gpu) {
  HealthCheck check{"ecc_mode", "ECC mode", not_reported, Judgement::ok()};
  if (!gpu.ecc) return check;
  check.value = mode_text(*gpu.ecc);
  if (gpu.ecc->now != gpu.ecc->pending) check.judgement = Judgement::note(pending_advice);
  return check;
}

HealthCheck mig_check(const GpuState& gpu) {
  HealthCheck check{"mig_mode", "MIG mode", not_reported, Judgement::ok()};
  if (!gpu.mig) return check;
  check.value = mode_text(*gpu.mig);
  if (gpu.mig->now) {
    check.judgement = Judgement::note(
        "gtune measures one slice: results hold only for such a slice, and other slices share its "
        "power and heat");
  } else if (gpu.mig->pending) {
    check.judgement = Judgement::note(pending_advice);
  }
  return check;
}

HealthCheck compute_mode_check(const GpuState& gpu) {
  HealthCheck check{"compute_mode", "compute mode", not_reported, Judgement::ok()};
  if (!gpu.compute_mode) return check;
  const std::string restore =
      fmt::format("sudo nvidia-smi -i {} -c 0 restores the default", smi_id(gpu));
  switch (*gpu.compute_mode) {
    case ComputeMode::shared:
      check.value = "default";
      break;
    case ComputeMode::exclusive_thread:
    case ComputeMode::exclusive_process:
      check.value = "exclusive";
      check.judgement = Judgement::note(
          "only one process may use the GPU, so gtune fails while another does; " + restore);
      break;
    case ComputeMode::prohibited:
      check.value = "prohibited";
      check.judgement = Judgement::bad("no process may use this GPU; " + restore);
      break;
    default:
      check.value = fmt::format("unknown ({})", static_cast<int>(*gpu.compute_mode));
  }
  return check;
}

std::string link_text(const std::optional<int>& generation, const std::optional<int>& width) {
  return fmt::format("{} x{}", generation ? std::to_string(*generation) : "?",
                     width ? std::to_string(*width) : "?");
}

HealthCheck pcie_check(const GpuState& gpu) {
  HealthCheck check{"pcie", "PCIe link", not_reported, Judgement::ok()};
  const PcieLink& link = gpu.pcie;
  if (!link.generation && !link.width) return check;
  check.value = fmt::format("generation {} of {}", link_text(link.generation, link.width),
                            link_text(link.max_generation, link.max_width));
  const bool narrow = link.width && link.max_width && *link.width < *link.max_width;
  const bool slow =
      link.generation && link.max_generation && *link.generation < *link.max_generation;
  if (narrow) {
    check.judgement = Judgement::note(
        "the link trained with fewer lanes than it can: reseat the GPU, check any riser");
  } else if (slow && gpu.clock_reasons && !is_idle(gpu)) {  // an idle link saves power
    check.judgement = Judgement::note(
        "slower than possible under load, so copies are slower: check the PCIe settings in the "
        "BIOS");
  }
  return check;
}

HealthCheck lock_check(const GpuState& gpu) {
  HealthCheck check{"gtune_lock", "gtune's lock", "free", Judgement::ok()};
  if (!gpu.lock_error.empty()) {
    check.value = "unusable";
    check.judgement = Judgement::bad(gpu.lock_error);
  } else if (gpu.lock_holder) {
    check.value = "held by " + *gpu.lock_holder;
    check.judgement = Judgement::bad(wait_for_gtune);
  }
  return check;
}

HealthCheck unreadable_check(const GpuState& gpu) {
  return {"properties", "properties", "cannot be read",
          Judgement::bad("the GPU does not answer, reset it or reboot: " + gpu.read_error)};
}

HealthCheck no_nvml_check() {
  return {"nvml", "NVML", "does not know this GPU",
          Judgement::note(
              "clocks, heat, power and other processes are unknown: libnvidia-ml.so.1 comes with "
              "the driver; in a container, set NVIDIA_DRIVER_CAPABILITIES=compute,utility")};
}

}  // namespace

std::vector<HealthCheck> gpu_checks(const GpuState& gpu) {
  if (!gpu.read_error.empty()) return {unreadable_check(gpu)};
  if (!gpu.known_to_nvml) return {no_nvml_check(), lock_check(gpu)};
  return {clock_check("sm_clock", "SM clock", "-rgc", gpu.sm_clock, gpu),
          clock_check("memory_clock", "memory clock", "-rmc", gpu.memory_clock, gpu),
          application_clocks_check(gpu),
          clock_limits_check(gpu),
          temperature_check(gpu),
          power_check(gpu),
          processes_check(gpu),
          persistence_check(gpu),
          ecc_check(gpu),
          mig_check(gpu),
          compute_mode_check(gpu),
          pcie_check(gpu),
          lock_check(gpu)};
}

}  // namespace gtune
