#include "cli/t4_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "measure/statistics.hpp"
#include "model/error.hpp"
#include "model/json.hpp"
#include "report/answer.hpp"
#include "report/values_json.hpp"
#include "store/json_lines.hpp"

namespace gtune {

using nlohmann::json;

namespace {

constexpr const char* unit_of_time = "miliseconds";  // as the format spells it
constexpr const char* of_times = "times.";           // before names of metrics that are times

struct Invalidity {
  const char* t4;
  Status status;
  const char* time;  // in place of a time
};

constexpr Invalidity invalidities[] = {
    {"correct", Status::ok, ""},
    {"compile", Status::compile_error, "CompilationFailedConfig"},
    {"runtime", Status::launch_error, "RuntimeFailedConfig"},
    {"correctness", Status::wrong_result, "RuntimeFailedConfig"},
    {"timeout", Status::timeout, "RuntimeFailedConfig"},
    {"constraints", Status::pruned, "InvalidConfig"},
    {"runtime", Status::crashed, "RuntimeFailedConfig"},
};

const Invalidity& invalidity_of(Status status) {
  return *std::find_if(std::begin(invalidities), std::end(invalidities),
                       [&](const Invalidity& each) { return each.status == status; });
}

Status status_of_t4(const std::string& word) {
  for (const Invalidity& each : invalidities) {
    if (word == each.t4) return each.status;
  }
  throw std::invalid_argument("invalidity '" + word + "' is not known");
}

/// "2023-01-26 01:05:09.730633+00:00" to "2023-01-26T01:05:09.730633Z".
std::string stored_time(const std::string& t4) {
  static const std::regex form(R"((\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(\.\d+)?)\+00:00)");
  std::smatch parts;
  if (!std::regex_match(t4, parts, form)) {
    throw std::invalid_argument("timestamp '" + t4 + "' is not like 2023-01-26 01:05:09.73+00:00");
  }
  return parts[1].str() + 'T' + parts[2].str() + 'Z';
}

std::string t4_time(std::string stored) {
  if (const auto at = stored.find('T'); at != std::string::npos) stored[at] = ' ';
  if (stored.ends_with('Z')) stored.replace(stored.size() - 1, 1, "+00:00");
  return stored;
}

/// A row of a measurement, and those of its metrics.
struct Rows {
  json measurement;
  std::vector<json> metrics;
};

json metric_row(std::int64_t id, const std::string& name, const json& value, const json& unit) {
  const bool number = value.is_number();
  return {{"table", "metric"}, {"measurement_id", id},
          {"name", name},      {"value", number ? value : json(nullptr)},
          {"unit", unit},      {"reason", number ? "" : value.get<std::string>()}};
}

void put_timing(json& row, const std::vector<double>& samples, double time_ms) {
  Timing timing;
  if (samples.empty()) {
    timing.median_ms = timing.min_ms = timing.p95_ms = timing.mean_ms = time_ms;
    timing.ci_low_ms = timing.ci_high_ms = time_ms;
  } else {
    timing = summarise(samples);
  }
  timing.l2_flushed = false;
  const json fields = timing;
  for (const auto& [name, value] : fields.items()) {
    if (name == "l2_flushed") {
      row["timed_l2_flushed"] = 0;
    } else {
      row[name] = value.is_boolean() ? json(value.get<int>()) : value;
    }
  }
}

json blank_measurement() {
  json row = {{"table", "measurement"}, {"run_id", 1},          {"device_id", 1},
              {"toolchain_id", 1},      {"kernel_id", 1},       {"problem_id", 1},
              {"l2_flushed", 0},        {"phase", "search"},    {"label", ""},
              {"reason", ""},           {"max_error", nullptr}, {"gpu_ms", nullptr},
              {"compile_ms", nullptr}};
  const json usage = ResourceUsage{};
  const json timing = Timing{};
  for (const json* group : {&usage, &timing}) {
    for (const auto& [name, value] : group->items()) {
      if (name != "l2_flushed") row[name] = nullptr;
    }
  }
  row["timed_l2_flushed"] = nullptr;
  return row;
}

Rows rows_of(const json& result, std::int64_t id, std::int64_t config) {
  Rows rows;
  json& row = rows.measurement = blank_measurement();
  row["id"] = id;
  row["config_id"] = config;
  row["created"] = stored_time(result.at("timestamp").get<std::string>());
  const Status status = status_of_t4(result.at("invalidity").get<std::string>());
  row["status"] = to_string(status);
  double time_ms = 0;
  for (const json& measured : result.at("measurements")) {
    const auto name = measured.at("name").get<std::string>();
    if (name == "time" && measured.at("value").is_number()) time_ms = measured.at("value");
    if (name == "time" && status != Status::ok) row["reason"] = measured.at("value").dump();
    rows.metrics.push_back(metric_row(id, name, measured.at("value"), measured.at("unit")));
  }
  std::vector<double> samples;
  for (const auto& [name, value] : result.at("times").items()) {
    if (name == "runtimes") {
      samples = value.get<std::vector<double>>();
    } else if (name == "compilation") {
      row["compile_ms"] = value;
    } else {
      rows.metrics.push_back(metric_row(id, of_times + name, value, unit_of_time));
    }
  }
  if (status == Status::ok || !samples.empty()) put_timing(row, samples, time_ms);
  return rows;
}

json result_of(const Rows& rows, const json& params) {
  const json& row = rows.measurement;
  const Invalidity& invalidity =
      invalidity_of(status_from_string(row.at("status").get<std::string>()));
  const bool ok = invalidity.status == Status::ok;
  json times = json::object();
  if (!row.at("compile_ms").is_null()) times["compilation"] = row["compile_ms"];
  if (!row.at("samples_ms").empty()) times["runtimes"] = row["samples_ms"];
  json measurements = json::array();
  bool has_time = false;
  for (const json& metric : rows.metrics) {
    const auto name = metric.at("name").get<std::string>();
    const json value = metric.at("value").is_null() ? metric.at("reason") : metric.at("value");
    if (name.starts_with(of_times)) {
      times[name.substr(std::string_view(of_times).size())] = value;
      continue;
    }
    has_time = has_time || name == "time";
    measurements.push_back({{"name", name}, {"value", value}, {"unit", metric.at("unit")}});
  }
  if (!has_time) {
    measurements.push_back({{"name", "time"},
                            {"value", ok ? row.at("median_ms") : json(invalidity.time)},
                            {"unit", unit_of_time}});
  }
  return {{"timestamp", t4_time(row.at("created").get<std::string>())},
          {"configuration", params},
          {"times", times},
          {"invalidity", invalidity.t4},
          {"correctness", ok ? 1 : 0},
          {"measurements", measurements},
          {"objectives", {"time"}}};
}

/// Names of measurements have no order.
json by_name(json result) {
  auto& list = result["measurements"];
  std::sort(list.begin(), list.end(),
            [](const json& a, const json& b) { return a.at("name") < b.at("name"); });
  return result;
}

void require_same(const json& result, const json& given_back) {
  const json was = by_name(result);
  const json is = by_name(given_back);
  for (const auto& [name, value] : was.items()) {
    if (!is.contains(name))
      throw std::invalid_argument("'" + name + "' has no place in a database");
    if (is[name] != value) {
      throw std::invalid_argument("'" + name + "' would come back as " + is[name].dump() +
                                  " instead of " + value.dump());
    }
  }
}

Config configuration_of(const json& result) {
  Config config;
  for (const auto& [name, value] : result.at("configuration").items()) {
    if (!value.is_number_integer()) {
      throw std::invalid_argument("parameter " + name + " is " + value.dump() +
                                  ", no integer; gtune's parameters are");
    }
    config.set(name, value.get<std::int64_t>());
  }
  return config;
}

std::vector<std::string> names_of(const NamedValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values.entries()) names.push_back(name);
  return names;
}

std::string head_rows(const T4Subject& subject, const Config& any, const std::string& since) {
  DeviceFacts facts;
  facts.name = subject.device;
  facts.uuid = "T4:" + subject.device;
  facts.replayed = true;
  const json rows[] = {
      {{"gtune_rows", 1}, {"schema", 1}},
      {{"table", "toolchain"},
       {"id", 1},
       {"driver", ""},
       {"runtime", ""},
       {"nvrtc", ""},
       {"cupti", ""},
       {"gtune", ""}},
      {{"table", "device"},
       {"id", 1},
       {"name", facts.name},
       {"uuid", facts.uuid},
       {"replayed", 1},
       {"compute_capability", 0},
       {"sm_count", 0},
       {"l2_bytes", 0},
       {"memory_bytes", 0},
       {"max_sm_clock_mhz", 0},
       {"max_memory_clock_mhz", 0},
       {"facts", json(facts).dump()},
       {"fma_tflops", nullptr},
       {"dram_gbps", nullptr},
       {"toolchain_id", 1}},
      // Of no source that could be current.
      {{"table", "kernel"},
       {"id", 1},
       {"name", subject.kernel},
       {"source_hash", "T4"},
       {"spec_hash", "T4"},
       {"problem_names", json(names_of(subject.problem)).dump()},
       {"parameter_names", json(names_of(any)).dump()},
       {"first_used", since},
       {"last_used", since}},
      {{"table", "problem"},
       {"id", 1},
       {"kernel", subject.kernel},
       {"sizes", values_json(subject.problem).dump()}},
      {{"table", "run"},
       {"id", 1},
       {"started", since},
       {"finished", nullptr},
       {"device_id", 1},
       {"toolchain_id", 1},
       {"kernel_id", 1},
       {"problem_id", 1},
       {"l2_flushed", 0},
       {"flops", nullptr},
       {"bytes", nullptr},
       {"strategy", "imported"},
       {"budget", ""},
       {"seed", "0"},
       {"command_line", "T4 results"},
       {"space_signature", "T4"},
       {"whole_space", 0},
       {"pid", 0}},
  };
  std::string lines;
  for (const json& row : rows) lines += row.dump() + '\n';
  return lines;
}

void require_form(const json& file) {
  if (!file.is_object() || !file.contains("results") || !file["results"].is_array()) {
    throw std::invalid_argument("this is no T4 results file");
  }
  if (file.value("schema_version", json()) != "1.0.0") {
    throw std::invalid_argument("its schema_version is " +
                                file.value("schema_version", json()).dump() + ", known is 1.0.0");
  }
  if (file.value("metadata", json()) != json{{"timeunit", unit_of_time}}) {
    throw std::invalid_argument(R"(its metadata is not {"timeunit":"miliseconds"})");
  }
  if (file["results"].empty()) throw std::invalid_argument("it has no results");
}

/// Of the rows of a database, those of one subject.
class SubjectRows {
 public:
  explicit SubjectRows(const T4Subject& subject) : m_subject(subject) {}

