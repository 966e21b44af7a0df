// Checks of one kernel on fake devices: when the workers start, what is compared, what fails.
#include "gate/kernel_check.hpp"

#include <gtest/gtest.h>

#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"
#include "tune/fake_device.hpp"

namespace gtune::test {
namespace {

class Silent : public RunObserver {
 public:
  void on_progress(const Progress&) override {}
  void on_measurement(const Measurement&) override {}
  void on_note(const std::string&) override {}
};

/// A kernel with the parameter P and two fake devices: one runs the present source, the other the
/// earlier one. Both note the order of their rounds.
class KernelChecks : public ::testing::Test {
 protected:
  KernelChecks()
      : present("GPU-1", [this](const Measure&) { return take("B", now_ms); }),
        earlier("GPU-1", [this](const Measure&) { return take("A", before_ms); }) {
    folder.write("k.cu", "template <int P> __global__ void k(float* x, int n) {}\n");
  }

  double take(const std::string& letter, double ms) {
    order += letter;
    return ms;
  }

  [[nodiscard]] KernelSpec spec(const std::string& values = "[1, 2, 4]") const {
    return read_spec(folder.write("k.toml", R"toml([kernel]
source = "k.cu"
entry = "k<P>"
[problem]
n = 1024
[params]
P = )toml" + values + R"toml(
[constraints]
small = "P <= n"
[launch]
grid = [1]
block = ["P"]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[[args]]
name = "n"
type = "i32"
value = "n"
[check]
reference = "none"
)toml"),
                     {});
  }

  [[nodiscard]] std::unique_ptr<GateSession> session(const KernelSpec& of, FakeDevice& device) {
    SessionOptions options;
    options.workers = {{"fake", {}}};
    options.connect = connect_to({{"fake", &device}});
    return std::make_unique<GateSession>(options, of, observer, [] { return false; });
  }

  [[nodiscard]] ReferenceTime reference(double ms, std::int64_t p = 2) const {
    ReferenceTime made;
    made.kernel = "k";
    made.problem = {{"n", 512}};
    made.config = {{"P", p}};
    made.rounds_ms.assign(8, ms);
    made.gpu_uuid = "GPU-1";
    made.toolchain = {"580.159", "13.0", "13.1", "", "0.1.0"};
    return made;
  }

  CheckedProblem check(const ReferenceTime& of, double limit_ms = 10000) {
    const KernelSpec kernel = spec();
    const auto now = session(kernel, present);
    return KernelCheck(*now, nullptr, "", {}, limit_ms).check(of);
  }

  CheckedProblem check_in_turn(const ReferenceTime& of) {
    const KernelSpec kernel = spec();
    const auto now = session(kernel, present);
    const auto before = session(kernel, earlier);
    return KernelCheck(*now, before.get(), "", {}, 10000).check(of);
  }

