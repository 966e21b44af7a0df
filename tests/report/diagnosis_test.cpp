#include "report/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/diagnosis_report.hpp"

namespace gtune {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

/// A GPU with nothing to complain about.
GpuState healthy_gpu() {
  GpuState gpu;
  gpu.name = "Made-up GPU";
  gpu.uuid = "GPU-made-up";
  gpu.pci_bus_id = "00000000:1B:00.0";
  gpu.known_to_nvml = true;
  gpu.sm_clock = {.now = 1980, .max = 1980, .application = 1980, .default_application = 1980};
  gpu.memory_clock = {.now = 2619, .max = 2619, .application = 2619, .default_application = 2619};
  gpu.clock_reasons = 0;
  gpu.temperature_c = 40;
  gpu.slowdown_c = 87;
  gpu.power_w = 120;
  gpu.power_limit_w = 700;
  gpu.set_power_limit_w = gpu.default_power_limit_w = 700;
  gpu.compute_processes.emplace();
  gpu.graphics_processes.emplace();
  gpu.persistence = true;
  gpu.ecc = PendingMode{true, true};
  gpu.mig = PendingMode{false, false};
  gpu.compute_mode = ComputeMode::shared;
  gpu.pcie = {.generation = 5, .max_generation = 5, .width = 16, .max_width = 16};
  return gpu;
}

/// A machine with nothing to complain about.
MachineState healthy_machine() {
  MachineState machine;
  machine.driver_version = "580.1";
  machine.driver_cuda = "13.0";
  machine.runtime_version = "13.0";
  machine.nvrtc.version = "13.0";
  machine.cupti.version = "13.0";
  machine.counters.admins_only = false;
  machine.cpu_governors = {"performance"};
  machine.cubin_cache = {"/home/you/.cache/gtune/cubin", 100 * gibibyte, true, "", gibibyte};
  machine.database = {"/home/you/gtune.db", 100 * gibibyte, true, ""};
  machine.gpus = {healthy_gpu()};
  return machine;
}

/// The check called `key` of the machine or of its first GPU.
HealthCheck check_of(const MachineState& machine, const std::string& key) {
  const Diagnosis diagnosis(machine);
  std::vector<HealthCheck> all = diagnosis.machine();
  if (!diagnosis.gpus().empty()) {
    all.insert(all.end(), diagnosis.gpus()[0].begin(), diagnosis.gpus()[0].end());
  }
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const HealthCheck& each) { return each.key == key; });
  if (found != all.end()) return *found;
  ADD_FAILURE() << "no check " << key;
  return {};
}

HealthCheck check_of(const GpuState& gpu, const std::string& key) {
  MachineState machine = healthy_machine();
  machine.gpus = {gpu};
  return check_of(machine, key);
}

void expect_check(const HealthCheck& check, Severity severity, const std::string& value,
                  const std::string& advice = "") {
  EXPECT_EQ(severity_text(check.judgement.severity), severity_text(severity)) << check.key;
  EXPECT_EQ(check.value, value) << check.key;
  EXPECT_NE(check.judgement.advice.find(advice), std::string::npos) << check.judgement.advice;
  EXPECT_EQ(check.judgement.advice.empty(), severity == Severity::ok) << check.judgement.advice;
}

TEST(Diagnosis, AHealthyMachineIsOkInEveryCheck) {
  const Diagnosis diagnosis(healthy_machine());
  EXPECT_EQ(diagnosis.machine().size(), 8U);
  ASSERT_EQ(diagnosis.gpus().size(), 1U);
  EXPECT_EQ(diagnosis.gpus()[0].size(), 13U);
  for (const HealthCheck& each : diagnosis.machine()) {
    EXPECT_EQ(each.judgement.severity, Severity::ok) << each.key;
  }
  for (const HealthCheck& each : diagnosis.gpus()[0]) {
    EXPECT_EQ(each.judgement.severity, Severity::ok) << each.key;
  }
  EXPECT_EQ(diagnosis.worst(), Severity::ok);
  EXPECT_EQ(diagnosis.exit_code(), ExitCode::done);
}

TEST(Diagnosis, ANoteDoesNotFailAndABadCheckDoes) {
  MachineState machine = healthy_machine();
  machine.gpus.push_back(healthy_gpu());
  machine.gpus[1].persistence = false;
  EXPECT_EQ(Diagnosis(machine).worst(), Severity::note);
  EXPECT_EQ(Diagnosis(machine).exit_code(), ExitCode::done);
  machine.gpus[1].lock_holder = "process 4711";
  EXPECT_EQ(Diagnosis(machine).worst(), Severity::bad);
  EXPECT_EQ(Diagnosis(machine).exit_code(), ExitCode::failed);
}

