// What NVML reports, read from a fake one.
#include "gpu/gpu_state.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gtune {
namespace {

constexpr NvmlReturn not_supported = 3;

template <unsigned value>
NvmlReturn report(NvmlDevice, unsigned* out) {
  *out = value;
  return nvml_success;
}

/// `base` + the kind that is asked for.
template <unsigned base>
NvmlReturn report_kind(NvmlDevice, int kind, unsigned* out) {
  *out = base + static_cast<unsigned>(kind);
  return nvml_success;
}

template <unsigned now, unsigned pending>
NvmlReturn report_pending(NvmlDevice, unsigned* out, unsigned* later) {
  *out = now;
  *later = pending;
  return nvml_success;
}

NvmlReturn refuse(NvmlDevice, unsigned*) { return not_supported; }

NvmlReturn two_processes(NvmlDevice, unsigned* count, NvmlProcess* processes) {
  const unsigned room = *count;
  *count = 2;
  if (room < 2) return nvml_insufficient_size;
  processes[0] = {.pid = 4711, .gpu_instance = 1};
  processes[1] = {.pid = 4712, .gpu_instance = 2};
  return nvml_success;
}

NvmlReturn no_process(NvmlDevice, unsigned* count, NvmlProcess*) {
  *count = 0;
  return nvml_success;
}

NvmlReturn power_cap(NvmlDevice, unsigned long long* reasons) {
  *reasons = clock_reason::power_cap;
  return nvml_success;
}

NvmlLibrary fake_nvml() {
  NvmlLibrary library;
  library.clock = report_kind<1000>;
  library.max_clock = report_kind<2000>;
  library.application_clock = report_kind<3000>;
  library.default_application_clock = report_kind<4000>;
  library.clock_reasons = power_cap;
  library.temperature = report_kind<40>;
  library.temperature_threshold = report_kind<80>;
  library.power_mw = report<120500>;
  library.power_limit_mw = report<700000>;
  library.set_power_limit_mw = report<690000>;
  library.default_power_limit_mw = report<650000>;
  library.compute_processes = two_processes;
  library.graphics_processes = no_process;
  library.persistence = report<1>;
  library.ecc = report_pending<1, 0>;
  library.mig = report_pending<0, 1>;
  library.gpu_instance = report<2>;
  library.compute_mode = report<3>;
  library.pcie_generation = report<4>;
  library.max_pcie_generation = report<5>;
  library.pcie_width = report<8>;
  library.max_pcie_width = report<16>;
  return library;
}

TEST(GpuState, HasWhatNvmlReports) {
  const GpuState state = read_gpu_state(fake_nvml(), nullptr);
  EXPECT_TRUE(state.known_to_nvml);
  EXPECT_EQ(state.sm_clock.now, 1000 + nvml_clock_sm);
  EXPECT_EQ(state.sm_clock.max, 2000 + nvml_clock_sm);
  EXPECT_EQ(state.sm_clock.application, 3000 + nvml_clock_graphics);
  EXPECT_EQ(state.memory_clock.now, 1000 + nvml_clock_memory);
  EXPECT_EQ(state.memory_clock.default_application, 4000 + nvml_clock_memory);
  EXPECT_EQ(state.clock_reasons, clock_reason::power_cap);
  EXPECT_EQ(state.temperature_c, 40);
  EXPECT_EQ(state.slowdown_c, 81);  // NVML's threshold 1, not the shutdown's 0
  EXPECT_EQ(state.power_w, 120.5);
  EXPECT_EQ(state.power_limit_w, 700);
  EXPECT_EQ(state.set_power_limit_w, 690);
  EXPECT_EQ(state.default_power_limit_w, 650);
  EXPECT_EQ(state.compute_processes, (std::vector<unsigned>{4711, 4712}));
  EXPECT_EQ(state.graphics_processes, std::vector<unsigned>{});
  EXPECT_EQ(state.persistence, true);
  ASSERT_TRUE(state.ecc && state.mig);
  EXPECT_TRUE(state.ecc->now && !state.ecc->pending);
  EXPECT_TRUE(!state.mig->now && state.mig->pending);
  EXPECT_EQ(state.compute_mode, ComputeMode::exclusive_process);
  EXPECT_EQ(state.pcie.generation, 4);
  EXPECT_EQ(state.pcie.max_generation, 5);
  EXPECT_EQ(state.pcie.width, 8);
  EXPECT_EQ(state.pcie.max_width, 16);
}

TEST(GpuState, OfASliceHasTheProcessesOfTheSlice) {
  int slice = 0;
  const GpuState state = read_gpu_state(fake_nvml(), nullptr, &slice);
  EXPECT_EQ(state.gpu_instance, 2);
  EXPECT_EQ(state.compute_processes, std::vector<unsigned>{4712});
  EXPECT_EQ(read_gpu_state(fake_nvml(), nullptr).gpu_instance, std::nullopt);
}

TEST(GpuState, ABusIdIsWrittenAsNvmlWritesIt) {
  EXPECT_EQ(nvml_bus_id("0000:1b:00.0"), "00000000:1B:00.0");
  EXPECT_EQ(nvml_bus_id("00010000:01:00.0"), "00010000:01:00.0");
}

TEST(GpuState, LacksWhatNvmlRefusesOrIsTooOldFor) {
  NvmlLibrary library = fake_nvml();
  library.persistence = refuse;
  library.power_mw = refuse;
  library.temperature_threshold = nullptr;
  library.clock_reasons = nullptr;
  library.compute_processes = nullptr;
  library.ecc = nullptr;
  const GpuState state = read_gpu_state(library, nullptr);
  EXPECT_FALSE(state.persistence);
  EXPECT_FALSE(state.power_w);
  EXPECT_FALSE(state.slowdown_c);
  EXPECT_FALSE(state.clock_reasons);
  EXPECT_FALSE(state.compute_processes);
  EXPECT_FALSE(state.ecc);
  EXPECT_EQ(state.temperature_c, 40);
}

}  // namespace
}  // namespace gtune
