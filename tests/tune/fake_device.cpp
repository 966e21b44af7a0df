#include "tune/fake_device.hpp"

#include "model/statistics.hpp"
#include "spec/device_table.hpp"

namespace gtune::test {
namespace {

/// A connection to a fake device as to a process: it can be lost and restarted.
class FakeConnection : public WorkerConnection {
 public:
  FakeConnection(FakeDevice& device, const WorkerLimits& limits)
      : WorkerConnection(limits), m_device(device) {}

  void start() override {
    if (m_device.starts_left && (*m_device.starts_left)-- <= 0) {
      ++m_device.starts_refused;
      throw WorkerLost(Status::crashed, "the worker does not start");
    }
    ++m_device.starts;
    m_device.measured_since_start = 0;
    m_running = m_device.running = true;
  }
  void end() override { m_running = m_device.running = false; }
  void keep_alive() override {}
  [[nodiscard]] bool running() const override { return m_running; }

 protected:
  Message exchange(Message request, std::chrono::milliseconds, std::string_view) override {
    if (!m_running) throw WorkerLost(Status::crashed, "the worker is not running");
    try {
      return std::visit([this](const auto& one) { return reply_to(one); }, request);
    } catch (const WorkerLost&) {
      end();
      throw;
    }
  }
  [[nodiscard]] std::string last_words() const override { return ""; }

 private:
  template <typename One>
  Message reply_to(const One& one) {
    if constexpr (requires { m_device.answer(one); }) {
      return m_device.answer(one);
    } else {
      throw std::logic_error("no request");
    }
  }

  FakeDevice& m_device;
  bool m_running = false;
};

}  // namespace

FakeDevice::FakeDevice(const std::string& uuid, Times rule)
    : facts(typical_device("sm_90")), times(std::move(rule)) {
  facts.uuid = uuid;
  facts.driver_version = "580.159";
  facts.runtime_version = "13.0";
  facts.replayed = true;
}

HelloReply FakeDevice::answer(const Hello& request) {
  HelloReply reply;
  reply.device = facts;
  reply.measures_energy = static_cast<bool>(energies);
  reply.recorded_kernel = request.kernel;
  reply.recorded_toolchain = Toolchain{"580.159", "13.0", "13.1", "", "0.1.0"};
  return reply;
}

PrepareReply FakeDevice::answer(const Prepare& request) {
  if (!request.measure_limits) return {};
  ++limits_measured;
  return {limits};
}

OpenProblemReply FakeDevice::answer(const OpenProblem& request) {
  opened.push_back(request);
  if (opening) opening(request);
  return {};
}

MeasureReply FakeDevice::answer(const Measure& request) {
  asked.push_back(request);
  ++measured_since_start;
  if (instead) {
    if (auto reply = instead(request)) return std::move(*reply);
  }
  MeasureReply reply;
  reply.gpu_ms = gpu_ms;
  reply.max_error = 0;
  reply.resources.emplace();
  reply.resources->registers = 32;
  if (const auto found = registers.find(p_of(request.config)); found != registers.end()) {
    reply.resources->registers = found->second;
  }
  if (!request.time) return reply;
  const auto count = static_cast<std::size_t>(request.sampling.min_samples);
  std::vector<double> samples(count, times(request));
  for (std::size_t i = 1; each_sample && i < count; ++i) samples[i] = times(request);
  reply.timing = summarise(std::move(samples));
  reply.timing->mode = request.mode;
  reply.timing->converged = true;
  for (const StepPlan& step : request.steps) {
    if (!request.time_steps || step.setup) continue;
    reply.step_times.push_back({step.name, 0.25 * static_cast<double>(step.name.size())});
  }
  return reply;
}

ProfileReply FakeDevice::answer(const Profile& request) {
  if (counters) return counters(request);
  ProfileReply reply;
  reply.unavailable = true;
  reply.reason = "made up";
  return reply;
}

MeasureEnergyReply FakeDevice::answer(const MeasureEnergy& request) {
  asked_energy.push_back(request.run);
  if (energies) return energies(request.run);
  MeasureEnergyReply reply;
  reply.unavailable = true;
  reply.reason = "no counter";
  return reply;
}

SampleLinesReply FakeDevice::answer(const SampleLines& request) {
  asked_lines.push_back(request.run);
  if (lines) return lines(request.run);
  SampleLinesReply reply;
  reply.unavailable = true;
  reply.reason = "not on this device";
  return reply;
}

std::int64_t p_of(const Config& config) { return config.find("P").value_or(0); }

bool is_of_final(const Measure& request) {
  return request.time && request.label.empty() &&
         request.sampling.min_samples == request.sampling.max_samples;
}

bool is_awkward_check(const Measure& request) { return !request.time; }

Connector connect_to(const std::map<std::string, FakeDevice*>& devices) {
  return [devices](const WorkerCommand& command, const WorkerLimits& limits, auto&&...) {
    return std::make_unique<FakeConnection>(*devices.at(command.name), limits);
  };
}

}  // namespace gtune::test
