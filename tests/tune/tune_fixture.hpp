#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fake_device.hpp"
#include "space/enumerate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"
#include "tune/kernel_session.hpp"
#include "tune/take_metrics.hpp"
#include "tune/tune_problem.hpp"

// Whole runs on a problem, on fake devices in the test's own process.
namespace gtune::test {

/// Twelve configurations by default, a baseline, and an awkward size on which only a winner is
/// checked.
inline const char* const made_up_spec = R"toml([kernel]
name = "made_up"
source = "made_up.cu"
entry = "made_up<P>"
[problem]
n = 1024
[params]
P = [COUNT]
[launch]
grid = [1]
block = [32]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[check]
reference = { entry = "reference", grid = [1], block = [32] }
rtol = 0.0
also = [{ n = 33 }]
[[baselines]]
name = "naive"
entry = "naive"
grid = [1]
block = [32]
)toml";

class Notes : public RunObserver {
 public:
  void on_progress(const Progress&) override {}
  void on_measurement(const Measurement& measurement) override {
    if (listener) listener(measurement);
  }
  void on_note(const std::string& line) override { lines.push_back(line); }

  [[nodiscard]] bool has(const std::string& text) const {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }

  std::function<void(const Measurement&)> listener;
  std::vector<std::string> lines;
};

/// P milliseconds, in the search as in the final.
inline double p_ms(const Measure& request) {
  return request.label.empty() ? static_cast<double>(p_of(request.config)) : 50;
}

inline bool is_of_search(const Measure& request) {
  return request.label.empty() && request.time && !is_of_final(request);
}

