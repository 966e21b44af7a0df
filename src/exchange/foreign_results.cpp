#include "exchange/foreign_results.hpp"

#include <stdexcept>

#include "exchange/t4_result.hpp"

namespace gtune {
namespace {

using nlohmann::json;

double number_or_zero(const json& in, const char* key) {
  const auto found = in.find(key);
  return found != in.end() && found->is_number() ? found->get<double>() : 0;
}

/// Absent for a failed configuration, which has the failure's name in place of a number.
std::optional<double> cost_in(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

RecordedRow cache_row(const json& entry, const std::vector<std::string>& parameters,
                      const std::string& objective) {
  RecordedRow row;
  for (const std::string& parameter : parameters) row.values.push_back(entry.at(parameter));
  row.cost_ms = cost_in(entry.at(objective));
  for (const char* part :
       {"compile_time", "verification_time", "benchmark_time", "framework_time"}) {
    row.evaluation_ms += number_or_zero(entry, part);
  }
  return row;
}

RecordedRow t4_row(const T4Result& result, const std::vector<std::string>& parameters) {
  RecordedRow row;
  for (const std::string& parameter : parameters) {
    row.values.push_back(result.configuration.at(parameter));
  }
  for (const char* part : {"compilation", "compilation_time", "framework", "validation"}) {
    row.evaluation_ms += number_or_zero(result.times, part);
  }
  for (const double sample : result.runtimes) row.evaluation_ms += sample;
  if (result.invalidity != t4_correct) return row;
  if (result.objectives.empty()) throw std::invalid_argument("a result has no objectives");
  for (const T4Value& measured : result.measurements) {
    if (measured.name == result.objectives.front()) row.cost_ms = cost_in(measured.value);
  }
  return row;
}

}  // namespace

RecordedSpace from_kernel_tuner_cache(const json& in, std::string name) {
  const auto parameters = in.at("tune_params_keys").get<std::vector<std::string>>();
  const std::string objective = in.value("objective", "time");
  std::vector<RecordedRow> rows;
  for (const auto& [unused, entry] : in.at("cache").items()) {
    rows.push_back(cache_row(entry, parameters, objective));
  }
  return make_recorded_space(std::move(name), parameters, rows);
}

RecordedSpace from_t4_results(const json& in, std::string name) {
  const json& results = t4_results_in(in);
  std::vector<std::string> parameters;
  const T4Result first = read_t4_result(results.front());
  for (const auto& [parameter, unused] : first.configuration.items()) {
    parameters.push_back(parameter);
  }
  std::vector<RecordedRow> rows;
  for (const json& result : results) rows.push_back(t4_row(read_t4_result(result), parameters));
  return make_recorded_space(std::move(name), parameters, rows);
}

}  // namespace gtune
