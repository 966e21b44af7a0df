#include "model/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gtune {
namespace {

using nlohmann::json;

/// Converts to text and back, as over a pipe.
template <typename T>
T through_text(const T& value) {
  return json::parse(json(value).dump()).template get<T>();
}

DeviceFacts some_device() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef";
  device.cc_major = 9;
  device.cc_minor = 1;
  device.sm_count = 132;
  device.warp_size = 33;
  device.max_threads_per_block = 1025;
  device.max_threads_per_sm = 2049;
  device.max_blocks_per_sm = 34;
  device.registers_per_block = 65537;
  device.registers_per_sm = 65538;
  device.shared_per_block = 49153;
  device.shared_per_block_optin = 232448;
  device.shared_per_sm = 233472;
  device.reserved_shared_per_block = 1025;
  device.l2_bytes = 62914560;
  device.memory_bytes = 150754820096;  // more than 32 bits
  device.max_sm_clock_mhz = 1980;
  device.max_memory_clock_mhz = 3201;
  device.memory_bus_bits = 6144;
  device.driver_version = "580.159";
  device.runtime_version = "13.0";
  device.limits = {60.123456789012345, 390.5, 4321.5, 5678.5, 30123.5};
  device.replayed = true;
  return device;
}

TEST(Json, DeviceFactsComeBack) {
  const DeviceFacts sent = some_device();
  const DeviceFacts back = through_text(sent);
  EXPECT_EQ(back.name, sent.name);
  EXPECT_EQ(back.arch(), "sm_91a");
  EXPECT_EQ(back.memory_bytes, 150754820096);
  EXPECT_EQ(back.limits.fma_tflops, sent.limits.fma_tflops);  // to the last bit
  EXPECT_TRUE(back.replayed);
  EXPECT_EQ(json(back), json(sent));
  // No field has its default value, so a field missing from the form would show.
  const json untouched = DeviceFacts{};
  const json form = sent;
  for (const auto& [key, value] : form.items()) EXPECT_NE(value, untouched.at(key)) << key;
  EXPECT_EQ(form.size(), 28U);
}

TEST(Json, ADeviceOfAnOlderProgramHasFewerLimits) {
  json facts = some_device();
  for (const char* name : {"tensor_tflops", "l2_gbps", "l1_gbps"}) facts.erase(name);
  const auto device = facts.get<DeviceFacts>();
  EXPECT_EQ(device.limits.dram_gbps, 4321.5);
  EXPECT_FALSE(device.limits.tensor_tflops);
  EXPECT_FALSE(device.limits.l1_gbps);
  facts["l1_gbps"] = "fast";
  EXPECT_THROW((void)facts.get<DeviceFacts>(), json::exception);
}

TEST(Json, WhatIsAbsentIsNullAndStaysAbsent) {
  const json facts = DeviceFacts{};
  EXPECT_TRUE(facts.at("fma_tflops").is_null());
  EXPECT_FALSE(through_text(DeviceFacts{}).limits.fma_tflops);
  EXPECT_FALSE(through_text(Timing{}).sm_clock_mhz);
  const std::optional<ResourceUsage> none;
  EXPECT_FALSE(through_text(none));
  EXPECT_TRUE(through_text(std::optional(ResourceUsage{})));
}

TEST(Json, AFieldThatIsMissingIsAnError) {
  json facts = some_device();
  facts.erase("uuid");
  EXPECT_THROW((void)facts.get<DeviceFacts>(), json::exception);
  facts["uuid"] = 3;
  EXPECT_THROW((void)facts.get<DeviceFacts>(), json::exception);
}

TEST(Json, TimingComesBackToTheLastBit) {
  Timing timing;
  timing.samples_ms = {0.1 + 0.2, 1.0 / 3, std::nextafter(2.0, 3.0), 5e-324};
  timing.median_ms = 1;
  timing.min_ms = 2;
  timing.p95_ms = 3;
  timing.mean_ms = 4;
  timing.ci_low_ms = 5;
  timing.ci_high_ms = 6;
  timing.sm_clock_mhz = 1980;
  timing.throttled_samples = 7;
  timing.mode.order = LaunchOrder::warm;
  timing.converged = true;
  timing.discarded_early = true;
  const Timing back = through_text(timing);
  EXPECT_EQ(back.samples_ms, timing.samples_ms);
  EXPECT_EQ(back.sm_clock_mhz, 1980.0);
  EXPECT_EQ(json(back), json(timing));
  const json untouched = Timing{};
  const json form = timing;
  for (const auto& [key, value] : form.items()) EXPECT_NE(value, untouched.at(key)) << key;
}

