#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/checked_json.hpp"
#include "model/named_values.hpp"
#include "store/database.hpp"

// The autotuning community's T4 results format: measurements of one kernel on one device and
// problem, none of which it names. Goes through the rows of store/json_lines.hpp.
namespace gtune {

/// What a T4 file does not say, or which of a database's measurements to take.
struct T4Subject {
  std::string kernel;
  std::string device;
  Problem problem;
};

/// The file as lines that read_json_lines takes. Throws UserError naming the result that has
/// something to it which could not be given back.
[[nodiscard]] std::string t4_to_lines(const nlohmann::json& file, const std::string& name,
                                      const T4Subject& subject);

/// What is stored of the subject with the source and spec used last, in the order it was measured;
/// without baselines. Throws UserError (nothing_stored).
[[nodiscard]] nlohmann::json t4_from(Database& database, const T4Subject& subject);

}  // namespace gtune
