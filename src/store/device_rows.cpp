#include "store/device_rows.hpp"

#include <fmt/format.h>

#include "store/statement.hpp"

namespace gtune {

std::string limit_columns(const std::string& form) {
  std::string list;
  for (const NamedLimit& limit : k_device_limits) {
    list += (list.empty() ? "" : ", ") + fmt::format(fmt::runtime(form), limit.name);
  }
  return list;
}

DeviceLimits read_limits(const SQLite::Statement& statement) {
  DeviceLimits limits;
  Row row(statement);
  for (const NamedLimit& limit : k_device_limits) row >> limits.*limit.value;
  return limits;
}

}  // namespace gtune