TEST(Json, ABufferComesBack) {
  BufferPlan buffer;
  buffer.name = "C";
  buffer.type = ElementType::bf16;
  buffer.count = std::int64_t{1} << 40;
  buffer.direction = Direction::inout;
  buffer.fill = {FillKind::each,
                 -3.5,
                 std::numeric_limits<double>::infinity(),
                 {{{Operation::slot}, {Operation::random, true, {0}}}, "random(i)"},
                 "y"};
  const auto back = through_text(ArgumentPlan(buffer));
  ASSERT_TRUE(std::holds_alternative<BufferPlan>(back));
  const auto& got = std::get<BufferPlan>(back);
  EXPECT_EQ(got.name, "C");
  EXPECT_EQ(got.type, ElementType::bf16);
  EXPECT_EQ(got.count, std::int64_t{1} << 40);
  EXPECT_EQ(got.direction, Direction::inout);
  EXPECT_EQ(got.fill.kind, FillKind::each);
  EXPECT_EQ(got.fill.each.steps, buffer.fill.each.steps);
  EXPECT_EQ(got.fill.each.text, "random(i)");
  EXPECT_EQ(got.fill.of, "y");
  EXPECT_EQ(got.fill.low, -3.5);
  EXPECT_EQ(got.fill.high, std::numeric_limits<double>::infinity());
}

TEST(Json, AScalarComesBack) {
  for (const std::int64_t integer :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    const auto back = through_text(ArgumentPlan(ScalarPlan{"K", ElementType::u64, integer, 0.1}));
    ASSERT_TRUE(std::holds_alternative<ScalarPlan>(back));
    const auto& got = std::get<ScalarPlan>(back);
    EXPECT_EQ(got.name, "K");
    EXPECT_EQ(got.type, ElementType::u64);
    EXPECT_EQ(got.integer, integer);
    EXPECT_EQ(got.real, 0.1);
  }
}

TEST(Json, ATensorMapComesBack) {
  const TensorMapPlan map{"a_map",   "A",          8, {4093, std::int64_t{1} << 32}, {4096},
                          {32, 256}, Swizzle::b128};
  const auto back = through_text(ArgumentPlan(map));
  ASSERT_TRUE(std::holds_alternative<TensorMapPlan>(back));
  const auto& got = std::get<TensorMapPlan>(back);
  EXPECT_EQ(got.name, "a_map");
  EXPECT_EQ(got.of, "A");
  EXPECT_EQ(got.offset, 8);
  EXPECT_EQ(got.sizes, map.sizes);
  EXPECT_EQ(got.strides, map.strides);
  EXPECT_EQ(got.box, map.box);
  EXPECT_EQ(got.swizzle, Swizzle::b128);
  json twisted = ArgumentPlan(map);
  twisted["swizzle"] = "96B";
  EXPECT_THROW((void)twisted.get<ArgumentPlan>(), std::invalid_argument);
}

TEST(Json, AnArgumentOfAnUnknownTypeIsAnError) {
  json argument = ArgumentPlan(ScalarPlan{"K", ElementType::i32, 1, 0});
  argument["type"] = "f7";
  EXPECT_THROW((void)argument.get<ArgumentPlan>(), std::invalid_argument);
}

TEST(Json, AnArgumentIsOfTheKindThatItNames) {
  json argument = ArgumentPlan(ScalarPlan{"K", ElementType::i32, 1, 0});
  EXPECT_EQ(argument.at("kind"), "scalar");
  argument["count"] = 1024;  // other keys do not change its kind
  argument["box"] = json::array();
  EXPECT_TRUE(std::holds_alternative<ScalarPlan>(argument.get<ArgumentPlan>()));
  argument["kind"] = "surface";
  EXPECT_THROW((void)argument.get<ArgumentPlan>(), std::invalid_argument);
  argument.erase("kind");
  EXPECT_THROW((void)argument.get<ArgumentPlan>(), json::exception);
}

