#include "worker/messages.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "support/some_lines.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

/// Transmits a message as over a pipe: the header as text, the blob beside it.
template <typename Message>
Message transmitted(const Message& message) {
  Frame frame = to_frame(message);
  frame.header = nlohmann::json::parse(frame.header.dump());
  return from_frame<Message>(std::move(frame));
}

/// The kind of error when reading a reply to a measurement fails.
FrameError::Kind failure(const Frame& frame) {
  try {
    (void)from_frame<MeasureReply>(frame);
  } catch (const FrameError& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was wrong";
  return {};
}

TEST(Messages, ARequestToMeasureArrives) {
  Measure sent = test::measure_request({{"B", 2}, {"A", 1}}, 9);
  sent.label = "naive";
  const LaunchPlan launch{{7, 8, 9}, {32, 2, 1}, 1234};
  sent.steps = {{"first", true, KernelLaunch{"_Z4zerov", {}, {}}},
                {"second", false, KernelLaunch{"_Z4copyv", launch, {{1, 2}, {0, 0}}}},
                {"third", false, BufferCopy{{"w", 1, 2}, {"v", 0, 2}}},
                {"fourth", false, BufferSet{{"w", 0, 3}, 255}}};
  sent.time_steps = true;
  sent.arguments = {ScalarPlan{"n", ElementType::i64, 1024, 0},
                    BufferPlan{"w", ElementType::f64, 3, Direction::workspace, {}},
                    TensorMapPlan{"map", "w", 0, {3}, {}, {2}, Swizzle::none}};
  sent.check = false;
  sent.time = false;
  sent.mode.order = LaunchOrder::warm;
  sent.sampling.target_half_width = 0.5;
  sent.best_ms = 0.125;
  sent.time_limit_ms = 77;
  sent.cubin = {std::byte{0}, std::byte{0xff}};
  const Measure got = transmitted(sent);
  EXPECT_EQ(got.problem, sent.problem);
  EXPECT_EQ(got.config.text(), "B=2,A=1");
  EXPECT_EQ(got.label, "naive");
  ASSERT_EQ(got.steps.size(), 4U);
  EXPECT_TRUE(got.steps[0].setup && !got.steps[1].setup && got.time_steps);
  EXPECT_EQ(got.steps[1].name, "second");
  const auto& copy = std::get<KernelLaunch>(got.steps[1].action);
  EXPECT_EQ(copy.kernel, "_Z4copyv");
  EXPECT_EQ(copy.launch.block, launch.block);
  EXPECT_EQ(copy.launch.shared_bytes, 1234);
  ASSERT_EQ(copy.arguments.size(), 2U);
  EXPECT_EQ(copy.arguments[0].index, 1U);
  EXPECT_EQ(copy.arguments[0].offset, 2);
  const auto& between = std::get<BufferCopy>(got.steps[2].action);
  EXPECT_EQ(between.from.offset, 1);
  EXPECT_EQ(between.to.buffer, "v");
  EXPECT_EQ(std::get<BufferSet>(got.steps[3].action).byte, 255);
  ASSERT_EQ(got.arguments.size(), 3U);
  EXPECT_EQ(std::get<ScalarPlan>(got.arguments[0]).integer, 1024);
  EXPECT_EQ(std::get<BufferPlan>(got.arguments[1]).direction, Direction::workspace);
  EXPECT_EQ(std::get<TensorMapPlan>(got.arguments[2]).of, "w");
  EXPECT_FALSE(got.check || got.time || got.mode.flushes_l2());
  EXPECT_EQ(got.sampling.max_samples, 9);
  EXPECT_EQ(got.sampling.target_half_width, 0.5);
  EXPECT_EQ(got.best_ms, 0.125);
  EXPECT_EQ(got.time_limit_ms, 77);
  EXPECT_EQ(got.cubin, sent.cubin);
}

TEST(Messages, OtherCubinsArrive) {
  Prepare prepare;
  prepare.measure_limits = true;
  prepare.support_cubin = {std::byte{1}};
  EXPECT_EQ(transmitted(prepare).support_cubin, prepare.support_cubin);
  EXPECT_TRUE(transmitted(prepare).measure_limits);
  OpenProblem open;
  open.awkward = true;
  open.seed = ~std::uint64_t{0};
  open.checks = {{"y", 1e-6, 0, 0, 3, {}}};
  EXPECT_FALSE(transmitted(open).reference);
  const LaunchPlan launch{{3, 1, 1}, {32, 1, 1}, 8};
  open.set_reference({{{"", false, KernelLaunch{"_Z9referencev", launch, {}}}},
                      {ScalarPlan{"n", ElementType::i64, 7, 0},
                       BufferPlan{"w", ElementType::f64, 3, Direction::workspace, {}}}},
                     {std::byte{2}, std::byte{3}});
  open.add({"x", false, {std::byte{4}}});
  open.add({"y", true, {std::byte{5}, std::byte{6}}});
  const ReferenceCall reference = transmitted(open).reference.value();
  const auto& right = std::get<KernelLaunch>(reference.steps.at(0).action);
  EXPECT_EQ(right.kernel, "_Z9referencev");
  EXPECT_EQ(right.launch.grid[0], 3);
  EXPECT_EQ(right.launch.shared_bytes, 8);
  ASSERT_EQ(reference.arguments.size(), 2U);
  EXPECT_EQ(std::get<ScalarPlan>(reference.arguments[0]).integer, 7);
  EXPECT_EQ(std::get<BufferPlan>(reference.arguments[1]).name, "w");
  EXPECT_EQ(transmitted(open).reference_cubin(), (Bytes{std::byte{2}, std::byte{3}}));
  const std::vector<BufferContents> contents = transmitted(open).contents();
  ASSERT_EQ(contents.size(), 2U);
  EXPECT_EQ(contents[0].name, "x");
  EXPECT_FALSE(contents[0].is_result);
  EXPECT_EQ(contents[0].bytes, Bytes{std::byte{4}});
  EXPECT_TRUE(contents[1].is_result);
  EXPECT_EQ(contents[1].bytes, (Bytes{std::byte{5}, std::byte{6}}));
  open.add({"y", {"", false, KernelLaunch{"_Z4samev", launch, {}}}, {}}, {std::byte{7}});
  EXPECT_EQ(transmitted(open).compare_cubin("y"), Bytes{std::byte{7}});
  EXPECT_THROW((void)transmitted(open).compare_cubin("x"), UserError);
  EXPECT_EQ(transmitted(open).contents().size(), 2U);
  EXPECT_EQ(std::get<KernelLaunch>(transmitted(open).compares.at(0).step.action).kernel,
            "_Z4samev");
  open.parts.back().bytes = ~std::uint64_t{0};
  EXPECT_THROW((void)open.contents(), UserError);
  EXPECT_EQ(transmitted(open).seed, ~std::uint64_t{0});
  ASSERT_EQ(transmitted(open).checks.size(), 1U);
  EXPECT_EQ(transmitted(open).checks[0].rtol, 1e-6);
  EXPECT_TRUE(transmitted(open).awkward);
}

TEST(Messages, AReplyArrives) {
  MeasureReply sent;
  sent.status = Status::launch_error;
  sent.reason = "no";
  sent.timing = summarise(test::ten_samples);
  sent.max_error = 0.5;
  sent.gpu_ms = 3;
  sent.worker_lost = true;
  sent.performed = false;
  sent.resources = test::some_resources();
  sent.compile_ms = 4;
  const MeasureReply got = transmitted(sent);
  EXPECT_EQ(got.status, Status::launch_error);
  EXPECT_EQ(got.reason, "no");
  EXPECT_EQ(got.timing.value().samples_ms, test::ten_samples);
  EXPECT_EQ(got.max_error, 0.5);
  EXPECT_EQ(got.gpu_ms, 3);
  EXPECT_TRUE(got.worker_lost);
  EXPECT_FALSE(got.performed);
  EXPECT_EQ(got.resources.value().occupancy_limit, "registers");
  EXPECT_EQ(got.compile_ms, 4);
  EXPECT_FALSE(transmitted(MeasureReply{}).timing);
}

TEST(Messages, AProfileArrives) {
  Profile sent;
  sent.run = test::measure_request({{"A", 1}}, 3);
  sent.run.cubin = {std::byte{7}};
  sent.metrics = {"ipc", "dram__bytes.sum"};
  const Profile got = transmitted(sent);
  EXPECT_EQ(got.run.config.text(), "A=1");
  EXPECT_EQ(got.run.cubin, sent.run.cubin);
  EXPECT_EQ(got.metrics, sent.metrics);

  ProfileReply reply;
  reply.metrics = {{"ipc", 1.5, "inst/cycle", ""},
                   {"l2_hit_rate", std::nullopt, "percent", "none"}};
  reply.reason = "why";
  reply.unavailable = reply.worker_lost = true;
  const ProfileReply answer = transmitted(reply);
  ASSERT_EQ(answer.metrics.size(), 2U);
  EXPECT_EQ(answer.metrics[0].value, 1.5);
  EXPECT_EQ(answer.metrics[0].unit, "inst/cycle");
  EXPECT_FALSE(answer.metrics[1].value);
  EXPECT_EQ(answer.metrics[1].reason, "none");
  EXPECT_EQ(answer.reason, "why");
  EXPECT_TRUE(answer.unavailable && answer.worker_lost);
}

TEST(Messages, AMeasurementOfEnergyArrives) {
  MeasureEnergy sent;
  sent.run = test::measure_request({{"A", 1}}, 3);
  sent.run.cubin = {std::byte{7}};
  const MeasureEnergy got = transmitted(sent);
  EXPECT_EQ(got.run.config.text(), "A=1");
  EXPECT_EQ(got.run.cubin, sent.run.cubin);

  MeasureEnergyReply reply;
  reply.energy = EnergyUse{74.5, 372, 4000, 0.75, 9};
  reply.reason = "why";
  reply.unavailable = reply.worker_lost = true;
  const MeasureEnergyReply answer = transmitted(reply);
  ASSERT_TRUE(answer.energy);
  EXPECT_EQ(answer.energy->energy_mj, 74.5);
  EXPECT_EQ(answer.energy->power_w, 372);
  EXPECT_EQ(answer.energy->launches, 4000);
  EXPECT_EQ(answer.energy->seconds, 0.75);
  EXPECT_EQ(answer.energy->updates, 9);
  EXPECT_EQ(answer.reason, "why");
  EXPECT_TRUE(answer.unavailable && answer.worker_lost);
  EXPECT_FALSE(transmitted(MeasureEnergyReply{}).energy);
}

TEST(Messages, SourceLinesArrive) {
  SampleLines sent;
  sent.run = test::measure_request({{"A", 1}}, 3);
  sent.run.cubin = {std::byte{7}};
  EXPECT_EQ(transmitted(sent).run.cubin, sent.run.cubin);

  SampleLinesReply reply;
  reply.profile = test::some_lines();
  const SampleLinesReply answer = transmitted(reply);
  ASSERT_TRUE(answer.profile);
  EXPECT_EQ(nlohmann::json(*answer.profile), nlohmann::json(*reply.profile));
  reply.profile.reset();
  reply.reason = "why";
  reply.unavailable = reply.worker_lost = true;
  const SampleLinesReply none = transmitted(reply);
  EXPECT_FALSE(none.profile);
  EXPECT_EQ(none.reason, "why");
  EXPECT_TRUE(none.unavailable && none.worker_lost);
}

TEST(Messages, OneOfAnotherKindOrFormIsGarbage) {
  EXPECT_EQ(failure(to_frame(HelloReply{})), FrameError::Kind::garbage);
  EXPECT_EQ(failure({nlohmann::json::object(), {}}), FrameError::Kind::garbage);
  Frame frame = to_frame(MeasureReply{});
  frame.header["status"] = "fine";
  EXPECT_EQ(failure(frame), FrameError::Kind::garbage);
  frame.header.erase("status");
  EXPECT_EQ(failure(frame), FrameError::Kind::garbage);
  frame.header["kind"] = 7;
  EXPECT_EQ(kind_of(frame), "unknown");
}

TEST(Messages, ANumberThatIsNoIntegerOrDoesNotFitIsGarbage) {
  MeasureReply reply;
  reply.resources.emplace();
  for (const char* number : {"1e19", "1e300", "1.5", "9223372036854775808"}) {
    Frame frame = to_frame(reply);
    frame.header["resources"]["cubin_bytes"] = nlohmann::json::parse(number);
    EXPECT_EQ(failure(frame), FrameError::Kind::garbage) << number;
  }
}

TEST(Messages, AFrameIsReadAsTheMessageThatItsKindNames) {
  EXPECT_TRUE(std::holds_alternative<Prepare>(request_from(to_frame(Prepare{}))));
  EXPECT_TRUE(std::holds_alternative<ProfileReply>(message_from(to_frame(ProfileReply{}))));
  EXPECT_TRUE(std::holds_alternative<Ping>(message_from(to_frame(Ping{}))));
  EXPECT_THROW((void)request_from(to_frame(PrepareReply{})), FrameError);  // not a request
  EXPECT_THROW((void)request_from({{{"kind", "dance"}}, {}}), FrameError);
}

}  // namespace
}  // namespace gtune
