#pragma once

#include <string>
#include <vector>

#include "model/checked_json.hpp"

// The form of a T4 results file (github.com/odgaard/TuningSchema), read and written only here.
// Other forms throw json::exception or std::invalid_argument.
namespace gtune {

inline constexpr const char* t4_unit_of_time = "miliseconds";  // as the format spells it
inline constexpr const char* t4_correct = "correct";           // the "invalidity" of a valid result

/// A measured number; a word in its place says why there is none.
struct T4Value {
  std::string name;
  nlohmann::json value;
  nlohmann::json unit;  // null: not given
};

/// One configuration and its outcome.
struct T4Result {
  std::string timestamp;         // empty: not given
  nlohmann::json configuration;  // an object: values by parameter
  nlohmann::json times;          // an object: the time of each part of the evaluation, by name
  std::vector<double> runtimes;  // only the samples that are numbers
  std::string invalidity = t4_correct;
  std::vector<T4Value> measurements;
  std::vector<std::string> objectives;
};

/// A file's list of results, never empty. Throws if it is.
[[nodiscard]] const nlohmann::json& t4_results_in(const nlohmann::json& file);

[[nodiscard]] T4Result read_t4_result(const nlohmann::json& in);
[[nodiscard]] nlohmann::json t4_json(const T4Result& result);

}  // namespace gtune