  TemporaryFolder folder;
  Silent observer;
  std::string order;
  double now_ms = 1;
  double before_ms = 1;
  FakeDevice present;
  FakeDevice earlier;
};

TEST_F(KernelChecks, EachRoundHasAWorkerOfItsOwnThatChecksTheResult) {
  const CheckedProblem checked = check(reference(1));
  EXPECT_EQ(checked.verdict, GateVerdict::same);
  EXPECT_EQ(checked.rounds, 4);
  EXPECT_EQ(checked.sizes, "n=512");
  EXPECT_EQ(present.starts, 1 + 4) << "one for the greeting";
  EXPECT_EQ(present.opened.size(), 4U);
  for (const Measure& asked : present.asked) {
    EXPECT_TRUE(asked.check);
    EXPECT_EQ(asked.config, (Config{{"P", 2}}));
  }
}

TEST_F(KernelChecks, ChangedTimesAreFasterOrSlower) {
  now_ms = 1.03;
  const CheckedProblem slower = check(reference(1));
  EXPECT_EQ(slower.verdict, GateVerdict::slower);
  EXPECT_NEAR(slower.change->estimate, 0.03, 1e-9);
  EXPECT_NEAR(*slower.before_ms, 1, 1e-9);
  EXPECT_NEAR(*slower.now_ms, 1.03, 1e-9);
  EXPECT_EQ(check(reference(1.1)).verdict, GateVerdict::faster);
}

TEST_F(KernelChecks, AnUnsettledProblemIsMeasuredLonger) {
  int round = 0;
  present.times = [&](const Measure&) { return ++round % 2 == 0 ? 0.9 : 1.1; };
  const CheckedProblem checked = check(reference(1));
  EXPECT_EQ(checked.verdict, GateVerdict::unsure);
  EXPECT_EQ(checked.rounds, 24);
  EXPECT_EQ(checked.reason, "not settled after 24 rounds");
}

TEST_F(KernelChecks, WrongResultsAndCrashesAreFailuresNotSlowdowns) {
  for (const Status status : {Status::wrong_result, Status::crashed, Status::launch_error}) {
    present.instead = [&](const Measure&) {
      MeasureReply reply;
      reply.status = status;
      reply.reason = "made up";
      return reply;
    };
    const CheckedProblem checked = check(reference(1));
    EXPECT_EQ(checked.verdict, GateVerdict::failed);
    EXPECT_EQ(checked.reason, std::string(to_string(status)) + ": made up");
    EXPECT_FALSE(checked.change);
  }
}

TEST_F(KernelChecks, ARareWrongResultFailsToo) {
  int round = 0;
  present.instead = [&](const Measure&) -> std::optional<MeasureReply> {
    if (++round != 3) return std::nullopt;
    MeasureReply reply;
    reply.status = Status::wrong_result;
    return reply;
  };
  EXPECT_EQ(check(reference(1)).verdict, GateVerdict::failed);
}

TEST_F(KernelChecks, AConfigurationThatTheSpecNoLongerHasFails) {
  const CheckedProblem value = check(reference(1, 8));
  EXPECT_EQ(value.verdict, GateVerdict::failed);
  EXPECT_EQ(value.reason, "configuration P=8: P takes 1, 2, 4");
  ReferenceTime other = reference(1);
  other.config = {{"Q", 2}};
  EXPECT_EQ(check(other).reason.find("configuration Q=2: kernel 'k' has no parameter 'Q'"), 0U);
  ReferenceTime small = reference(1, 4);
  small.problem = {{"n", 2}};
  EXPECT_NE(check(small).reason.find("violates the constraint small"), std::string::npos);
  ReferenceTime size = reference(1);
  size.problem = {{"n", -1}};
  EXPECT_NE(check(size).reason.find("size n is -1"), std::string::npos) << check(size).reason;
  size.problem = {{"m", 1}};
  EXPECT_EQ(check(size).verdict, GateVerdict::failed);
  EXPECT_EQ(present.asked.size(), 0U);
}

TEST_F(KernelChecks, ChangedConditionsAreNoted) {
  ReferenceTime old = reference(1);
  old.toolchain.driver = "570.1";
  old.gpu_uuid = "GPU-2";
  EXPECT_EQ(check(old).notes, (std::vector<std::string>{"the GPU was GPU-2, is GPU-1",
                                                        "the driver was 570.1, is 580.159"}));
  EXPECT_TRUE(check(reference(1)).notes.empty());
}

TEST_F(KernelChecks, SourcesAreMeasuredInTurnAndTheFilesTimesDoNotCount) {
  now_ms = 1.02;
  const CheckedProblem checked = check_in_turn(reference(50));
  EXPECT_EQ(checked.verdict, GateVerdict::slower);
  EXPECT_NEAR(checked.change->estimate, 0.02, 1e-9);
  EXPECT_EQ(order, "ABBAABBA");
  EXPECT_TRUE(checked.notes.empty());
}

TEST_F(KernelChecks, OnlyOneWorkerIsUpAtATime) {
  int together = 0;
  present.instead = [&](const Measure&) {
    together += present.running + earlier.running > 1 ? 1 : 0;
    return std::nullopt;
  };
  earlier.instead = present.instead;
  static_cast<void>(check_in_turn(reference(1)));
  EXPECT_EQ(together, 0);
}

TEST_F(KernelChecks, AFailureOfTheEarlierSourceIsNotThePresentOnes) {
  earlier.instead = [](const Measure&) {
    MeasureReply reply;
    reply.status = Status::wrong_result;
    return reply;
  };
  const CheckedProblem checked = check_in_turn(reference(1));
  EXPECT_EQ(checked.verdict, GateVerdict::unsure);
  EXPECT_EQ(checked.reason, "the earlier source cannot be measured: wrong_result");
}

TEST_F(KernelChecks, AFailureOfThePresentSourceIsOneInTurnToo) {
  present.instead = [](const Measure&) {
    MeasureReply reply;
    reply.status = Status::wrong_result;
    return reply;
  };
  EXPECT_EQ(check_in_turn(reference(1)).verdict, GateVerdict::failed);
}

TEST_F(KernelChecks, WithoutAnEarlierSourceThePresentOneMustStillBeRight) {
  const KernelSpec kernel = spec();
  const auto now = session(kernel, present);
  const CheckedProblem unsure =
      KernelCheck(*now, nullptr, "commit 1 has no k.toml", {}, 10000).check(reference(1));
  EXPECT_EQ(unsure.verdict, GateVerdict::unsure);
  EXPECT_EQ(unsure.reason, "the earlier source cannot be measured: commit 1 has no k.toml");
  EXPECT_EQ(present.asked.size(), 1U);
}

TEST_F(KernelChecks, AReferenceHasAllThatACheckNeeds) {
  const KernelSpec kernel = spec();
  const auto now = session(kernel, present);
  const ReferenceTime saved =
      measure_reference(*now, {}, "k.toml", Problem{{"n", 512}}, Config{{"P", 2}}, 5);
  EXPECT_EQ(saved.kernel, "k");
  EXPECT_EQ(saved.spec, "k.toml");
  EXPECT_EQ(saved.rounds_ms, std::vector<double>(5, 1.0));
  EXPECT_EQ(saved.gpu_uuid, "GPU-1");
  EXPECT_EQ(saved.toolchain.driver, "580.159");
  EXPECT_FALSE(saved.source_hash.empty());
  EXPECT_FALSE(saved.spec_hash.empty());
  EXPECT_TRUE(saved.created.ends_with("Z"));
  EXPECT_EQ(present.starts, 1 + 5);
}

}  // namespace
}  // namespace gtune::test
