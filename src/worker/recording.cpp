#include "worker/recording.hpp"

#include <algorithm>
#include <cmath>

#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/possible_measurement.hpp"
#include "model/statistics.hpp"
#include "model/timing_mode_json.hpp"
#include "system/gunzip_stream.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

using nlohmann::json;

constexpr int format_version = 1;

// The kinds of lines.
constexpr const char* configuration_kind = "configuration";
constexpr const char* baseline_kind = "baseline";

json header_json(const Recording& recording) {
  return {{"gtune_recording", format_version}, {"kernel", recording.kernel},
          {"toolchain", recording.toolchain},  {"device", recording.device},
          {"problem", recording.problem},      {"timing", recording.mode},
          {"created", recording.created},      {"command", recording.command}};
}

Recording header_from(const json& in) {
  if (in.at("gtune_recording").get<int>() != format_version) {
    throw std::invalid_argument("a recording of another format version");
  }
  Recording recording;
  in.at("kernel").get_to(recording.kernel);
  in.at("toolchain").get_to(recording.toolchain);
  in.at("device").get_to(recording.device);
  in.at("problem").get_to(recording.problem);
  recording.mode = timing_mode_in(in);
  in.at("created").get_to(recording.created);
  in.at("command").get_to(recording.command);
  return recording;
}

/// Replaces invalid UTF-8: a reason may quote a child process's output.
std::string text_of(const json& line) { return json_text(line); }

/// Milliseconds, rounded to whole nanoseconds: events resolve no more, and the file stays small.
double to_nanoseconds(double ms) { return std::round(ms * 1e6) * 1e-6; }

json line_json(const RecordedMeasurement& recorded, const KernelIdentity& kernel) {
  const Measurement& m = recorded.measurement;
  json out = {{"status", m.status}, {"gpu_ms", to_nanoseconds(m.gpu_ms)}};
  if (m.phase == Phase::baseline) {
    out["kind"] = baseline_kind;
    out["baseline"] = m.label;
  } else {
    out["kind"] = configuration_kind;
    json values = json::array();
    for (const std::string& name : kernel.parameter_names)
      values.push_back(value_json(*m.config.find(name)));
    out["config"] = values;
  }
  if (!m.reason.empty()) out["reason"] = m.reason;
  if (m.compile_ms > 0) out["compile_ms"] = to_nanoseconds(m.compile_ms);
  // JSON has no infinity, the error of an output with NaN.
  if (m.max_error && std::isfinite(*m.max_error)) out["max_error"] = *m.max_error;
  if (m.resources) out["resources"] = *m.resources;
  if (recorded.passed_awkward) out["passed_awkward"] = *recorded.passed_awkward;
  if (!recorded.metrics.empty()) out["metrics"] = recorded.metrics;
  if (recorded.lines) out["lines"] = *recorded.lines;
  if (!m.timing) return out;
  json samples = json::array();
  for (const double ms : m.timing->samples_ms) samples.push_back(to_nanoseconds(ms));
  out["samples_ms"] = samples;
  if (m.timing->sm_clock_mhz) out["sm_clock_mhz"] = *m.timing->sm_clock_mhz;
  if (m.timing->throttled_samples > 0) out["throttled_samples"] = m.timing->throttled_samples;
  return out;
}

template <typename T>
void read_if_present(const json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end()) found->get_to(value);
}

/// Lines of older recordings have no kind; a baseline's then has the key "baseline".
bool is_baseline(const json& in) {
  const auto found = in.find("kind");
  if (found == in.end()) return in.contains("baseline");
  const auto kind = found->get<std::string>();
  if (kind != baseline_kind && kind != configuration_kind) {
    throw std::invalid_argument("no kind of line: '" + kind + "'");
  }
  return kind == baseline_kind;
}

