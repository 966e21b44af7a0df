#include "exchange/t4_result.hpp"

#include <stdexcept>

#include "model/json.hpp"

namespace gtune {

using nlohmann::json;

const json& t4_results_in(const json& file) {
  const json& results = file.at("results");
  if (!results.is_array()) throw std::invalid_argument("its results are not a list");
  if (results.empty()) throw std::invalid_argument("it has no results");
  return results;
}

namespace {

/// The exception of json::value() does not name the key.
template <typename T>
T value_or(const json& in, const char* key, const T& fallback) {
  try {
    return in.value(key, fallback);
  } catch (const json::type_error& error) {
    throw std::invalid_argument("'" + std::string(key) + "': " + json_fault(error));
  }
}

}  // namespace

T4Result read_t4_result(const json& in) {
  if (!in.is_object()) throw std::invalid_argument("it is not an object");
  T4Result result;
  result.timestamp = value_or(in, "timestamp", result.timestamp);
  result.configuration = in.at("configuration");
  if (!result.configuration.is_object()) {
    throw std::invalid_argument("its configuration is not an object");
  }
  result.times = in.at("times");
  if (!result.times.is_object()) throw std::invalid_argument("its times are not an object");
  for (const json& sample : result.times.value("runtimes", json::array())) {
    if (sample.is_number()) result.runtimes.push_back(sample);
  }
  result.times.erase("runtimes");
  result.invalidity = value_or(in, "invalidity", result.invalidity);
  for (const json& measured : in.at("measurements")) {
    result.measurements.push_back(
        {measured.at("name"), measured.at("value"), measured.value("unit", json())});
  }
  result.objectives = value_or(in, "objectives", result.objectives);
  return result;
}

json t4_json(const T4Result& result) {
  json times = result.times;
  if (!result.runtimes.empty()) times["runtimes"] = result.runtimes;
  json measurements = json::array();
  for (const T4Value& measured : result.measurements) {
    measurements.push_back(
        {{"name", measured.name}, {"value", measured.value}, {"unit", measured.unit}});
  }
  return {{"timestamp", result.timestamp},
          {"configuration", result.configuration},
          {"times", std::move(times)},
          {"invalidity", result.invalidity},
          {"correctness", result.invalidity == t4_correct ? 1 : 0},
          {"measurements", std::move(measurements)},
          {"objectives", result.objectives}};
}

}  // namespace gtune
