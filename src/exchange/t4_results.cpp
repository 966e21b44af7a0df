#include "exchange/t4_results.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "exchange/json_lines.hpp"
#include "exchange/t4_rows.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/value_word.hpp"
#include "report/few_sizes.hpp"
#include "report/values_json.hpp"
#include "store/json_text.hpp"
#include "store/schema.hpp"
#include "store/sqlite_error.hpp"
#include "system/shell_word.hpp"

namespace gtune {

using nlohmann::json;

namespace {

Config configuration_of(const T4Result& result) {
  Config config;
  for (const auto& [name, value] : result.configuration.items()) {
    const auto* word = value.get_ptr<const std::string*>();
    if (!integer_in<std::int64_t>(value) && !(word != nullptr && is_value_word(*word))) {
      throw std::invalid_argument("parameter " + name + " is " + value.dump() +
                                  ", no integer and no word; gtune's parameters are");
    }
    config.set(name, value_from(value));
  }
  return config;
}

std::vector<std::string> names_of(const NamedValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values.entries()) names.push_back(name);
  return names;
}

json device_row(const T4Subject& subject) {
  DeviceFacts facts;
  facts.name = subject.device;
  facts.uuid = "T4:" + subject.device;
  facts.replayed = true;
  json row = {{"table", "device"},
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
              {"toolchain_id", 1}};
  row.update(json(facts.limits));
  return row;
}

json run_row(const std::string& since) {
  return {{"table", "run"},
          {"id", 1},
          {"started", since},
          {"finished", nullptr},
          {"device_id", 1},
          {"toolchain_id", 1},
          {"kernel_id", 1},
          {"problem_id", 1},
          {"timing", "warm"},
          {"flops", nullptr},
          {"bytes", nullptr},
          {"strategy", "imported"},
          {"budget", ""},
          {"objective", "time"},
          {"seed", "0"},
          {"command_line", "T4 results"},
          {"space_signature", "T4"},
          {"whole_space", 0},
          {"pid", 0}};
}

std::string head_rows(const T4Subject& subject, const Config& any, const std::string& since) {
  const json rows[] = {
      {{"gtune_rows", 1}, {"schema", k_schema_version}},
      {{"table", "toolchain"},
       {"id", 1},
       {"driver", ""},
       {"runtime", ""},
       {"nvrtc", ""},
       {"cupti", ""},
       {"gtune", ""}},
      device_row(subject),
      // Not a real source, so it is never the current one.
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
      run_row(since),
  };
  std::string lines;
  for (const json& row : rows) lines += json_text(row) + '\n';
  return lines;
}

void require_form(const json& file) {
  if (file.is_object() && file.contains("cache")) {
    throw std::invalid_argument(
        "this is a cache file of Kernel Tuner, not T4 results; its store_output_file() writes "
        "them");
  }
  if (!file.is_object() || !file.contains("results")) {
    throw std::invalid_argument("this is not a T4 results file: it has no list 'results'");
  }
  if (file.value("schema_version", json()) != "1.0.0") {
    throw std::invalid_argument("its schema_version is " +
                                file.value("schema_version", json()).dump() +
                                "; gtune reads 1.0.0");
  }
  if (file.value("metadata", json()) != json{{"timeunit", t4_unit_of_time}}) {
    throw std::invalid_argument(R"(its metadata is not {"timeunit":"miliseconds"})");
  }
}

/// Collects a database's rows that belong to one subject.
class SubjectRows {
 public:
  explicit SubjectRows(const T4Subject& subject) : m_subject(subject) {}

  void take(std::string_view line) {
    const json row = parse_foreign_json(line);
    const std::string table = row.value("table", "");
    if (table == "device") {
      m_devices[row.at("id")] = row.at("name");
    } else if (table == "kernel") {
      if (row.at("name") == m_subject.kernel) {
        const auto id = row.at("id").get<std::int64_t>();
        m_versions[id] =
            Version(row.at("source_hash") != "T4", row.at("last_used").get<std::string>(), id);
      }
    } else if (table == "problem") {
      if (row.at("kernel") == m_subject.kernel) {
        m_problems[row.at("id")] = Problem(values_from(row.at("sizes"), {}));
      }
    } else if (table == "config") {
      if (row.at("kernel") == m_subject.kernel) m_configs[row.at("id")] = row.at("params");
    } else if (table == "measurement") {
      take_measurement(row);
    } else if (table == "metric") {
      const auto place = m_places.find(row.at("measurement_id").get<std::int64_t>());
      if (place != m_places.end()) m_rows[place->second].metrics.push_back(row);
    }
  }