RecordedMeasurement line_from(const json& in, const Recording& recording) {
  RecordedMeasurement recorded;
  Measurement& m = recorded.measurement;
  in.at("status").get_to(m.status);
  in.at("gpu_ms").get_to(m.gpu_ms);
  if (is_baseline(in)) {
    m.phase = Phase::baseline;
    in.at("baseline").get_to(m.label);
  } else {
    const auto values = in.at("config").get<std::vector<json>>();
    if (values.size() != recording.kernel.parameter_names.size()) {
      throw std::invalid_argument("a configuration has " + std::to_string(values.size()) +
                                  " values instead of " +
                                  std::to_string(recording.kernel.parameter_names.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      m.config.set(recording.kernel.parameter_names[i], value_from(values[i]));
    }
  }
  read_if_present(in, "reason", m.reason);
  read_if_present(in, "compile_ms", m.compile_ms);
  if (in.contains("max_error")) m.max_error = in.at("max_error").get<double>();
  if (in.contains("resources")) m.resources = in.at("resources").get<ResourceUsage>();
  if (in.contains("passed_awkward")) recorded.passed_awkward = in.at("passed_awkward").get<bool>();
  read_if_present(in, "metrics", recorded.metrics);
  if (in.contains("lines")) recorded.lines = in.at("lines").get<LineProfile>();
  if (in.contains("samples_ms")) {
    m.timing = summarise(in.at("samples_ms").get<std::vector<double>>());
    m.timing->mode = recording.mode;
    if (in.contains("sm_clock_mhz")) m.timing->sm_clock_mhz = in.at("sm_clock_mhz").get<double>();
    read_if_present(in, "throttled_samples", m.timing->throttled_samples);
  }
  return recorded;
}

void require_possible(const RecordedMeasurement& recorded) {
  std::optional<std::string> why = why_impossible(recorded.measurement);
  for (const Metric& metric : recorded.metrics) {
    if (!why) why = why_impossible(metric);
  }
  if (!why && recorded.lines) why = why_impossible(*recorded.lines);
  if (why) throw std::invalid_argument("it cannot have been measured: " + *why);
}

Recording read_lines(const std::filesystem::path& file, bool header_only) {
  GunzipStream in(file, ExitCode::usage);
  Recording recording;
  std::string line;
  for (int number = 1;; ++number) {
    try {
      if (!read_bounded_line(in, line)) break;
      const json parsed = parse_foreign_json(line);
      if (number == 1) {
        recording = header_from(parsed);
        if (const auto why = why_impossible(recording.device)) throw std::invalid_argument(*why);
        if (header_only) return recording;
      } else {
        recording.measurements.push_back(line_from(parsed, recording));
        require_possible(recording.measurements.back());
      }
    } catch (const UserError&) {
      throw;
    } catch (const std::exception& error) {
      // json::exception or std::invalid_argument: not a line of a recording.
      throw UserError(ExitCode::failed,
                      file.string() + ":" + std::to_string(number) +
                          ": not a line of a gtune recording: " + json_fault(error));
    }
  }
  if (recording.kernel.name.empty()) {
    throw UserError(ExitCode::failed, file.string() + ": the recording is empty");
  }
  return recording;
}

}  // namespace

namespace {

std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& file_or_folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(file_or_folder, error)) return {file_or_folder};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(file_or_folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")) files.push_back(entry.path());
  }
  if (files.empty()) {
    throw UserError(ExitCode::usage,
                    file_or_folder.string() + ": no recording (.jsonl, .jsonl.gz) in it");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// "of kernel copy, unlike": how a recording differs from what a folder must agree in; empty if it
/// does not.
std::string difference_from(const Recording& usual, const Recording& other) {
  if (other.kernel.name != usual.kernel.name) return "of kernel " + other.kernel.name + ", unlike";
  if (other.kernel.source_hash != usual.kernel.source_hash ||
      other.kernel.spec_hash != usual.kernel.spec_hash) {
    return "of another version of " + other.kernel.name + " or its spec than";
  }
  if (other.device.uuid != usual.device.uuid) {
    return "of device '" + other.device.name + "' (" + other.device.uuid + "), unlike";
  }
  if (other.mode == usual.mode) return "";
  return "of timing mode " + other.mode.text() + ", unlike";
}

/// The recording that most agree with; of a folder with one odd file, any other.
const Recording& most_common(const std::vector<Recording>& all) {
  const auto alike = [&](const Recording& one) {
    return std::count_if(all.begin(), all.end(), [&](const Recording& other) {
      return difference_from(one, other).empty();
    });
  };
  return *std::max_element(all.begin(), all.end(), [&](const Recording& a, const Recording& b) {
    return alike(a) < alike(b);
  });
}

}  // namespace

Recording read_recording(const std::filesystem::path& file) { return read_lines(file, false); }

std::vector<Recording> read_recordings(const std::filesystem::path& file_or_folder) {
  const std::vector<std::filesystem::path> files = recordings_in(file_or_folder);
  std::vector<Recording> all;
  for (const auto& file : files) all.push_back(read_recording(file));
  const Recording& usual = most_common(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string difference = difference_from(usual, all[i]);
    if (difference.empty()) continue;
    throw UserError(ExitCode::usage, files[i].string() + ": " + difference +
                                         " the other recordings in its folder: move it elsewhere, "
                                         "or name one file with --device replay:FILE");
  }
  return all;
}

Recording read_recording_header(const std::filesystem::path& file) {
  return read_lines(recordings_in(file).front(), true);
}

void write_recording(const Recording& recording, const std::filesystem::path& file) {
  write_whole_file(file, [&](std::ostream& out) {
    out << text_of(header_json(recording)) << '\n';
    for (const RecordedMeasurement& recorded : recording.measurements) {
      out << text_of(line_json(recorded, recording.kernel)) << '\n';
    }
  });
}

}  // namespace gtune
