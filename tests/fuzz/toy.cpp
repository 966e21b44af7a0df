#include "toy.hpp"

namespace gtune::fuzz {

Recording few_toy_measurements() {
  Recording recording = test::toy_recording();
  std::vector<RecordedMeasurement> few;
  for (const std::size_t place : {0, 7, 14, 20, 28, 35}) {
    RecordedMeasurement& chosen = few.emplace_back(recording.measurements.at(place));
    if (!chosen.measurement.ok()) continue;
    chosen.measurement.max_error = 0.5;
    chosen.metrics = {{"ipc", 1.5, "inst/cycle", ""},
                      {"l2_hit_rate", std::nullopt, "percent", "not supported"}};
  }
  few.push_back(recording.measurements.back());
  recording.measurements = std::move(few);
  return recording;
}

}  // namespace gtune::fuzz