  /// Only of the version used last: another source is another kernel.
  [[nodiscard]] json results() const {
    json results = json::array();
    for (const T4Rows& rows : m_rows) {
      if (version_of(rows) != m_newest) continue;
      const std::string& params = m_configs.at(rows.measurement.at("config_id"));
      results.push_back(t4_json(t4_result_of(rows, parse_foreign_json(params))));
    }
    return results;
  }

  [[nodiscard]] std::int64_t of_other_versions() const {
    return std::count_if(m_rows.begin(), m_rows.end(),
                         [&](const T4Rows& rows) { return version_of(rows) != m_newest; });
  }

  /// Text that says on which devices or problems the kernel does have results.
  [[nodiscard]] std::string instead() const {
    if (m_known.empty()) return ": see gtune db info";
    std::vector<Problem> here;
    std::string devices;
    for (const auto& [device, problems] : m_known) {
      devices += (devices.empty() ? "'" : ", '") + device + "'";
      if (!same_device_name(device, m_subject.device)) continue;
      for (const std::int64_t problem : problems) here.push_back(m_problems.at(problem));
    }
    return here.empty() ? "; it is there on --device " + devices
                        : "; it is there for --problem " + few_sizes(here);
  }

 private:
  /// A source and spec, ordered so that a name's current version is the greatest.
  using Version = std::tuple<bool, std::string, std::int64_t>;

  void take_measurement(const json& row) {
    const auto problem = m_problems.find(row.at("problem_id"));
    if (problem == m_problems.end() || row.at("phase") == "baseline") return;
    const std::string& device = m_devices.at(row.at("device_id"));
    m_known[device].insert(problem->first);
    if (!same_device_name(device, m_subject.device)) return;
    if (values_json(problem->second) != values_json(m_subject.problem)) return;
    m_places[row.at("id").get<std::int64_t>()] = m_rows.size();
    m_rows.push_back({row, {}});
    m_newest = std::max(m_newest, version_of(m_rows.back()));
  }

  [[nodiscard]] const Version& version_of(const T4Rows& rows) const {
    return m_versions.at(rows.measurement.at("kernel_id"));
  }

  const T4Subject& m_subject;
  std::map<std::int64_t, std::string> m_devices;
  std::map<std::int64_t, Version> m_versions;
  std::map<std::int64_t, Problem> m_problems;
  std::map<std::string, std::set<std::int64_t>> m_known;  // by device: problems of the kernel
  Version m_newest;
  std::map<std::int64_t, std::string> m_configs;
  std::map<std::int64_t, std::size_t> m_places;  // by measurement
  std::vector<T4Rows> m_rows;
};

}  // namespace

std::string t4_to_lines(const json& file, const std::string& name, const T4Subject& subject) {
  std::string where = name;
  try {
    require_form(file);
    const json& results = t4_results_in(file);
    where = name + ", result 1";
    const T4Result first = read_t4_result(results.front());
    std::string lines = head_rows(subject, configuration_of(first), time_from_t4(first.timestamp));
    std::map<std::string, std::int64_t> configs;
    std::string measurements;
    std::string metrics;
    std::int64_t id = 0;
    for (const json& each : results) {
      where = fmt::format("{}, result {}", name, ++id);
      const T4Result result = read_t4_result(each);
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
      const T4Rows rows = t4_rows_of(result, id, config->second);
      require_given_back(each, t4_json(t4_result_of(rows, parse_foreign_json(params))));
      measurements += rows.measurement.dump() + '\n';
      for (const json& metric : rows.metrics) metrics += metric.dump() + '\n';
    }
    return lines + measurements + metrics;
  } catch (const std::exception& error) {
    throw UserError(ExitCode::failed, where + ": " + json_fault(error) + "; nothing was imported");
  }
}

json t4_from(Database& database, const T4Subject& subject) {
  SubjectRows rows(subject);
  write_json_lines(database, [&](std::string_view line) { rows.take(line); });
  json results =
      with_user_errors(database.path(), database.connection(), [&] { return rows.results(); });
  if (results.empty()) {
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format("nothing stored of {} on '{}' {} in {}{}", shell_word(subject.kernel),
                    subject.device,
                    subject.problem.empty() ? "without sizes" : "for " + subject.problem.text(),
                    database.path().string(), rows.instead()));
  }
  if (const auto others = rows.of_other_versions()) {
    spdlog::info("note: {} results of other versions of {} or its spec are left out", others,
                 shell_word(subject.kernel));
  }
  return {{"metadata", {{"timeunit", t4_unit_of_time}}},
          {"results", std::move(results)},
          {"schema_version", "1.0.0"}};
}

}  // namespace gtune
