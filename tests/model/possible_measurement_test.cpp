#include "model/possible_measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "model/statistics.hpp"

namespace gtune {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

Measurement measured() {
  Measurement m;
  m.timing = summarise({1.5, 1.25, 2, 1.75, 1.5, 3});
  m.resources = ResourceUsage{};
  m.max_error = 0.5;
  m.gpu_ms = 12;
  return m;
}

/// The reason after a change to a possible measurement; empty if it is still possible.
std::string after(const std::function<void(Measurement&)>& change) {
  Measurement m = measured();
  EXPECT_FALSE(why_impossible(m));
  change(m);
  return why_impossible(m).value_or("");
}

TEST(PossibleMeasurement, WhatFollowsFromAnySamplesIsPossible) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> samples(1 + random() % 60);
    const double scale = std::pow(10.0, static_cast<double>(random() % 8) - 4);
    for (double& sample : samples) sample = scale * (1 + static_cast<double>(random() % 1000));
    Measurement m;
    m.timing = summarise(samples);
    EXPECT_EQ(why_impossible(m), std::nullopt) << i;
  }
}

TEST(PossibleMeasurement, ATimeIsAboveZeroAndBelowADay) {
  for (const double ms : {0.0, -1.0, 5e-324, 1e-300, 1e308, k_infinity, k_nan}) {
    EXPECT_NE(after([&](Measurement& m) { m.timing = summarise({1, ms}); }), "") << ms;
    EXPECT_NE(after([&](Measurement& m) { m.timing->median_ms = ms; }), "") << ms;
    EXPECT_NE(after([&](Measurement& m) { m.timing->min_ms = ms; }), "") << ms;
  }
}

TEST(PossibleMeasurement, EveryNumberOfATimingFollowsFromItsSamples) {
  double Timing::*const numbers[] = {&Timing::median_ms, &Timing::min_ms,    &Timing::p95_ms,
                                     &Timing::mean_ms,   &Timing::ci_low_ms, &Timing::ci_high_ms};
  for (double Timing::*const number : numbers) {
    const std::string why = after([&](Measurement& m) { (*m.timing).*number *= 1.01; });
    EXPECT_NE(why.find("does not follow from the samples"), std::string::npos) << why;
    EXPECT_EQ(after([&](Measurement& m) { (*m.timing).*number *= 1 + 1e-12; }), "");
  }
}

TEST(PossibleMeasurement, WithoutSamplesATimingIsOneNumber) {
  EXPECT_EQ(after([](Measurement& m) {
              m.timing = summarise({2});
              m.timing->samples_ms.clear();
            }),
            "");
  EXPECT_NE(after([](Measurement& m) { m.timing->samples_ms.clear(); }), "");
}

TEST(PossibleMeasurement, WhatIsOkWasTimedAndRight) {
  EXPECT_EQ(after([](Measurement& m) { m.timing.reset(); }), "it is ok without a timing");
  EXPECT_NE(after([](Measurement& m) { m.max_error = 1.5; }), "");
  EXPECT_NE(after([](Measurement& m) { m.max_error = k_infinity; }), "");
  EXPECT_EQ(after([](Measurement& m) {
              m.status = Status::wrong_result;
              m.max_error = k_infinity;
              m.timing.reset();
            }),
            "");
}

TEST(PossibleMeasurement, OtherNumbersHaveTheirRanges) {
  const std::vector<std::function<void(Measurement&)>> lies = {
      [](Measurement& m) { m.gpu_ms = -1; },
      [](Measurement& m) { m.gpu_ms = 1e308; },
      [](Measurement& m) { m.compile_ms = -1e300; },
      [](Measurement& m) { m.compile_ms = k_infinity; },
      [](Measurement& m) { m.max_error = -1; },
      [](Measurement& m) { m.timing->sm_clock_mhz = -1e308; },
      [](Measurement& m) { m.timing->throttled_samples = -1; },
      [](Measurement& m) { m.resources->registers = -2147483647; },
      [](Measurement& m) { m.resources->dynamic_shared_bytes = -1; },
      [](Measurement& m) { m.resources->theoretical_occupancy = 2; },
      [](Measurement& m) { m.resources->theoretical_occupancy = k_nan; },
      [](Measurement& m) { m.timing->samples_ms.assign(2'000'000, 1); }};
  for (std::size_t i = 0; i < lies.size(); ++i) EXPECT_NE(after(lies[i]), "") << i;
  EXPECT_EQ(after([](Measurement& m) { m.gpu_ms = m.compile_ms = k_nan; }), "");  // unknown
}

TEST(PossibleMeasurement, AMetricIsFiniteAndNoRemainderOfRounding) {
  EXPECT_FALSE(why_impossible(Metric{"ipc", 0.0, "", ""}));
  EXPECT_FALSE(why_impossible(Metric{"ipc", std::nullopt, "", "busy"}));
  EXPECT_FALSE(why_impossible(Metric{"ipc", -1e-30, "", ""}));
  for (const double value : {1e308, -1e308, 5e-324, k_infinity, k_nan}) {
    EXPECT_TRUE(why_impossible(Metric{"ipc", value, "", ""})) << value;
  }
}

DeviceFacts h200() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.uuid = "GPU-1";
  device.cc_major = 9;
  device.sm_count = 132;
  device.limits.fma_tflops = 60;
  return device;
}

TEST(PossibleMeasurement, ADeviceHasPossibleFacts) {
  EXPECT_FALSE(why_unusable(h200()));
  const std::vector<std::function<void(DeviceFacts&)>> lies = {
      [](DeviceFacts& d) { d.sm_count = -1; },
      [](DeviceFacts& d) { d.sm_count = 2147483647; },
      [](DeviceFacts& d) { d.warp_size = 2147483647; },
      [](DeviceFacts& d) { d.memory_bytes = -1; },
      [](DeviceFacts& d) { d.name = std::string(5'000'000, 'A'); },
      [](DeviceFacts& d) { d.name = "H200\ntouch it"; },
      [](DeviceFacts& d) { d.limits.fma_tflops = -5; },
      [](DeviceFacts& d) { d.limits.fma_tflops = 1e308; },
      [](DeviceFacts& d) { d.limits.tensor_tflops = k_nan; },
      [](DeviceFacts& d) { d.limits.l1_gbps = k_infinity; },
      [](DeviceFacts& d) { d.limits.l2_gbps = 0; },
      [](DeviceFacts& d) { d.limits.dram_gbps = 0; }};
  for (std::size_t i = 0; i < lies.size(); ++i) {
    DeviceFacts device = h200();
    lies[i](device);
    EXPECT_TRUE(why_impossible(device)) << i;
  }
  DeviceFacts unknown = h200();
  unknown.sm_count = 0;
  EXPECT_FALSE(why_impossible(unknown));
  EXPECT_EQ(why_unusable(unknown), "sm_count is 0");
  DeviceFacts path = h200();
  path.uuid = "../../../tmp/evil";
  EXPECT_TRUE(why_unusable(path));
}

TEST(DeviceFacts, HasAllLimitsIfThoseAreMissingThatItCannotHave) {
  DeviceFacts device = h200();
  device.l2_bytes = 1 << 20;
  device.limits = {60, 400, 4000, 5500, 30000};
  EXPECT_TRUE(device.has_all_limits());
  for (const auto& [name, value] : k_device_limits) {
    DeviceFacts less = device;
    less.limits.*value = std::nullopt;
    EXPECT_FALSE(less.has_all_limits()) << name;
  }
  device.limits.tensor_tflops.reset();
  device.cc_major = 7;
  EXPECT_TRUE(device.has_all_limits());
}

}  // namespace
}  // namespace gtune