TEST(Diagnosis, AMachineWithoutAUsableDeviceHasAnExitCodeOfItsOwn) {
  MachineState machine = healthy_machine();
  machine.gpus.clear();
  machine.no_device = "no driver";
  EXPECT_EQ(Diagnosis(machine).worst(), Severity::bad);
  EXPECT_EQ(Diagnosis(machine).exit_code(), ExitCode::no_device);
  const std::string text = text_of(diagnosis_report(Diagnosis(machine)));
  EXPECT_NE(text.find("no GPU to examine:  no driver\n"), std::string::npos) << text;
}

TEST(Diagnosis, AnUnknownFactIsNotReportedAndNoFault) {
  GpuState gpu;
  gpu.known_to_nvml = true;
  MachineState machine = healthy_machine();
  machine.gpus = {gpu};
  const Diagnosis diagnosis(machine);
  for (const HealthCheck& each : diagnosis.gpus()[0]) {
    EXPECT_EQ(each.judgement.severity, Severity::ok) << each.key;
    EXPECT_EQ(each.value, each.key == "gtune_lock" ? "free" : "not reported") << each.key;
  }
}

TEST(Diagnosis, AGpuThatNvmlDoesNotKnowIsStillAskedForItsLock) {
  GpuState gpu;
  gpu.lock_holder = "process 4711";
  expect_check(check_of(gpu, "nvml"), Severity::note, "does not know this GPU", "are unknown");
  expect_check(check_of(gpu, "gtune_lock"), Severity::bad, "held by process 4711", "--no-wait");
}

TEST(GpuDiagnosis, ALowClockIsWorthANoteOnlyIfTheGpuWorks) {
  GpuState gpu = healthy_gpu();
  gpu.sm_clock.now = 1200;
  expect_check(check_of(gpu, "sm_clock"), Severity::note, "1200 of 1980 MHz",
               "nvidia-smi -i 00000000:1B:00.0 -rgc");
  gpu.clock_reasons = clock_reason::idle;
  expect_check(check_of(gpu, "sm_clock"), Severity::ok, "1200 of 1980 MHz (idle)");
  gpu.clock_reasons.reset();
  expect_check(check_of(gpu, "sm_clock"), Severity::ok, "1200 of 1980 MHz");
  gpu = healthy_gpu();
  gpu.memory_clock.now = 2000;
  expect_check(check_of(gpu, "memory_clock"), Severity::note, "2000 of 2619 MHz",
               "nvidia-smi -i 00000000:1B:00.0 -rmc");
  gpu.memory_clock.now = 2550;
  expect_check(check_of(gpu, "memory_clock"), Severity::ok, "2550 of 2619 MHz");
}

TEST(GpuDiagnosis, ApplicationClocksOtherThanTheDefaultAreWorthANote) {
  for (ClockState GpuState::*clock : {&GpuState::sm_clock, &GpuState::memory_clock}) {
    GpuState gpu = healthy_gpu();
    (gpu.*clock).application = 1000;
    EXPECT_EQ(check_of(gpu, "application_clocks").judgement.severity, Severity::note);
    (gpu.*clock).default_application = 1000;
    EXPECT_EQ(check_of(gpu, "application_clocks").judgement.severity, Severity::ok);
  }
  GpuState gpu = healthy_gpu();
  gpu.sm_clock.application = 1000;
  expect_check(check_of(gpu, "application_clocks"), Severity::note, "SM 1000, memory 2619 MHz",
               "nvidia-smi -i 00000000:1B:00.0 -rac");
}

TEST(GpuDiagnosis, EachReasonForALowClockIsJudged) {
  const struct {
    std::uint64_t reason;
    Severity severity;
    const char* value;
    const char* advice;
  } cases[] = {
      {0, Severity::ok, "none", ""},
      {clock_reason::idle, Severity::ok, "idle", ""},
      {clock_reason::application_clocks, Severity::note, "application clocks", "this clock"},
      {clock_reason::power_cap, Severity::note, "power limit", "this clock"},
      {clock_reason::sync_boost, Severity::note, "sync boost", "this clock"},
      {clock_reason::display_clocks, Severity::note, "display clocks", "this clock"},
      {clock_reason::hardware_slowdown, Severity::bad, "hardware slowdown", "power cables"},
      {clock_reason::power_brake, Severity::bad, "power brake", "power cables"},
      {clock_reason::software_thermal, Severity::bad, "heat (driver)", "too hot"},
      {clock_reason::hardware_thermal, Severity::bad, "heat (hardware)", "too hot"},
      {clock_reason::power_cap | clock_reason::hardware_thermal, Severity::bad,
       "power limit, heat (hardware)", "too hot"},
      {0x1000, Severity::note, "unknown (0x1000)", "this clock"},
  };
  for (const auto& each : cases) {
    GpuState gpu = healthy_gpu();
    gpu.clock_reasons = each.reason;
    expect_check(check_of(gpu, "clock_limits"), each.severity, each.value, each.advice);
  }
}