/// Gives up after 20 s; the test's expectations then fail.
inline void wait_until(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Devices that wait for each other at their first measurement, so all take part in a search,
/// whichever is ready first.
class Meeting {
 public:
  explicit Meeting(std::ptrdiff_t devices) : m_all(devices) {}

  /// Must be called at the start of each measurement.
  void attend(const FakeDevice& device) {
    if (device.asked.size() != 1) return;
    m_all.count_down();
    wait_until([this] { return m_all.try_wait(); });
  }

 private:
  std::latch m_all;
};

class TuneProblem : public testing::Test {
 protected:
  TuneProblem() {
    m_folder.write("made_up.cu", "// never compiled\n");
    have_configurations(12);
    m_settings.strategy = "exhaustive";
    m_settings.profile.scope = ProfileScope::off;
    m_settings.finalists = 3;
    m_settings.finalist_margin = 4;
  }

  /// A setup, a step, and another step for P > 1.
  void have_steps(const std::string& values = "1, 2, 3") {
    std::string text = made_up_spec;
    text.replace(text.find("COUNT"), 5, values);
    text.replace(text.find("entry = \"made_up<P>\"\n"), 21, "");
    const std::string launch = "grid = [1]\nblock = [32]\n";
    text.replace(text.find("[launch]\n"), 9 + launch.size(),
                 "[[steps]]\nentry = \"clear\"\nsetup = true\n" + launch +
                     "[[steps]]\nentry = \"add<P>\"\n" + launch +
                     "[[steps]]\nentry = \"finish\"\nwhen = \"P > 1\"\n" + launch);
    m_spec = read_spec(m_folder.write("made_up.toml", text), {});
  }

  /// P = 1 to 12, and baselines that are configurations of the kernel. `tables` are added to the
  /// spec.
  void have_defaults(const std::vector<int>& defaults, const std::string& tables = "") {
    std::string text = made_up_spec;
    text.replace(text.find("COUNT"), 5, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12");
    text.insert(text.find("[launch]"), tables);
    for (const int p : defaults) {
      const std::string number = std::to_string(p);
      text += "[[baselines]]\nname = \"default " + number + "\"\nparams = { P = " + number + " }\n";
    }
    m_spec = read_spec(m_folder.write("made_up.toml", text), {});
  }

  /// P = 1, 2, 3, ..., `count`.
  void have_configurations(int count) {
    std::string values = "1";
    for (int p = 2; p <= count; ++p) values += ", " + std::to_string(p);
    std::string text = made_up_spec;
    text.replace(text.find("COUNT"), 5, values);
    m_spec = read_spec(m_folder.write("made_up.toml", text), {});
  }

  FakeDevice& add_device(const FakeDevice::Times& times = p_ms) {
    const std::string name = "fake " + std::to_string(m_devices.size());
    m_devices.push_back(std::make_unique<FakeDevice>("GPU-" + name, times));
    m_by_name[name] = m_devices.back().get();
    m_commands.push_back({name, {}, false});
    return *m_devices.back();
  }

  ProblemOutcome tune() { return tune_all({1024}).at(0).outcome; }

  /// Tunes a problem of each n, one after another in one session.
  ProblemRuns tune_all(const std::vector<std::int64_t>& sizes) {
    SessionOptions options;
    options.also = m_also;
    options.bundled = m_bundled;
    options.workers = m_commands;
    options.database = database_path();
    options.connect = connect_to(m_by_name);
    KernelSession session(options, m_spec, m_notes, [this] { return m_interrupted.load(); });
    const Environment& env = session.environment();
    ProblemRuns runs;
    for (const std::int64_t n : sizes) {
      const Problem problem = expand_problems(m_spec, {{"n", {n}}}).front();
      SearchSpace space = enumerate(m_spec, problem, env.device()).space;
      ProblemOutcome outcome =
          tune_problem(env, m_settings, problem, space, {m_settings.budget.text(), true});
      runs.emplace(runs.size(), ProblemRun{problem, std::move(space), std::move(outcome)});
    }
    m_all_metrics = take_metrics(env, m_settings, runs, [](std::size_t) {});
    return runs;
  }

  [[nodiscard]] std::filesystem::path database_path() const {
    return m_folder.path() / "results.db";
  }
  [[nodiscard]] Database database() const { return {database_path(), OpenMode::read_only}; }

  [[nodiscard]] StoredResult result(const ProblemOutcome& outcome) const {
    return database().load_result(outcome.run).value();
  }
  [[nodiscard]] std::int64_t winner(const ProblemOutcome& outcome) const {
    return p_of(result(outcome).winner.measurement.config);
  }
  [[nodiscard]] std::vector<std::int64_t> ties(const ProblemOutcome& outcome) const {
    std::vector<std::int64_t> found;
    for (const StoredMeasurement& tie : result(outcome).ties) {
      found.push_back(p_of(tie.measurement.config));
    }
    return found;
  }
  /// The measurements of the run's device.
  [[nodiscard]] std::vector<StoredMeasurement> stored(const ProblemOutcome& outcome,
                                                      Phase phase) const {
    return database().load_measurements(outcome.keys.front(), phase);
  }

  void expect_each_once(int searched) const {
    Database stored_in = database();
    for (const char* what : {"COUNT(*)", "COUNT(DISTINCT config_id)"}) {
      const std::string sql =
          std::string("SELECT ") + what + " FROM measurement WHERE phase = 'search'";
      EXPECT_EQ(stored_in.connection().execAndGet(sql).getInt(), searched) << what;
    }
  }

  static std::size_t count(const FakeDevice& device,
                           const std::function<bool(const Measure&)>& which) {
    return static_cast<std::size_t>(std::count_if(device.asked.begin(), device.asked.end(), which));
  }
  /// Rounds of the final in which a configuration took part.
  static std::size_t rounds(const FakeDevice& device, std::int64_t p) {
    return count(device, [&](const Measure& request) {
      return is_of_final(request) && p_of(request.config) == p;
    });
  }

  TemporaryFolder m_folder;
  KernelSpec m_spec;
  RunSettings m_settings;
  std::vector<std::filesystem::path> m_also;
  std::optional<std::filesystem::path> m_bundled;
  Notes m_notes;
  std::atomic<bool> m_interrupted = false;
  bool m_all_metrics = false;  // of the last session: not ended by the user
  std::vector<std::unique_ptr<FakeDevice>> m_devices;
  std::map<std::string, FakeDevice*> m_by_name;
  std::vector<WorkerCommand> m_commands;
};

}  // namespace gtune::test
