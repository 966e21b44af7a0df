// Frames that a tuner reads from a worker, after a launcher's banner, and stores.

#include <SQLiteCpp/SQLiteCpp.h>

#include "../frames.hpp"
#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "../toy.hpp"
#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "space/restrict.hpp"
#include "support/some_lines.hpp"
#include "tune/evaluate.hpp"
#include "worker/messages.hpp"
#include "worker/possible_reply.hpp"

namespace gtune::fuzz {
namespace {

class FramesToTunerTarget : public Target {
 public:
  FramesToTunerTarget() {
    m_key = {m_database.upsert_device(m_recording.device),
             m_database.upsert_toolchain(m_recording.toolchain),
             m_database.upsert_kernel(m_recording.kernel),
             m_database.upsert_problem(m_recording.kernel.name, m_recording.problem),
             {}};
    require(m_key.device == DeviceId{1}, "row numbers begin elsewhere: change this target");
    m_database.connection().exec("PRAGMA synchronous = OFF");
    RunInfo info;
    info.key = m_key;
    m_run = m_database.begin_run(info);
  }

  std::vector<std::string> seeds() override {
    HelloReply hello;
    hello.device = m_recording.device;
    hello.recorded_kernel = m_recording.kernel;
    hello.recorded_toolchain = m_recording.toolchain;
    for (const RecordedMeasurement& recorded : m_recording.measurements) {
      if (recorded.measurement.label.empty()) {
        hello.recorded_configs.push_back(recorded.measurement.config);
      }
    }
    const Measurement& first = m_recording.measurements.front().measurement;
    MeasureReply good;
    good.timing = first.timing;
    good.resources = first.resources;
    good.max_error = 0.5;
    good.gpu_ms = 5;
    MeasureReply bad;
    bad.status = Status::wrong_result;
    bad.reason = "y[3] is 1, not 2";
    MeasureEnergyReply energy;
    energy.energy = EnergyUse{440, 372, 1000, 1.25, 12};
    SampleLinesReply lines;
    lines.profile = test::some_lines();
    const ProfileReply metrics{m_recording.measurements.front().metrics, "", false, false};
    return {
        stream_of(to_frame(hello), to_frame(PrepareReply{{.fma_tflops = 60, .dram_gbps = 4000}}),
                  to_frame(OpenProblemReply{}), to_frame(good), to_frame(bad), to_frame(metrics),
                  to_frame(energy), to_frame(lines), to_frame(ErrorReply{"no memory", 1}))};
  }

  void run(const std::string& input) override {
    const FrameStream stream(input);
    try {
      std::string banner;
      if (!skip_to_frame(stream.fd(), std::nullopt, banner)) return;
      take(read_frame_after(stream.fd(), std::nullopt, banner));
      while (auto frame = read_frame(stream.fd(), std::nullopt)) take(std::move(*frame));
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_frames(input, other, random);
  }

 private:
  void take(Frame frame) {
    try {
      Message message = message_from(std::move(frame));
      std::visit([this](auto& one) { take_message(one); }, message);
    } catch (const FrameError& error) {
      check_message(error.what());
    }
  }

  /// A request, a ping or an error: none is stored.
  template <typename Other>
  void take_message(const Other&) {}

  void take_message(const PrepareReply& reply) { (void)possible_reply(Prepare{}, reply); }

  void take_message(HelloReply& said) {
    const HelloReply hello = possible_reply(Hello{}, std::move(said));
    const SearchSpace known = restrict_to(m_space, hello.recorded_configs);
    require(known.size() <= m_space.size(), "a worker makes a space larger");
    (void)m_database.upsert_device(hello.device);
    m_remove_devices.reset();
    m_remove_devices.exec();
  }

  void take_message(MeasureReply& reply) { store(std::move(reply)); }
  void take_message(ProfileReply& reply) { store(std::move(reply)); }
  void take_message(MeasureEnergyReply& reply) { store(std::move(reply)); }
  void take_message(SampleLinesReply& reply) { store(std::move(reply)); }

  void store(MeasureReply reply) {
    Measurement measurement;
    measurement.config = m_space.config(0);
    Measure request;
    request.config = measurement.config;
    adopt_reply(measurement, possible_reply(request, std::move(reply)));
    require(!measurement.ok() || (measurement.timing && measurement.timing->median_ms > 0),
            "ok, and yet no time");
    (void)m_database.insert_measurement(m_run, m_key, measurement);
    const auto stored = m_database.load_measurements(m_key, Phase::search);
    require(stored.size() == 1, "a measurement that does not come back");
    if (measurement.ok()) (void)m_database.query_best(m_recording.kernel);
    remove_measurements();
  }

  void store(ProfileReply reply) {
    reply = possible_reply(Profile{{}, {"ipc", "l2_hit_rate"}}, std::move(reply));
    (void)stored_metrics(reply.metrics);
  }

  void store(MeasureEnergyReply reply) {
    reply = possible_reply(MeasureEnergy{}, std::move(reply));
    if (!reply.energy) return;
    require(energy_use(stored_metrics(energy_metrics(*reply.energy))).has_value(),
            "an energy that does not come back");
  }

  void store(SampleLinesReply reply) {
    reply = possible_reply(SampleLines{}, std::move(reply));
    const MeasurementId id =
        m_database.insert_measurement(m_run, m_key, m_recording.measurements.front().measurement);
    m_database.insert_line_profile(id, {reply.profile, reply.reason});
    const auto loaded = m_database.load_line_profile(id);
    require(loaded && loaded->profile.has_value() == reply.profile.has_value(),
            "source lines that do not come back");
    remove_measurements();
  }

  /// Stores the metrics and loads them again.
  std::vector<Metric> stored_metrics(const std::vector<Metric>& metrics) {
    const MeasurementId id =
        m_database.insert_measurement(m_run, m_key, m_recording.measurements.front().measurement);
    m_database.insert_metrics(id, metrics);
    std::vector<Metric> loaded = m_database.load_metrics(id);
    remove_measurements();
    return loaded;
  }

  void remove_measurements() {
    for (SQLite::Statement* remove : {&m_remove_metrics, &m_remove_lines, &m_remove_measurements}) {
      remove->reset();
      remove->exec();
    }
  }

  Recording m_recording = few_toy_measurements();
  SearchSpace m_space = enumerate(toy_kernel(), m_recording.problem, m_recording.device).space;
  ScratchFolder m_folder;
  Database m_database{m_folder.path() / "tuner.db", OpenMode::create};
  MeasurementKey m_key;
  RunId m_run{};
  SQLite::Statement m_remove_metrics{m_database.connection(), "DELETE FROM metric"};
  SQLite::Statement m_remove_lines{m_database.connection(), "DELETE FROM line_profile"};
  SQLite::Statement m_remove_measurements{m_database.connection(), "DELETE FROM measurement"};
  SQLite::Statement m_remove_devices{m_database.connection(), "DELETE FROM device WHERE id > 1"};
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<FramesToTunerTarget>(); }

}  // namespace gtune::fuzz