  void take(std::string_view line) {
    const json row = json::parse(line);
    const std::string table = row.value("table", "");
    if (table == "device") {
      if (same_device_name(row.at("name").get<std::string>(), m_subject.device)) {
        m_devices.insert(row.at("id").get<std::int64_t>());
      }
    } else if (table == "problem") {
      if (row.at("kernel") == m_subject.kernel &&
          json::parse(row.at("sizes").get<std::string>()) == values_json(m_subject.problem)) {
        m_problem = row.at("id");
      }
    } else if (table == "config") {
      if (row.at("kernel") == m_subject.kernel) m_configs[row.at("id")] = row.at("params");
    } else if (table == "measurement") {
      if (row.at("problem_id") == m_problem && row.at("phase") != "baseline" &&
          m_devices.contains(row.at("device_id").get<std::int64_t>())) {
        m_places[row.at("id").get<std::int64_t>()] = m_rows.size();
        m_rows.push_back({row, {}});
      }
    } else if (table == "metric") {
      const auto place = m_places.find(row.at("measurement_id").get<std::int64_t>());
      if (place != m_places.end()) m_rows[place->second].metrics.push_back(row);
    }
  }

  [[nodiscard]] json results() const {
    json results = json::array();
    for (const Rows& rows : m_rows) {
      const std::string& params = m_configs.at(rows.measurement.at("config_id"));
      results.push_back(result_of(rows, json::parse(params)));
    }
    return results;
  }

