// Frames that a worker reads from its tuner.

#include <fcntl.h>
#include <unistd.h>

#include "../frames.hpp"
#include "../mutate.hpp"
#include "../target.hpp"
#include "model/error.hpp"
#include "worker/replay_backend.hpp"
#include "worker/server.hpp"

namespace gtune::fuzz {
namespace {

class FramesToWorkerTarget : public Target {
 public:
  ~FramesToWorkerTarget() override { close(m_nowhere); }

  std::vector<std::string> seeds() override {
    Measure measure;
    measure.problem = recording().problem;
    measure.config = recording().measurements.front().measurement.config;
    measure.steps = {{"first", true, KernelLaunch{"fill", {}, {{0, 1}}}},
                     {"copy", false, KernelLaunch{"copy", {}, {{0, 0}, {1, 0}}}}};
    measure.arguments = {BufferPlan{"A", ElementType::f32, 1024, Direction::out, {}},
                         ScalarPlan{"n", ElementType::i32, 1024, 0}};
    measure.cubin.resize(64);
    OpenProblem open;
    open.problem = measure.problem;
    open.arguments = measure.arguments;
    open.reference = ReferenceCall{measure.steps, measure.arguments};
    open.add(ComparePlan{"A", measure.steps[1], measure.arguments}, Bytes(16));
    Measure small = measure;
    small.sampling.max_samples = 3;
    small.best_ms = 1.0;
    const std::string honest =
        stream_of(to_frame(Hello{}), to_frame(Prepare{}), to_frame(open), to_frame(measure),
                  to_frame(small), to_frame(Profile{measure, {"ipc"}}),
                  to_frame(MeasureEnergy{measure}), to_frame(SampleLines{measure}));
    return {honest, with_blob_that_does_not_come(honest), with_number_too_large(honest)};
  }

  void run(const std::string& input) override {
    const FrameStream stream(input);
    ReplayBackend backend({recording()});
    try {
      while (auto request = read_frame(stream.fd(), std::nullopt)) {
        serve_one(backend, std::move(*request));
      }
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_frames(input, other, random);
  }

 private:
  // Former faults, built anew each time: a file would keep an old protocol version.

  /// The second frame announces a blob of 1 GiB that does not follow.
  static std::string with_blob_that_does_not_come(std::string stream) {
    std::string rest;
    const std::size_t second = join_frames({split_frames(stream, rest).at(0)}).size();
    constexpr std::size_t blob_length = 8;  // after the magic and the header's length
    return stream.replace(second + blob_length, 4, std::string("\0\0\0\x40", 4));
  }

  /// An argument of the last frame exceeds a double.
  static std::string with_number_too_large(const std::string& stream) {
    std::string rest;
    std::vector<RawFrame> frames = split_frames(stream, rest);
    const std::string argument = R"("integer":1024)";
    std::string& header = frames.back().header;
    const std::size_t place = header.find(argument);
    require(place != header.npos, "the last frame has no such argument");
    header.replace(place, argument.size(), R"("integer":1e400)");
    return join_frames(frames);
  }

  static Recording recording() {
    Recording recording;
    recording.kernel = {"copy", "5000", "5bec", {"n"}, {"A", "B"}};
    recording.device.name = "NVIDIA H200";
    recording.problem = {{"n", 1024}};
    RecordedMeasurement recorded;
    recorded.measurement.config = {{"A", 1}, {"B", 2}};
    recorded.measurement.timing.emplace();
    recorded.measurement.timing->samples_ms = {1.0, 1.5, 1.25, 1.0, 1.0, 1.0, 1.5};
    recorded.metrics = {
        {"ipc", 1.5, "inst/cycle", ""}, {"energy_mj", 440, "mJ", ""}, {"power_w", 372, "W", ""}};
    recording.measurements = {recorded};
    return recording;
  }

  /// A request that cannot be served is answered, and the next one is read.
  void serve_one(WorkerBackend& backend, Frame request) const {
    try {
      bool lost = false;
      write_frame(m_nowhere, reply_to(backend, std::move(request), lost));
    } catch (const UserError& error) {
      check_message(error.what());
    }
  }

  int m_nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<FramesToWorkerTarget>(); }

}  // namespace gtune::fuzz
