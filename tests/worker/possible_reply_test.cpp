#include "worker/possible_reply.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "model/error.hpp"
#include "model/possible_measurement.hpp"
#include "support/some_lines.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

MeasureReply honest() {
  MeasureReply reply;
  reply.timing = summarise(test::ten_samples);
  reply.resources = test::some_resources();
  reply.max_error = 0.25;
  reply.gpu_ms = 30;
  return reply;
}

TEST(PossibleReply, WhatCanBeIsTakenAsItIs) {
  const MeasureReply reply = possible_reply(test::measure_request({{"A", 1}}), honest());
  EXPECT_EQ(reply.status, Status::ok);
  EXPECT_EQ(reply.timing.value().samples_ms, test::ten_samples);
  Measure check = test::measure_request({{"A", 1}});
  check.time = false;
  MeasureReply checked = honest();
  checked.timing.reset();
  EXPECT_EQ(possible_reply(check, checked).status, Status::ok);
}

TEST(PossibleReply, ALieIsAFailedConfigurationWithItsReason) {
  const std::vector<std::function<void(MeasureReply&)>> lies = {
      [](MeasureReply& r) { r.timing.reset(); },
      [](MeasureReply& r) { r.timing->samples_ms.clear(); },
      [](MeasureReply& r) {
        r.timing = summarise({0, 0, 0});
      },
      [](MeasureReply& r) {
        r.timing = summarise({-1, -1});
      },
      [](MeasureReply& r) { r.timing->median_ms = 1e-9; },
      [](MeasureReply& r) { r.timing->mode.order = LaunchOrder::warm; },
      [](MeasureReply& r) { r.gpu_ms = 1e308; },
      [](MeasureReply& r) { r.check_ms = -1; },
      [](MeasureReply& r) { r.compile_ms = -1e300; },
      [](MeasureReply& r) { r.max_error = -1; },
      [](MeasureReply& r) { r.resources->registers = -5; }};
  for (std::size_t i = 0; i < lies.size(); ++i) {
    MeasureReply lie = honest();
    lies[i](lie);
    const MeasureReply reply = possible_reply(test::measure_request({{"A", 1}}), lie);
    EXPECT_EQ(reply.status, Status::crashed) << i;
    EXPECT_FALSE(reply.timing) << i;
    EXPECT_FALSE(reply.resources) << i;
    EXPECT_EQ(reply.gpu_ms, 0) << i;
    Measurement stored;
    stored.status = reply.status;
    stored.reason = reply.reason;
    EXPECT_TRUE(is_impossible_answer(stored)) << i << reply.reason;
    EXPECT_FALSE(why_impossible(stored)) << i;
  }
}

TEST(PossibleReply, AReasonIsOneLineOfBoundedLength) {
  MeasureReply failed;
  failed.status = Status::wrong_result;
  failed.reason = "\x1b[2J\n" + std::string(3'000'000, 'r');
  failed.timing = summarise({-1});
  const MeasureReply reply = possible_reply(test::measure_request({{"A", 1}}), failed);
  EXPECT_EQ(reply.status, Status::wrong_result);
  EXPECT_LT(reply.reason.size(), 2100U);
  EXPECT_EQ(reply.reason.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_FALSE(reply.timing);
}

TEST(PossibleReply, AnImpossibleEnergyIsAbsentWithTheReason) {
  const EnergyUse honest{74.5, 372, 4000, 0.75, 9};
  MeasureEnergyReply reply;
  reply.energy = honest;
  EXPECT_TRUE(possible_reply(MeasureEnergy{}, reply).energy);
  const std::vector<std::function<void(EnergyUse&)>> lies = {
      [](EnergyUse& use) { use.energy_mj = 0; },    [](EnergyUse& use) { use.energy_mj = -3; },
      [](EnergyUse& use) { use.energy_mj = 1e30; }, [](EnergyUse& use) { use.power_w = 0; },
      [](EnergyUse& use) { use.power_w = 1e7; },    [](EnergyUse& use) { use.seconds = -1; },
      [](EnergyUse& use) { use.launches = -1; },
  };
  for (std::size_t i = 0; i < lies.size(); ++i) {
    reply.energy = honest;
    lies[i](*reply.energy);
    const MeasureEnergyReply possible = possible_reply(MeasureEnergy{}, reply);
    EXPECT_FALSE(possible.energy) << i;
    EXPECT_NE(possible.reason.find("cannot be"), std::string::npos) << possible.reason;
  }
  reply.energy.reset();
  reply.reason = "\x1b[2J\n" + std::string(3'000'000, 'r');
  EXPECT_LT(possible_reply(MeasureEnergy{}, reply).reason.size(), 2100U);
}

TEST(PossibleReply, OnlyMetricsThatWereAskedForCountOnceEach) {
  Profile request;
  request.metrics = {"ipc", "dram_bytes"};
  ProfileReply said;
  said.metrics = {{"ipc", 1.5, "inst/cycle", ""},
                  {"ipc", 2.5, "inst/cycle", ""},
                  {"dram_bytes", 1e308, "byte", ""},
                  {"x'\x1b[2J", 1.0, "", ""}};
  const ProfileReply reply = possible_reply(request, said);
  ASSERT_EQ(reply.metrics.size(), 2U);
  EXPECT_EQ(reply.metrics[0].value, 1.5);
  EXPECT_FALSE(reply.metrics[1].value);
  EXPECT_NE(reply.metrics[1].reason, "");
}

HelloReply honest_hello() {
  HelloReply hello;
  hello.device.name = "H200";
  hello.device.cc_major = 9;
  hello.device.sm_count = 132;
  return hello;
}

TEST(PossibleReply, ADeviceThatCannotBeIsRefusedInOneLine) {
  HelloReply hello = honest_hello();
  EXPECT_EQ(possible_reply(Hello{}, hello).device.name, "H200");
  hello.device.sm_count = 0;
  try {
    static_cast<void>(possible_reply(Hello{}, hello));
    ADD_FAILURE() << "it was taken";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_STREQ(error.what(), "the worker reports an impossible device: sm_count is 0");
  }
  const Prepare asked;
  EXPECT_EQ(possible_reply(asked, {{.fma_tflops = 60.5}}).limits.fma_tflops, 60.5);
  for (const auto& [name, value] : k_device_limits) {
    for (const double impossible : {-5.0, 0.0, 1e-308, 1e300}) {
      PrepareReply reply{{.fma_tflops = 60.5, .dram_gbps = 4000}};
      reply.limits.*value = impossible;
      EXPECT_THROW((void)possible_reply(asked, reply), UserError) << name;
    }
  }
}

TEST(PossibleReply, AnotherProgramIsToldBeforeItsDeviceIsLookedAt) {
  HelloReply hello = honest_hello();
  hello.protocol = protocol_version + 1;
  hello.device = {};
  try {
    static_cast<void>(possible_reply(Hello{}, hello));
    ADD_FAILURE() << "it was taken";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("install the same version on both"), std::string::npos)
        << error.what();
  }
}

