#include "exchange/t4_rows.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "model/json.hpp"
#include "model/statistics.hpp"

namespace gtune {

using nlohmann::json;

namespace {

constexpr const char* of_times = "times.";  // prefix of metrics that hold T4 times

struct Invalidity {
  const char* t4;
  Status status;
  const char* time;  // written in place of a time
};

constexpr Invalidity invalidities[] = {
    {t4_correct, Status::ok, ""},
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

std::string time_to_t4(std::string stored) {
  if (const auto at = stored.find('T'); at != std::string::npos) stored[at] = ' ';
  if (stored.ends_with('Z')) stored.replace(stored.size() - 1, 1, "+00:00");
  return stored;
}

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
  const json fields = timing;
  for (const auto& [name, value] : fields.items()) {
    if (name == "mode") continue;  // is the row's own
    row[name] = value.is_boolean() ? json(value.get<bool>() ? 1 : 0) : value;
  }
}

json blank_measurement() {
  json row = {{"table", "measurement"}, {"run_id", 1},          {"device_id", 1},
              {"toolchain_id", 1},      {"kernel_id", 1},       {"problem_id", 1},
              {"timing", "warm"},       {"phase", "search"},    {"label", ""},
              {"reason", ""},           {"max_error", nullptr}, {"gpu_ms", nullptr},
              {"compile_ms", nullptr}};
  const json usage = ResourceUsage{};
  const json timing = Timing{};
  for (const json* group : {&usage, &timing}) {
    for (const auto& [name, value] : group->items()) {
      if (name != "mode") row[name] = nullptr;
    }
  }
  return row;
}

/// The result with its measurements sorted by name, since their order has no meaning.
json by_name(json result) {
  auto& list = result["measurements"];
  std::sort(list.begin(), list.end(),
            [](const json& a, const json& b) { return a.at("name") < b.at("name"); });
  return result;
}

}  // namespace

std::string time_from_t4(const std::string& t4) {
  static const std::regex form(R"((\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(\.\d+)?)\+00:00)");
  constexpr std::size_t longest = 40;  // std::regex uses stack for each character
  std::smatch parts;
  if (t4.size() > longest || !std::regex_match(t4, parts, form)) {
    throw std::invalid_argument("timestamp '" + t4.substr(0, longest) +
                                "' is not like 2023-01-26 01:05:09.73+00:00");
  }
  return parts[1].str() + 'T' + parts[2].str() + 'Z';
}

T4Rows t4_rows_of(const T4Result& result, std::int64_t id, std::int64_t config) {
  T4Rows rows;
  json& row = rows.measurement = blank_measurement();
  row["id"] = id;
  row["config_id"] = config;
  row["created"] = time_from_t4(result.timestamp);
  const Status status = status_of_t4(result.invalidity);
  row["status"] = to_string(status);
  double time_ms = 0;
  for (const auto& [name, value, unit] : result.measurements) {
    if (name == "time" && value.is_number()) time_ms = value;
    if (name == "time" && status != Status::ok) row["reason"] = value.dump();
    rows.metrics.push_back(metric_row(id, name, value, unit));
  }
  for (const auto& [name, value] : result.times.items()) {
    if (name == "compilation") {
      row["compile_ms"] = value;
    } else {
      rows.metrics.push_back(metric_row(id, of_times + name, value, t4_unit_of_time));
    }
  }
  if (status == Status::ok || !result.runtimes.empty()) put_timing(row, result.runtimes, time_ms);
  return rows;
}

T4Result t4_result_of(const T4Rows& rows, const json& params) {
  const json& row = rows.measurement;
  const Invalidity& invalidity =
      invalidity_of(status_from_string(row.at("status").get<std::string>()));
  T4Result result;
  result.timestamp = time_to_t4(row.at("created").get<std::string>());
  result.configuration = params;
  result.invalidity = invalidity.t4;
  result.times = json::object();
  result.objectives = {"time"};
  if (!row.at("compile_ms").is_null()) result.times["compilation"] = row["compile_ms"];
  if (!row.at("samples_ms").is_null()) {
    result.runtimes = row["samples_ms"].get<std::vector<double>>();
  }
  bool has_time = false;
  for (const json& metric : rows.metrics) {
    const auto name = metric.at("name").get<std::string>();
    const json value = metric.at("value").is_null() ? metric.at("reason") : metric.at("value");
    if (name.starts_with(of_times)) {
      result.times[name.substr(std::string_view(of_times).size())] = value;
      continue;
    }
    has_time = has_time || name == "time";
    result.measurements.push_back({name, value, metric.at("unit")});
  }
  if (!has_time) {
    const bool ok = invalidity.status == Status::ok;
    result.measurements.push_back(
        {"time", ok ? row.at("median_ms") : json(invalidity.time), t4_unit_of_time});
  }
  return result;
}

void require_given_back(const json& result, const json& given_back) {
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

}  // namespace gtune
