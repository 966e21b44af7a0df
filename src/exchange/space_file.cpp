#include "exchange/space_file.hpp"

#include <zlib.h>

#include "exchange/foreign_results.hpp"
#include "exchange/lenient_json.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

/// The whole file, decompressed if it is gzipped.
std::string text_of_file(const std::filesystem::path& file, const JsonBounds& bounds) {
  const auto fail = [&](const std::string& why) {
    throw UserError(ExitCode::failed, file.string() + ": " + why);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) fail("is a folder, not a recorded space");
  gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr) fail("no such file, or not readable");
  const bool compressed = gzdirect(in) == 0;
  std::string text;
  std::vector<char> block(1U << 16U);
  int got = 0;
  while ((got = gzread(in, block.data(), static_cast<unsigned>(block.size()))) > 0) {
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > bounds.bytes) {
      gzclose_r(in);
      fail("has more than " + std::to_string(bounds.bytes) + " bytes" +
           (compressed ? " when decompressed" : ""));
    }
  }
  int code = Z_OK;
  (void)gzerror(in, &code);
  gzclose_r(in);
  if (got < 0 || code == Z_BUF_ERROR) fail("damaged: it does not decompress to its end");
  if (text.empty()) fail("is empty");
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

/// Such as gemm-rtx3090 for /some/where/gemm-rtx3090.json.gz.
std::string name_of_file(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

}  // namespace

RecordedSpace read_space_file(const std::filesystem::path& file, const JsonBounds& bounds) {
  const std::string name = name_of_file(file);
  try {
    if (file.extension() == ".jsonl") return from_recording(file, name);
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
