#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/named_values.hpp"
#include "model/timing_mode.hpp"

// The file of `gtune baseline`: times that later versions of kernels are held to. It is JSON for a
// repository: entries in a fixed order, a line for each of their facts. docs/gate.md describes it.
namespace gtune {

/// The devices on which times can be compared: one model, real or recorded.
struct DeviceModel {
  std::string name;
  int cc = 0;  // compute capability: 90
  int sm_count = 0;
  std::int64_t memory_mib = 0;
  bool replayed = false;  // the times came from a recording

  friend bool operator==(const DeviceModel&, const DeviceModel&) = default;
};

[[nodiscard]] DeviceModel model_of(const DeviceFacts& device);
/// "NVIDIA H200 (sm_90, 132 SMs, 143156 MiB)"
[[nodiscard]] std::string text_of(const DeviceModel& model);
/// "NVIDIA H200 (replayed from a recording)"
[[nodiscard]] std::string device_text(const DeviceModel& model);

/// How long a configuration took on a problem, and the conditions.
struct ReferenceTime {
  std::string kernel;  // the spec's name
  std::string spec;    // its file, relative to that of the times; empty: a bundled kernel
  Problem problem;
  Config config;
  TimingMode mode = {};
  std::string source_hash;
  std::string spec_hash;
  std::string gpu_uuid;
  Toolchain toolchain;            // without CUPTI
  std::string created;            // ISO-8601
  std::vector<double> rounds_ms;  // the median of each round, one process each

  /// Whether both are times of one problem under the same conditions.
  [[nodiscard]] bool replaces(const ReferenceTime& other) const;
};

/// The contents of the file, for one device model.
struct ReferenceTimes {
  DeviceModel device;
  std::vector<ReferenceTime> problems;

  /// Adds an entry in place of that of the same problem.
  void put(ReferenceTime entry);
};

inline constexpr std::size_t fewest_reference_rounds = 4;
inline constexpr std::size_t most_reference_rounds = 1000;

/// Throws UserError(usage) with one line if the file is missing or damaged, was not written by
/// gtune, or holds times that cannot have been measured.
[[nodiscard]] ReferenceTimes read_reference_times(const std::filesystem::path& file);
/// The same for a text; `name` begins the message.
[[nodiscard]] ReferenceTimes parse_reference_times(const std::string& text,
                                                   const std::string& name);

/// Entries by kernel, spec and problem, whatever their order. Times have seven significant digits.
[[nodiscard]] std::string reference_times_text(const ReferenceTimes& times);

}  // namespace gtune
