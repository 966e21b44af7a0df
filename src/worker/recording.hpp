#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/line_profile.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"

namespace gtune {

/// A recorded configuration or baseline. `passed_awkward`: its check at awkward sizes, if any.
struct RecordedMeasurement {
  Measurement measurement;
  std::optional<bool> passed_awkward;
  std::vector<Metric> metrics;
  std::optional<LineProfile> lines = {};
};

/// Everything measured for one problem on one device, to be replayed without a device.
struct Recording {
  KernelIdentity kernel;
  Toolchain toolchain;
  DeviceFacts device;
  Problem problem;
  TimingMode mode = {};
  std::string created;  // ISO-8601
  std::string command;  // that made it
  std::vector<RecordedMeasurement> measurements;
};

/// A recording is a text file of JSON lines: the first names kernel, device and problem, each other
/// line holds a configuration or baseline. Throws UserError with file:line if it is damaged.
[[nodiscard]] Recording read_recording(const std::filesystem::path& file);

/// Reads a recording, or all of a folder in the order of their names: problems of one kernel on one
/// device. Throws UserError, also if kernels, devices or timing modes differ.
[[nodiscard]] std::vector<Recording> read_recordings(const std::filesystem::path& file_or_folder);

/// Reads only the first line, without measurements; in a folder, that of the first recording.
[[nodiscard]] Recording read_recording_header(const std::filesystem::path& file);

/// Writes a whole file or none. Throws UserError if that fails.
void write_recording(const Recording& recording, const std::filesystem::path& file);

}  // namespace gtune