TEST(GpuDiagnosis, HeatIsJudgedByTheDistanceToItsThreshold) {
  GpuState gpu = healthy_gpu();
  gpu.temperature_c = 76;
  expect_check(check_of(gpu, "temperature"), Severity::ok, "76 C (slows down at 87 C)");
  gpu.temperature_c = 77;
  expect_check(check_of(gpu, "temperature"), Severity::note, "77 C (slows down at 87 C)",
               "has cooled");
  gpu.temperature_c = 87;
  expect_check(check_of(gpu, "temperature"), Severity::bad, "87 C (slows down at 87 C)", "wait");
  gpu.slowdown_c.reset();
  expect_check(check_of(gpu, "temperature"), Severity::ok, "87 C");
}

TEST(GpuDiagnosis, PowerAtItsLimitOrALoweredLimitIsWorthANote) {
  GpuState gpu = healthy_gpu();
  gpu.power_limit_w = gpu.default_power_limit_w = 400;
  gpu.power_w = 379;
  expect_check(check_of(gpu, "power"), Severity::ok, "379 W of 400 W");
  gpu.power_w = 380;
  expect_check(check_of(gpu, "power"), Severity::note, "380 W of 400 W", "other work");
  gpu.default_power_limit_w = 700;
  gpu.power_w = 100;
  gpu.power_limit_w = gpu.set_power_limit_w = 500;
  expect_check(check_of(gpu, "power"), Severity::note, "100 W of 500 W",
               "-i 00000000:1B:00.0 -pl 700");
  gpu.set_power_limit_w = 700;
  expect_check(check_of(gpu, "power"), Severity::note, "100 W of 500 W", "other than nvidia-smi");
  gpu.default_power_limit_w.reset();
  expect_check(check_of(gpu, "power"), Severity::ok, "100 W of 500 W");
  gpu.power_limit_w.reset();
  expect_check(check_of(gpu, "power"), Severity::ok, "100 W");
}

TEST(GpuDiagnosis, OtherComputeProcessesAreBadAndADesktopIsWorthANote) {
  GpuState gpu = healthy_gpu();
  expect_check(check_of(gpu, "processes"), Severity::ok, "none");
  gpu.graphics_processes = {99};
  expect_check(check_of(gpu, "processes"), Severity::note, "1 graphics (99)", "desktop");
  gpu.compute_processes = {4711, 4712};
  expect_check(check_of(gpu, "processes"), Severity::bad, "2 compute (4711, 4712), 1 graphics (99)",
               "end them");
}

TEST(GpuDiagnosis, ProcessesOfAnotherGtuneAreToBeWaitedFor) {
  GpuState gpu = healthy_gpu();
  gpu.compute_processes = {4711};
  gpu.lock_holder = "process 4710";
  const HealthCheck check = check_of(gpu, "processes");
  expect_check(check, Severity::bad, "1 compute (4711)", "wait until it ends");
  EXPECT_EQ(check.judgement.advice, check_of(gpu, "gtune_lock").judgement.advice);
}

TEST(GpuDiagnosis, ProcessesOfAnUnknownSliceAreWorthANote) {
  GpuState gpu = healthy_gpu();
  gpu.compute_processes = {4711};
  gpu.mig = PendingMode{true, true};
  expect_check(check_of(gpu, "processes"), Severity::note, "1 compute (4711)", "other slices");
  gpu.gpu_instance = 2;
  expect_check(check_of(gpu, "processes"), Severity::bad, "1 compute (4711)", "end them");
}

TEST(GpuDiagnosis, ProcessesThatAreNotListedAreTheHosts) {
  GpuState gpu = healthy_gpu();
  gpu.has_unlisted_processes = true;
  expect_check(check_of(gpu, "processes"), Severity::ok, "none");
  gpu.compute_processes = {4711};
  expect_check(check_of(gpu, "processes"), Severity::bad, "1 compute (4711)", "of the host");
}

