#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "measure/sampling.hpp"
#include "worker/backend.hpp"
#include "worker/recording.hpp"

namespace gtune {

/// A worker without a GPU: answers from recordings, one for each problem. Samples come in recorded
/// order, each once, and go through the same stopping rules as live ones.
/// $GTUNE_REPLAY_DELAY_MS makes each measurement take at least that long.
class ReplayBackend : public WorkerBackend {
 public:
  explicit ReplayBackend(std::vector<Recording> recordings);

  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;
  MeasureEnergyReply answer(const MeasureEnergy& request) override;
  SampleLinesReply answer(const SampleLines& request) override;

 private:
  struct Entry {
    const RecordedMeasurement* recorded = nullptr;
    std::size_t next_sample = 0;
  };
  /// Hands out recorded samples.
  class Source;

  struct Tape {
    Recording recording;
    std::map<std::string, Entry> by_config;
    std::map<std::string, Entry> by_label;
  };

  [[nodiscard]] Entry* find(const Measure& request);

  std::vector<Tape> m_tapes;
  Tape* m_tape = nullptr;  // of the problem opened last, not counting awkward ones
  std::chrono::milliseconds m_delay{0};
  bool m_awkward = false;  // the open problem is an awkward size
};

}  // namespace gtune