TEST(PossibleReply, TextsAreSingleLinesOfBoundedLength) {
  const std::string hostile = "a\x1b[2J\n\xe2\x80\xae" + std::string(100000, 'y');
  HelloReply hello = honest_hello();
  hello.held_by = hello.device.name = hello.device.uuid = hostile;
  hello.recorded_kernel = KernelIdentity{hostile, hostile, hostile, {}, {}};
  hello.recorded_toolchain = Toolchain{hostile, hostile, hostile, hostile, hostile};
  hello = possible_reply(Hello{}, hello);
  MeasureReply measure = honest();
  measure.reason = hostile;
  measure.resources->occupancy_limit = hostile;
  measure = possible_reply(test::measure_request({{"A", 1}}), measure);
  ProfileReply profile;
  profile.reason = hostile;
  profile.metrics = {{"ipc", 1.0, hostile, ""}, {"l2_hit_rate", std::nullopt, hostile, hostile}};
  profile = possible_reply(Profile{{}, {"ipc", "l2_hit_rate"}}, profile);
  ASSERT_EQ(profile.metrics.size(), 2U);
  for (const std::string& text :
       {hello.held_by, hello.device.name, hello.device.uuid, hello.recorded_kernel->name,
        hello.recorded_toolchain->driver, measure.reason, measure.resources->occupancy_limit,
        profile.reason, profile.metrics[0].unit, profile.metrics[1].unit,
        profile.metrics[1].reason}) {
    EXPECT_EQ(text.rfind("a [2J ?yyy", 0), 0U) << text.substr(0, 20);
    EXPECT_LT(text.size(), 2100U);
  }
}

TEST(PossibleReply, NamesOfMetricsAreSingleLinesOfBoundedLength) {
  const std::string shown = "a [2J ?" + std::string(190, 'y');
  ProfileReply profile;
  profile.metrics = {{"a\x1b[2J\n\xe2\x80\xae" + std::string(190, 'y'), 1.0, "", ""}};
  const ProfileReply none = possible_reply(Profile{{}, {"ipc"}}, profile);
  EXPECT_TRUE(none.metrics.empty());
  const ProfileReply reply = possible_reply(Profile{{}, {shown}}, profile);
  ASSERT_EQ(reply.metrics.size(), 1U);
  EXPECT_EQ(reply.metrics[0].name, shown);
}

TEST(PossibleReply, ReasonsThatAreOneLineStayAsTheyAre) {
  MeasureReply reply = honest();
  reply.reason = "out[3] is 1, not 2 (\xc2\xb5s)";
  EXPECT_EQ(possible_reply(test::measure_request({{"A", 1}}), reply).reason, reply.reason);
}

TEST(PossibleReply, ImpossibleSourceLinesAreTheirReason) {
  SampleLinesReply reply;
  reply.profile = test::some_lines();
  EXPECT_TRUE(possible_reply(SampleLines{}, reply).profile);
  reply.profile->samples = 1;
  const SampleLinesReply possible = possible_reply(SampleLines{}, reply);
  EXPECT_FALSE(possible.profile);
  EXPECT_NE(possible.reason.find("more samples than the kernel"), std::string::npos);
}

TEST(PossibleReply, NamesOfSourceLinesAreSafeForATerminal) {
  SampleLinesReply reply;
  reply.profile = test::some_lines();
  LineSamples& line = reply.profile->lines[0];
  line.file = "a\x1b[2J\n.cu";
  line.function = std::string(100000, 'f');
  line.stalls = {{"wa\nit", 200}, {"wa it", 400}};
  const SampleLinesReply possible = possible_reply(SampleLines{}, reply);
  ASSERT_TRUE(possible.profile);
  const LineSamples& shown = possible.profile->lines[0];
  EXPECT_EQ(shown.file.find('\x1b'), std::string::npos);
  EXPECT_LT(shown.function.size(), 2100U);
  EXPECT_EQ(shown.stalls, (SampleCounts{{"wa it", 600}}));
}

}  // namespace
}  // namespace gtune
