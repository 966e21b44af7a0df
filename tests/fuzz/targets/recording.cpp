// A foreign recording: read, replayed, taken as a space, and written back.

#include "worker/recording.hpp"

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "exchange/space_file.hpp"
#include "model/error.hpp"
#include "worker/possible_reply.hpp"
#include "worker/replay_backend.hpp"

namespace gtune::fuzz {
namespace {

class RecordingTarget : public Target {
 public:
  void run(const std::string& input) override {
    const auto file = m_folder.write("input.jsonl", input);
    try {
      (void)read_space_file(file);
    } catch (const UserError& error) {
      check_message(error.what());
    }
    const Recording recording = read_recording(file);
    const auto copy = m_folder.path() / "copy.jsonl";
    write_recording(recording, copy);
    require(read_recording(copy).measurements.size() == recording.measurements.size(),
            "a recording that does not come back");
    replay(recording);
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_json_lines(input, other, random);
  }

 private:
  static void replay(const Recording& recording) {
    ReplayBackend backend({recording});
    (void)backend.answer(Hello{});
    OpenProblem open;
    open.problem = recording.problem;
    (void)backend.answer(open);
    for (const RecordedMeasurement& recorded : recording.measurements) {
      Measure request;
      request.problem = recording.problem;
      request.config = recorded.measurement.config;
      request.label = recorded.measurement.label;
      request.mode = recording.mode;
      (void)backend.answer(request);
      Profile profile{request, {"ipc"}};
      (void)backend.answer(profile);
      (void)possible_reply(MeasureEnergy{request}, backend.answer(MeasureEnergy{request}));
      (void)possible_reply(SampleLines{request}, backend.answer(SampleLines{request}));
    }
  }

  ScratchFolder m_folder;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<RecordingTarget>(); }

}  // namespace gtune::fuzz
