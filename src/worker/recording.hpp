#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"

namespace gtune {

/// One recorded configuration, and how its check on awkward sizes went where there was one.
struct RecordedMeasurement {
  Measurement measurement;
  std::optional<bool> passed_awkward;
  std::vector<Metric> metrics;
};

/// Everything measured for one problem on one device, to be replayed without one.
struct Recording {
  KernelIdentity kernel;
  Toolchain toolchain;
  DeviceFacts device;
  Problem problem;
  bool l2_flushed = true;
  std::string created;  // ISO-8601
  std::string command;  // that made it
  std::vector<RecordedMeasurement> measurements;
};

/// A recording is a text file of JSON lines: the first says what was measured on what, each
/// further one holds a configuration. Throws UserError with file:line where it is damaged.
[[nodiscard]] Recording read_recording(const std::filesystem::path& file);

/// A recording, or each of a folder, in the order of their names: problems of one kernel on one
/// device. Throws UserError, also where they are not of the same.
[[nodiscard]] std::vector<Recording> read_recordings(const std::filesystem::path& file_or_folder);

/// Reads the first line only: no measurements. Of a folder, that of its first recording.
[[nodiscard]] Recording read_recording_header(const std::filesystem::path& file);

/// Writes a whole file or none. Throws UserError where that fails.
void write_recording(const Recording& recording, const std::filesystem::path& file);

}  // namespace gtune