TEST(GpuDiagnosis, AnUnreadableGpuDoesNotHideTheOthers) {
  MachineState machine = healthy_machine();
  GpuState gpu;
  gpu.index = 1;
  gpu.read_error = "cudaGetDeviceProperties: lost";
  machine.gpus.push_back(gpu);
  EXPECT_EQ(Diagnosis(machine).gpus()[0].size(), 13U);
  ASSERT_EQ(Diagnosis(machine).gpus()[1].size(), 1U);
  expect_check(Diagnosis(machine).gpus()[1][0], Severity::bad, "cannot be read",
               "Properties: lost");
  EXPECT_EQ(Diagnosis(machine).exit_code(), ExitCode::failed);
  machine.gpus = {gpu};
  EXPECT_EQ(Diagnosis(machine).exit_code(), ExitCode::no_device);
}

TEST(GpuDiagnosis, ModesAreJudgedNowAndAfterTheNextReset) {
  GpuState gpu = healthy_gpu();
  gpu.persistence = false;
  expect_check(check_of(gpu, "persistence_mode"), Severity::note, "off",
               "nvidia-smi -i 00000000:1B:00.0 -pm 1");
  gpu.ecc = PendingMode{false, false};
  expect_check(check_of(gpu, "ecc_mode"), Severity::ok, "off");
  gpu.ecc = PendingMode{true, false};
  expect_check(check_of(gpu, "ecc_mode"), Severity::note, "on (off after the next reset)",
               "reboot");
  gpu.mig = PendingMode{false, true};
  expect_check(check_of(gpu, "mig_mode"), Severity::note, "off (on after the next reset)",
               "reboot");
  gpu.mig = PendingMode{true, true};
  expect_check(check_of(gpu, "mig_mode"), Severity::note, "on", "slice");
}

TEST(GpuDiagnosis, AProhibitedGpuIsBadAndAnExclusiveOneIsWorthANote) {
  GpuState gpu = healthy_gpu();
  gpu.compute_mode = ComputeMode::exclusive_process;
  expect_check(check_of(gpu, "compute_mode"), Severity::note, "exclusive", "-c 0");
  gpu.compute_mode = ComputeMode::exclusive_thread;
  expect_check(check_of(gpu, "compute_mode"), Severity::note, "exclusive", "-c 0");
  gpu.compute_mode = ComputeMode::prohibited;
  expect_check(check_of(gpu, "compute_mode"), Severity::bad, "prohibited", "-c 0");
  gpu.compute_mode = static_cast<ComputeMode>(9);
  expect_check(check_of(gpu, "compute_mode"), Severity::ok, "unknown (9)");
}

TEST(GpuDiagnosis, APcieLinkMaySaveLanesNeverAndSpeedWhileIdle) {
  GpuState gpu = healthy_gpu();
  gpu.pcie.generation = 1;
  expect_check(check_of(gpu, "pcie"), Severity::note, "generation 1 x16 of 5 x16", "BIOS");
  gpu.clock_reasons = clock_reason::idle;
  expect_check(check_of(gpu, "pcie"), Severity::ok, "generation 1 x16 of 5 x16");
  gpu.pcie.width = 8;
  expect_check(check_of(gpu, "pcie"), Severity::note, "generation 1 x8 of 5 x16", "reseat");
  gpu.pcie.max_width.reset();
  expect_check(check_of(gpu, "pcie"), Severity::ok, "generation 1 x8 of 5 x?");
}

TEST(GpuDiagnosis, ALockThatCannotBeTakenIsBad) {
  GpuState gpu = healthy_gpu();
  gpu.lock_error = "/tmp/gtune-x.lock: it is a link; remove it";
  expect_check(check_of(gpu, "gtune_lock"), Severity::bad, "unusable", "it is a link; remove it");
}

TEST(MachineDiagnosis, ADriverIsNecessary) {
  MachineState machine = healthy_machine();
  machine.driver_version.reset();
  expect_check(check_of(machine, "driver"), Severity::ok, "present; version unknown without NVML");
  machine.driver_cuda.reset();
  expect_check(check_of(machine, "driver"), Severity::bad, "none", "install");
  expect_check(check_of(machine, "cuda_runtime"), Severity::ok, "13.0");
}

TEST(MachineDiagnosis, TheDriverMustSupportTheRuntime) {
  MachineState machine = healthy_machine();
  machine.driver_cuda = "13.2";
  expect_check(check_of(machine, "cuda_runtime"), Severity::ok, "13.0; the driver supports 13.2");
  machine.runtime_version = "13.10";
  expect_check(check_of(machine, "cuda_runtime"), Severity::note, "13.10; the driver supports 13.2",
               "older than the runtime");
  machine.driver_cuda = "12.9";
  expect_check(check_of(machine, "cuda_runtime"), Severity::bad, "13.10; the driver supports 12.9",
               "for CUDA 13.10 or newer");
}

