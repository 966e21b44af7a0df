#include "exchange/reference_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "model/timing_mode_json.hpp"
#include "report/values_json.hpp"
#include "system/regular_file.hpp"

namespace gtune {
namespace {

using nlohmann::json;

constexpr int times_form = 1;
constexpr const char* form_key = "gtune_reference_times";
constexpr JsonBounds file_bounds{std::size_t{64} << 20, 4'000'000, 8};
constexpr std::size_t most_text_bytes = 4096;
constexpr double least_ms = 1e-9;    // a picosecond
constexpr double most_ms = 86400e3;  // a day

json rounds_json(const std::vector<double>& rounds_ms) {
  json out = json::array();
  for (const double ms : rounds_ms) out.push_back(std::stod(fmt::format("{:.7g}", ms)));
  return out;
}

/// The keys of an object, in their order in the file.
using Lines = std::vector<std::pair<const char*, json>>;

Lines lines_of(const ReferenceTime& entry) {
  Lines lines = {{"kernel", entry.kernel}};
  if (!entry.spec.empty()) lines.emplace_back("spec", entry.spec);
  lines.insert(lines.end(), {{"problem", values_json(entry.problem)},
                             {"config", values_json(entry.config)},
                             {"timing", entry.mode},
                             {"rounds_ms", rounds_json(entry.rounds_ms)},
                             {"source_hash", entry.source_hash},
                             {"spec_hash", entry.spec_hash},
                             {"gpu_uuid", entry.gpu_uuid},
                             {"driver", entry.toolchain.driver},
                             {"runtime", entry.toolchain.runtime},
                             {"nvrtc", entry.toolchain.nvrtc},
                             {"gtune", entry.toolchain.gtune},
                             {"created", entry.created}});
  return lines;
}

Lines lines_of(const DeviceModel& model) {
  Lines lines = {{"name", model.name},
                 {"compute_capability", model.cc},
                 {"sm_count", model.sm_count},
                 {"memory_mib", model.memory_mib}};
  if (model.replayed) lines.emplace_back("replayed", true);
  return lines;
}

/// An object with a line for each key.
std::string object_lines(const Lines& lines, const std::string& indent) {
  std::string text = "{";
  for (const auto& [key, value] : lines) {
    text += (text.size() > 1 ? ",\n" : "\n") + indent + "  \"" + key + "\": " + json_text(value);
  }
  return text + "\n" + indent + "}";
}

/// Names go into terminals and the files of CI systems.
void require_plain(const std::string& text, const std::string& key) {
  if (text.size() > most_text_bytes) throw std::invalid_argument("'" + key + "' is too long");
  if (one_line(text) == text) return;
  throw std::invalid_argument("'" + key + "' has control characters: " + one_line(text, 100));
}

std::string text_at(const json& in, const char* key) {
  auto text = in.at(key).get<std::string>();
  require_plain(text, key);
  return text;
}

NamedValues named_values_at(const json& in, const char* key) {
  const json& object = in.at(key);
  if (!object.is_object()) {
    throw std::invalid_argument(std::string("'") + key + "' must be an object");
  }
  NamedValues values;
  for (const auto& [name, value] : object.items()) values.set(name, value_from(value));
  require_plain(values.text(), key);
  return values;
}

void require_possible_rounds(const std::vector<double>& rounds_ms) {
  if (rounds_ms.size() < fewest_reference_rounds || rounds_ms.size() > most_reference_rounds) {
    throw std::invalid_argument(fmt::format("'rounds_ms' has {} times; expected {} to {}",
                                            rounds_ms.size(), fewest_reference_rounds,
                                            most_reference_rounds));
  }
  for (const double ms : rounds_ms) {
    if (!(ms >= least_ms && ms <= most_ms)) {
      throw std::invalid_argument(fmt::format("'rounds_ms' has {} ms, which is no time", ms));
    }
  }
}

ReferenceTime entry_from(const json& in) {
  ReferenceTime entry;
  entry.kernel = text_at(in, "kernel");
  if (in.contains("spec")) entry.spec = text_at(in, "spec");
  entry.problem = Problem(named_values_at(in, "problem"));
  entry.config = Config(named_values_at(in, "config"));
  if (entry.config.empty()) throw std::invalid_argument("'config' is empty");
  entry.mode = timing_mode_in(in);
  in.at("rounds_ms").get_to(entry.rounds_ms);
  require_possible_rounds(entry.rounds_ms);
  entry.source_hash = text_at(in, "source_hash");
  entry.spec_hash = text_at(in, "spec_hash");
  entry.gpu_uuid = text_at(in, "gpu_uuid");
  entry.toolchain = {text_at(in, "driver"), text_at(in, "runtime"), text_at(in, "nvrtc"), "",
                     text_at(in, "gtune")};
  entry.created = text_at(in, "created");
  return entry;
}

DeviceModel model_from(const json& in) {
  return {text_at(in, "name"), in.at("compute_capability").get<int>(), in.at("sm_count").get<int>(),
          in.at("memory_mib").get<std::int64_t>(), in.value("replayed", false)};
}

ReferenceTimes times_from(const std::string& text) {
  const json in = parse_foreign_json(text, file_bounds);
  if (!in.is_object() || !in.contains(form_key)) {
    throw std::invalid_argument("it is not a file of gtune baseline save");
  }
  if (const json& found = in.at(form_key); found != times_form) {
    throw std::invalid_argument("its form is " + json_text(found) + "; this gtune reads form " +
                                std::to_string(times_form));
  }
  ReferenceTimes times;
  times.device = model_from(in.at("device"));
  const json& problems = in.at("problems");
  if (!problems.is_array()) throw std::invalid_argument("'problems' must be an array");
  for (const json& each : problems) {
    ReferenceTime entry = entry_from(each);
    for (const ReferenceTime& other : times.problems) {
      if (!entry.replaces(other)) continue;
      throw std::invalid_argument(entry.kernel + " at " + entry.problem.text() + " is there twice");
    }
    times.problems.push_back(std::move(entry));
  }
  return times;
}

}  // namespace

DeviceModel model_of(const DeviceFacts& device) {
  return {device.name, device.cc(), device.sm_count, device.memory_bytes >> 20, device.replayed};
}

std::string text_of(const DeviceModel& model) {
  return fmt::format("{} (sm_{}, {} SMs, {} MiB{})", model.name, model.cc, model.sm_count,
                     model.memory_mib, model.replayed ? ", replayed from a recording" : "");
}

std::string device_text(const DeviceModel& model) {
  return model.name + (model.replayed ? " (replayed from a recording)" : "");
}

bool ReferenceTime::replaces(const ReferenceTime& other) const {
  return kernel == other.kernel && spec == other.spec && problem == other.problem &&
         mode == other.mode;
}

void ReferenceTimes::put(ReferenceTime entry) {
  std::erase_if(problems, [&](const ReferenceTime& other) { return entry.replaces(other); });
  problems.push_back(std::move(entry));
}

ReferenceTimes parse_reference_times(const std::string& text, const std::string& name) {
  try {
    return times_from(text);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(ExitCode::usage, name + ": " + json_fault(error));
  } catch (const std::invalid_argument& error) {
    throw UserError(ExitCode::usage, name + ": " + error.what());
  }
}

ReferenceTimes read_reference_times(const std::filesystem::path& file) {
  return parse_reference_times(
      read_regular_file(file, file_bounds.bytes, "a file of gtune baseline save"), file.string());
}

std::string reference_times_text(const ReferenceTimes& times) {
  std::vector<ReferenceTime> entries = times.problems;
  const auto place = [](const ReferenceTime& entry) {
    std::vector<NamedValues::Entry> sizes = entry.problem.entries();
    std::sort(sizes.begin(), sizes.end());
    return std::tuple(entry.kernel, entry.spec, std::move(sizes), entry.mode);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::string text = fmt::format("{{\n  \"{}\": {},\n  \"device\": ", form_key, times_form);
  text += object_lines(lines_of(times.device), "  ") + ",\n  \"problems\": [";
  std::string separator = "\n    ";
  for (const ReferenceTime& entry : entries) {
    text += separator + object_lines(lines_of(entry), "    ");
    separator = ",\n    ";
  }
  return text + (entries.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace gtune
