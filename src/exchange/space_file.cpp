#include "exchange/space_file.hpp"

#include "exchange/foreign_results.hpp"
#include "exchange/lenient_json.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "system/gunzip_stream.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

std::string text_of_file(const std::filesystem::path& file, const JsonBounds& bounds) {
  GunzipStream in(file);
  std::string text;
  try {
    text = read_bounded_text(in, bounds);
  } catch (const std::invalid_argument& error) {
    throw UserError(ExitCode::failed, file.string() + ": " + error.what() +
                                          (in.is_gzipped() ? " when decompressed" : ""));
  }
  if (text.empty()) throw UserError(ExitCode::failed, file.string() + ": is empty");
  return text;
}

RecordedSpace from_recording(const std::filesystem::path& file, const std::string& name) {
  const Recording recording = read_recording(file);
  std::vector<RecordedRow> rows;
  for (const RecordedMeasurement& recorded : recording.measurements) {
    const Measurement& m = recorded.measurement;
    if (m.phase == Phase::baseline) continue;
    RecordedRow row;
    for (const auto& [unused, value] : m.config.entries()) row.values.emplace_back(value);
    if (m.ok() && m.timing) row.cost_ms = m.timing->median_ms;
    row.evaluation_ms = m.compile_ms + m.gpu_ms;
    row.metrics = recorded.metrics;
    rows.push_back(std::move(row));
  }
  RecordedSpace recorded = make_recorded_space(name, recording.kernel.parameter_names, rows);
  recorded.of = {recording.kernel.name, recording.problem, recording.device};
  return recorded;
}

/// gemm-rtx3090.json for /some/where/gemm-rtx3090.json.gz.
std::filesystem::path unpacked_name(const std::filesystem::path& file) {
  return file.extension() == ".gz" ? file.stem() : file.filename();
}

}  // namespace

RecordedSpace read_space_file(const std::filesystem::path& file, const JsonBounds& bounds) {
  const std::filesystem::path unpacked = unpacked_name(file);
  const std::string name = unpacked.stem().string();
  try {
    if (unpacked.extension() == ".jsonl") return from_recording(file, name);
    const nlohmann::json in = parse_lenient(text_of_file(file, bounds), bounds);
    if (in.is_object() && in.contains("cache")) return from_kernel_tuner_cache(in, name);
    if (in.is_object() && in.contains("results")) return from_t4_results(in, name);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(ExitCode::failed,
                    file.string() + ": not a recorded space: " + json_fault(error));
  } catch (const std::invalid_argument& error) {
    throw UserError(ExitCode::failed, file.string() + ": not a recorded space: " + error.what());
  }
  throw UserError(ExitCode::failed,
                  file.string() +
                      ": not a recorded space: neither a gtune recording (.jsonl) nor "
                      "Kernel Tuner's cache nor T4 results");
}

}  // namespace gtune
