#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/checked_json.hpp"
#include "model/named_values.hpp"
#include "store/database.hpp"

// The autotuning community's T4 results format: measurements of one kernel on one device and
// problem, without the names of these three. Converts by way of the rows of
// exchange/json_lines.hpp.
namespace gtune {

/// What a T4 file does not name; also selects the measurements of a database to convert.
struct T4Subject {
  std::string kernel;
  std::string device;
  Problem problem;
};

/// The file as lines that read_json_lines takes. Throws UserError that names the first result that
/// cannot be converted to rows and back without loss.
[[nodiscard]] std::string t4_to_lines(const nlohmann::json& file, const std::string& name,
                                      const T4Subject& subject);

/// The subject's stored measurements with the source and spec used last, in the order they were
/// measured, without baselines. Throws UserError (nothing_stored) if there are none.
[[nodiscard]] nlohmann::json t4_from(Database& database, const T4Subject& subject);

}  // namespace gtune
