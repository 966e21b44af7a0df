#include "authoring/check_report.hpp"
#include "cli/kernel_list_report.hpp"
#include "cli/launch_report.hpp"
#include "cli/metrics_report.hpp"
#include "cli/space_report.hpp"
#include "export/portfolio_report.hpp"
#include "golden/golden.hpp"
#include "golden/values.hpp"
#include "report/device_report.hpp"
#include "report/diagnosis_report.hpp"
#include "report/inventory_report.hpp"
#include "score/score_report.hpp"

namespace gtune::test {
namespace {

TEST(Golden, WhatAnExportLoses) {
  Portfolio portfolio;
  portfolio.variants = {config_of(128, 2), config_of(64, 2), config_of(32, 1)};
  portfolio.instances = {0, 0, 1};
  portfolio.tuned_variants = 2;
  const std::string named = "One, \"1\"";
  portfolio.served = {{winner(square(4096), config_of(128, 2), 2.53, named), 0, 0.0},
                      {winner(square(512, 1), config_of(64, 3), 0.03, named), 1, 0.0213},
                      {winner(square(96), config_of(32, 1), 0.01, named), 1, std::nullopt}};
  portfolio.steps = {{1, 2, {}, {}}, {2, 3, 0.01, 0.0213}};
  expect_golden("portfolio", portfolio_report(matmul(), portfolio));
}

TEST(Golden, ScoresOfStrategies) {
  ScoreSettings settings;
  settings.strategies = {"random", "guided"};
  SpaceScore space;
  space.space = "matmul-4096";
  space.configurations = 2052;
  space.failing = 17;
  space.optimum_ms = 2.523;
  space.strategies = {{"random",
                       {{0.95, 120, 380}, {0.99, std::nullopt, std::nullopt}},
                       std::nullopt,
                       0.01,
                       0.02,
                       {{0.1, 0.2, 0.3}}},
                      {"guided",
                       {{0.95, 20, 38}, {0.99, 44, 97}},
                       OwnEnds{100, 81, 0.0008, 0.009},
                       0.876,
                       1.5,
                       {{0.5, 0.6, 0.7}}}};
  SpaceScore other = space;
  other.space = "matmul-512";
  other.strategies[1].methodology = 0.7;
  expect_golden("scores", score_report({space, other}, settings));
}

TEST(Golden, ASpace) {
  const Enumeration space = enumerate(matmul(), square(64), made_up_gpu());
  expect_golden("space", space_report(matmul(), square(64), "sm_90", space, 0.0125, false));
  expect_golden("space_list", space_report(matmul(), square(64), "sm_90", space, 0.0125, true));
}

StoredKernel some_kernel(const std::string& name, bool current) {
  StoredKernel kernel;
  kernel.name = name;
  kernel.source_hash = "0123456789abcdef0123";
  kernel.spec_hash = "fedcba";
  kernel.last_used = "2026-01-02T03:04:05.678Z";
  kernel.current = current;
  kernel.runs = 12;
  kernel.interrupted = 1;
  kernel.problems = 3;
  kernel.measurements = 4567;
  return kernel;
}

TEST(Golden, WhatADatabaseHolds) {
  Inventory all;
  all.schema = 2;
  all.kernels = {some_kernel("matmul", true), some_kernel("my kernel", false)};
  all.devices = {{"Made-up GPU", "GPU-one", false, 4000},
                 {"Made-up GPU", "GPU-one", true, 567},
                 {"Made-up GPU", "GPU-12345678-9abc-def0-1234-56789abcdef0", false, 80}};
  all.by_status = {{"ok", 4500}, {"timeout", 67}};
  all.first = "2026-01-01T00:00:00.000Z";
  all.last = "2026-01-02T03:04:05.678Z";
  expect_golden("inventory", inventory_report(all, "/home/you/gtune.db", 1234567));
}

TEST(Golden, AnEmptyDatabase) {
  expect_golden("inventory_empty", inventory_report({}, "/home/you/gtune.db", 512));
}

TEST(Golden, WhatPruningRemoves) {
  const Pruned pruned{{some_kernel("matmul", false)}, 12, 4567};
  expect_golden("pruned.txt", text_of(pruned_report(pruned, false)));
  expect_golden("pruned_dry_run.txt", text_of(pruned_report({}, true)));
}

TEST(Golden, Devices) {
  expect_golden("devices", device_report({made_up_gpu(), made_up_gpu("Another GPU")}));
}

/// A machine with a fault of each severity.
MachineState made_up_machine() {
  GpuState gpu;
  gpu.name = "Made-up GPU";
  gpu.uuid = "GPU-one";
  gpu.pci_bus_id = "00000000:1B:00.0";
  gpu.known_to_nvml = true;
  gpu.sm_clock = {1200, 1980, 1980, 1980};
  gpu.memory_clock = {2619, 2619, 2619, 2619};
  gpu.clock_reasons = clock_reason::software_thermal;
  gpu.temperature_c = 87;
  gpu.slowdown_c = 87;
  gpu.power_w = 512.3;
  gpu.power_limit_w = 700;
  gpu.set_power_limit_w = gpu.default_power_limit_w = 700;
  gpu.compute_processes = {{4711}};
  gpu.graphics_processes.emplace();
  gpu.persistence = false;
  gpu.ecc = PendingMode{true, true};
  gpu.compute_mode = ComputeMode::shared;
  gpu.pcie = {5, 5, 8, 16};
  gpu.lock_holder = "process 4711";
  MachineState machine;
  machine.driver_version = "580.1";
  machine.driver_cuda = "13.0";
  machine.runtime_version = "13.0";
  machine.nvrtc.version = "13.0";
  machine.cupti.missing = "CUPTI is not there";
  machine.counters.admins_only = true;
  machine.cpu_governors = {"powersave"};
  machine.cubin_cache = {"/home/you/.cache/gtune/cubin", 123456789012, true, "", 1073741824};
  machine.database = {"/home/you/gtune.db", 12345678, true, ""};
  machine.gpus = {gpu};
  return machine;
}

TEST(Golden, AMachineThatSpoilsMeasurements) {
  expect_golden("diagnosis", diagnosis_report(Diagnosis(made_up_machine())));
}

TEST(Golden, AMachineWithoutAGpu) {
  MachineState machine;
  machine.runtime_version = "13.0";
  machine.nvrtc.version = "13.0";
  machine.cupti.version = "13.0";
  machine.database = {"/home/you/gtune.db", 123456789012, true, ""};
  machine.no_device = "no NVIDIA driver on this machine";
  expect_golden("diagnosis_no_gpu", diagnosis_report(Diagnosis(machine)));
}

TEST(Golden, Kernels) {
  CatalogEntry good;
  good.spec = std::make_shared<KernelSpec>(matmul());
  good.file = "tuner_configs/matmul.toml";
  CatalogEntry bad;
  bad.error = "not a spec";
  expect_golden("kernels", kernel_list_report({good, bad}));
}

TEST(Golden, Metrics) {
  expect_golden(
      "metrics",
      metrics_report("GH100",
                     {{"ipc",
                       "instructions per cycle",
                       {"sm__inst_executed.avg.per_cycle_active", "of CUPTI", "inst/cycle", 1}},
                      {"dram__bytes.sum", "", {"dram__bytes.sum", "bytes moved", "byte", 12}}}));
}

SpecCheck passed_check() {
  SpecCheck check;
  check.file = "matmul.toml";
  check.kernel = "matmul";
  check.problem = "M=4096";
  check.arch = "sm_90";
  ResourceUsage usage;
  usage.registers = 64;
  usage.static_shared_bytes = 1024;
  usage.blocks_per_sm = 4;
  check.compiles = {{"reference", "M=4096", "reference", true, 101.4, usage, std::nullopt},
                    {"TILE=32,STAGES=1", "M=4096", "matmul", true, 120.6, usage, std::nullopt},
                    {"TILE=128,STAGES=2", "M=4096, T=1", "matmul", true, 240.1, usage,
                     "2048 threads per block; the device allows 1024"}};
  check.combinations = 9;
  check.valid = 8;
  check.excluded = {{"fits", 1}, {"launch", 0}};
  check.launch_faults = {{"2048 threads per block; the device allows 1024", 2, config_of(128, 2)}};
  check.launches_tried = 8;
  check.idle_parameters = {"STAGES"};
  check.unused_values = {{"TILE", {64}}};
  check.notes = {"a note"};
  return check;
}

TEST(Golden, ACheckThatPassed) { expect_golden("check", check_report(passed_check())); }

TEST(Golden, ACheckThatFoundMistakes) {
  SpecCheck check = passed_check();
  check.mistakes = {{"matmul.toml:4:9", "'matmul' takes 2 parameters; expected one for each", ""},
                    {"matmul.toml:4:9", "'matmul' (TILE=32,STAGES=1) does not compile: an error",
                     "matmul.cu(2): error: one\n  one();\n\nmatmul.cu(3): error: two\n"}};
  check.compiles[1].ok = false;
  expect_golden("check_mistakes", check_report(check));
}

TEST(Golden, ACheckOfWhatCannotBeRead) {
  SpecCheck check;
  check.file = "matmul.toml";
  check.arch = "sm_90";
  check.mistakes = {{"matmul.toml:1:1", "the spec has no table [params]; expected one", ""}};
  check.unread = {"[launch]", "[check]"};
  expect_golden("check_unread", check_report(check));
}

TEST(Golden, TimesOfLaunches) {
  SingleRun run{matmul(), made_up_gpu(), 0, square(4096), config_of(128, 2), nullptr, 1, 3, false};
  expect_golden("launches", launch_report(run, {2.5301, 2.53125, 2.5299}));
}

}  // namespace
}  // namespace gtune::test
