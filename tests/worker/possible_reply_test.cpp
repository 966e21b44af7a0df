#include "worker/possible_reply.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "model/error.hpp"
#include "model/possible_measurement.hpp"
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
      [](MeasureReply& r) { r.timing->l2_flushed = false; },
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

TEST(PossibleReply, ADeviceThatCannotBeIsRefusedInOneLine) {
  HelloReply hello;
  hello.device.name = "H200";
  hello.device.cc_major = 9;
  hello.device.sm_count = 132;
  EXPECT_NO_THROW(require_possible(hello));
  hello.device.sm_count = 0;
  try {
    require_possible(hello);
    ADD_FAILURE() << "it was taken";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_STREQ(error.what(), "the worker tells of a device that cannot be: sm_count is 0");
  }
  EXPECT_NO_THROW(require_possible(PrepareReply{60.5, std::nullopt}));
  EXPECT_THROW(require_possible(PrepareReply{-5, 4000}), UserError);
  EXPECT_THROW(require_possible(PrepareReply{60.5, 1e-308}), UserError);
}

}  // namespace
}  // namespace gtune