TEST(Json, NamedValuesKeepTheirOrder) {
  const NamedValues values = {{"Z", 1}, {"A", std::int64_t{1} << 60}, {"M", -3}};
  EXPECT_EQ(through_text(values).entries(), values.entries());
  EXPECT_TRUE(through_text(NamedValues{}).empty());
}

TEST(Json, NamedValuesOfAnotherFormAreAnError) {
  for (const char* text : {"[[\"A\"]]", "[3]", "[[1,2]]", "{\"A\":1}", "[[\"A\",[\"B\"]]]",
                           "[[\"A\",true]]", "[[\"A\",1.5]]", "7"}) {
    EXPECT_THROW((void)json::parse(text).get<NamedValues>(), json::exception) << text;
  }
}

TEST(Json, ATextureComesBack) {
  const TexturePlan texture{"t",  "w",  {4, 2}, 2, TextureFilter::linear, TextureAddress::mirror,
                            true, true, false};
  const auto back = through_text(ArgumentPlan{texture});
  const auto& got = std::get<TexturePlan>(back);
  EXPECT_EQ(got.name, "t");
  EXPECT_EQ(got.of, "w");
  EXPECT_EQ(got.extent, texture.extent);
  EXPECT_EQ(got.channels, 2);
  EXPECT_EQ(got.filter, TextureFilter::linear);
  EXPECT_EQ(got.address, TextureAddress::mirror);
  EXPECT_TRUE(got.normalized_coordinates);
  EXPECT_TRUE(got.normalized_values);
  EXPECT_FALSE(got.linear_memory);
}

TEST(Json, AStructComesBack) {
  const StructPlan plan{
      "s", {{ElementType::f64, 0, 2.5, "", 0}, {ElementType::i32, 0, 0, "w", 16}}, true};
  const auto back = through_text(ArgumentPlan{plan});
  const auto& got = std::get<StructPlan>(back);
  EXPECT_EQ(got.name, "s");
  EXPECT_TRUE(got.by_address);
  ASSERT_EQ(got.members.size(), 2U);
  EXPECT_EQ(got.members[0].type, ElementType::f64);
  EXPECT_EQ(got.members[0].real, 2.5);
  EXPECT_EQ(got.members[1].of, "w");
  EXPECT_EQ(got.members[1].alignment, 16);
}

TEST(Json, AStatusIsItsWord) {
  EXPECT_EQ(json(Status::wrong_result), json("wrong_result"));
  EXPECT_EQ(json("timeout").get<Status>(), Status::timeout);
  EXPECT_THROW((void)json("fine").get<Status>(), std::invalid_argument);
  EXPECT_THROW((void)json(3).get<Status>(), json::exception);
}

TEST(Json, PlansComeBack) {
  const LaunchPlan launch{{std::int64_t{1} << 31, 2, 3}, {4, 5, 6}, 7};
  EXPECT_EQ(through_text(launch).grid, launch.grid);
  EXPECT_EQ(through_text(launch).block, launch.block);
  EXPECT_EQ(through_text(launch).shared_bytes, 7);
  const OutputCheck check =
      through_text(OutputCheck{"y", 1e-6, 2e-9, 0.25, 7, {{{Operation::slot}}, "i"}});
  EXPECT_EQ(check.name, "y");
  EXPECT_EQ(check.rtol, 1e-6);
  EXPECT_EQ(check.atol, 2e-9);
  EXPECT_EQ(check.may_differ, 0.25);
  EXPECT_EQ(check.count, 7);
  EXPECT_EQ(check.where.text, "i");
}

TEST(Json, AProgramThatADeviceCannotRunIsRefused) {
  const auto refuses = [](const char* steps) {
    const json program = {{"steps", json::parse(steps)}, {"text", ""}};
    EXPECT_THROW((void)program.get<ElementProgram>(), std::invalid_argument) << steps;
  };
  refuses("[[1, false, [0, 0, 0], 0, 0], [99, false, [0, 0, 0], 0, 0]]");
  refuses("[[-1, false, [0, 0, 0], 0, 0]]");
  refuses("[[2, false, [0, 0, 0], 0, 0]]");  // its own operand
  json many = json::array();
  for (std::size_t i = 0; i <= most_element_steps; ++i) {
    many.push_back(json::array({1, false, {0, 0, 0}, 0, 0.0}));
  }
  refuses(many.dump().c_str());
}

}  // namespace
}  // namespace gtune
