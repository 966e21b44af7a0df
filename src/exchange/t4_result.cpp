#include "exchange/t4_result.hpp"

#include <stdexcept>

namespace gtune {

using nlohmann::json;

const json& t4_results_in(const json& file) {
  const json& results = file.at("results");
  if (!results.is_array()) throw std::invalid_argument("its results are no list");
  if (results.empty()) throw std::invalid_argument("it has no results");
  return results;
}

T4Result read_t4_result(const json& in) {
  T4Result result;
  result.timestamp = in.value("timestamp", "");
  result.configuration = in.at("configuration");
  if (!result.configuration.is_object()) {
    throw std::invalid_argument("its configuration is no object");
  }
  result.times = in.at("times");
  if (!result.times.is_object()) throw std::invalid_argument("its times are no object");
  for (const json& sample : result.times.value("runtimes", json::array())) {
    if (sample.is_number()) result.runtimes.push_back(sample);
  }
  result.times.erase("runtimes");
  result.invalidity = in.value("invalidity", t4_correct);
  for (const json& measured : in.at("measurements")) {
    result.measurements.push_back(
        {measured.at("name"), measured.at("value"), measured.value("unit", json())});
  }
  result.objectives = in.value("objectives", result.objectives);
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
