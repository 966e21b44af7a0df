#pragma once

#include <string>
#include <vector>

#include "model/checked_json.hpp"

// The form of a T4 results file (github.com/odgaard/TuningSchema), read and written here alone.
// What is not of that form is a json::exception or std::invalid_argument.
namespace gtune {

inline constexpr const char* t4_unit_of_time = "miliseconds";  // as the format spells it
inline constexpr const char* t4_correct = "correct";           // the invalidity of what is valid

/// A measured number; a word in its place says why there is none.
struct T4Value {
  std::string name;
  nlohmann::json value;
  nlohmann::json unit;  // null: not said
};

/// One configuration and what became of it.
struct T4Result {
  std::string timestamp;         // empty: not said
  nlohmann::json configuration;  // an object: values by parameter
  nlohmann::json times;          // an object: what the parts of trying it took, by name
  std::vector<double> runtimes;  // the samples that are numbers
  std::string invalidity = t4_correct;
  std::vector<T4Value> measurements;
  std::vector<std::string> objectives;
};

/// The list of a file's results, which is not empty.
[[nodiscard]] const nlohmann::json& t4_results_in(const nlohmann::json& file);

[[nodiscard]] T4Result read_t4_result(const nlohmann::json& in);
[[nodiscard]] nlohmann::json t4_json(const T4Result& result);

}  // namespace gtune