TEST(MachineDiagnosis, NvrtcMustBeThereAndSuitTheDriver) {
  MachineState machine = healthy_machine();
  machine.driver_cuda = "12.9";
  expect_check(check_of(machine, "nvrtc"), Severity::bad, "13.0", "GTUNE_NVRTC");
  machine.nvrtc.version = "12.10";
  expect_check(check_of(machine, "nvrtc"), Severity::ok, "12.10");
  machine.nvrtc = {std::nullopt, "install the toolkit"};
  expect_check(check_of(machine, "nvrtc"), Severity::bad, "not found", "install the toolkit");
}

TEST(MachineDiagnosis, WithoutCuptiThereAreNoMetrics) {
  MachineState machine = healthy_machine();
  machine.driver_cuda = "12.9";
  expect_check(check_of(machine, "cupti"), Severity::note, "13.0", "GTUNE_CUPTI");
  machine.cupti = {std::nullopt, "install the toolkit"};
  expect_check(check_of(machine, "cupti"), Severity::note, "not found", "install the toolkit");
}

TEST(MachineDiagnosis, CountersMayBeForAdministratorsOnly) {
  MachineState machine = healthy_machine();
  expect_check(check_of(machine, "counters"), Severity::ok, "for all users");
  machine.counters.admins_only = true;
  expect_check(check_of(machine, "counters"), Severity::note, "administrators only",
               "NVreg_RestrictProfilingToAdminUsers=0");
  machine.counters.may_read_counters = true;
  expect_check(check_of(machine, "counters"), Severity::ok,
               "administrators only; this user is one");
  machine.counters.admins_only.reset();
  expect_check(check_of(machine, "counters"), Severity::note, "unknown", "/proc/driver");
}

TEST(MachineDiagnosis, EveryCoreShouldRunAtFullClock) {
  MachineState machine = healthy_machine();
  machine.cpu_governors = {"performance", "powersave"};
  expect_check(check_of(machine, "cpu_governor"), Severity::note, "performance, powersave",
               "cpupower");
  machine.cpu_governors.clear();
  expect_check(check_of(machine, "cpu_governor"), Severity::ok, "not shown");
}

TEST(MachineDiagnosis, ACacheIsUsefulButNotNecessary) {
  MachineState machine = healthy_machine();
  StorageState& cache = machine.cubin_cache;
  cache.path = "/c";
  expect_check(check_of(machine, "cubin_cache"), Severity::ok, "107 GB free at /c");
  cache.free_bytes = gibibyte;
  expect_check(check_of(machine, "cubin_cache"), Severity::ok, "1.07 GB free at /c");
  cache.free_bytes = gibibyte - 1;
  expect_check(check_of(machine, "cubin_cache"), Severity::note, "1.07 GB free at /c",
               "GTUNE_CACHE_MIB to at most 1023");
  cache.most_bytes = gibibyte - 1;
  expect_check(check_of(machine, "cubin_cache"), Severity::ok, "1.07 GB free at /c");
  cache.writable = false;
  expect_check(check_of(machine, "cubin_cache"), Severity::note, "1.07 GB free at /c",
               "not writable");
  cache = {};
  cache.missing = "GTUNE_CACHE_MIB=much";
  expect_check(check_of(machine, "cubin_cache"), Severity::bad, "unusable", "GTUNE_CACHE_MIB=much");
  cache = {};
  expect_check(check_of(machine, "cubin_cache"), Severity::note, "off", "GTUNE_CACHE");
}

TEST(MachineDiagnosis, ADatabaseNeedsAPlaceAndSpace) {
  MachineState machine = healthy_machine();
  StorageState& database = machine.database;
  database = {"/d", gibibyte, true, ""};
  expect_check(check_of(machine, "database"), Severity::ok, "1.07 GB free at /d");
  database.free_bytes = gibibyte - 1;
  expect_check(check_of(machine, "database"), Severity::note, "1.07 GB free at /d", "little space");
  database.free_bytes = std::uint64_t{64} << 20;
  expect_check(check_of(machine, "database"), Severity::note, "67.1 MB free at /d", "little space");
  --*database.free_bytes;
  expect_check(check_of(machine, "database"), Severity::bad, "67.1 MB free at /d", "may not fit");
  database.free_bytes.reset();
  expect_check(check_of(machine, "database"), Severity::ok, "unknown space at /d");
  database.writable = false;
  expect_check(check_of(machine, "database"), Severity::bad, "unknown space at /d", "--db");
  database = {"", std::nullopt, false, "HOME is not set"};
  expect_check(check_of(machine, "database"), Severity::bad, "none", "HOME is not set");
}

}  // namespace
}  // namespace gtune