 private:
  const T4Subject& m_subject;
  std::set<std::int64_t> m_devices;
  std::int64_t m_problem = 0;
  std::map<std::int64_t, std::string> m_configs;
  std::map<std::int64_t, std::size_t> m_places;  // by measurement
  std::vector<Rows> m_rows;
};

}  // namespace

std::string t4_to_lines(const json& file, const std::string& name, const T4Subject& subject) {
  std::string where = name;
  try {
    require_form(file);
    const json& results = file["results"];
    where = name + ", result 1";
    std::string lines = head_rows(subject, configuration_of(results.front()),
                                  stored_time(results.front().at("timestamp").get<std::string>()));
    std::map<std::string, std::int64_t> configs;
    std::string measurements;
    std::string metrics;
    std::int64_t id = 0;
    for (const json& result : results) {
      where = fmt::format("{}, result {}", name, ++id);
      const std::string params = values_json(configuration_of(result)).dump();
      const auto [config, is_new] =
          configs.emplace(params, static_cast<std::int64_t>(configs.size()) + 1);
      if (is_new) {
        lines += json{{"table", "config"},
                      {"id", config->second},
                      {"kernel", subject.kernel},
                      {"params", params}}
                     .dump() +
                 '\n';
      }
      const Rows rows = rows_of(result, id, config->second);
      require_same(result, result_of(rows, json::parse(params)));
      measurements += rows.measurement.dump() + '\n';
      for (const json& metric : rows.metrics) metrics += metric.dump() + '\n';
    }
    return lines + measurements + metrics;
  } catch (const std::exception& error) {
    throw UserError(ExitCode::failed, where + ": " + error.what() + "; nothing was imported");
  }
}

json t4_from(Database& database, const T4Subject& subject) {
  SubjectRows rows(subject);
  write_json_lines(database, [&](std::string_view line) { rows.take(line); });
  json results = rows.results();
  if (results.empty()) {
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format("nothing stored of {} on '{}' for {} in {}: see gtune db info", subject.kernel,
                    subject.device, subject.problem.text(), database.path().string()));
  }
  return {{"metadata", {{"timeunit", unit_of_time}}},
          {"results", std::move(results)},
          {"schema_version", "1.0.0"}};
}

}  // namespace gtune
