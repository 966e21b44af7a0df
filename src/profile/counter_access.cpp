#include "profile/counter_access.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace gtune {
namespace {

constexpr unsigned cap_sys_admin = 21;  // the bit in linux/capability.h

/// The number in a line such as "RmProfilingAdminOnly: 1"; absent if no line has that name.
std::optional<std::uint64_t> number_after(const std::filesystem::path& file, std::string_view name,
                                          int base) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", name.size());
    if (begin == std::string::npos) return std::nullopt;
    std::uint64_t value = 0;
    const auto parsed =
        std::from_chars(line.data() + begin, line.data() + line.size(), value, base);
    if (parsed.ec != std::errc()) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

}  // namespace

CounterAccess counter_access(const std::filesystem::path& driver_parameters,
                             const std::filesystem::path& process_status) {
  CounterAccess access;
  if (const auto value = number_after(driver_parameters, "RmProfilingAdminOnly:", 10)) {
    access.admins_only = *value != 0;
  }
  const std::uint64_t capabilities = number_after(process_status, "CapEff:", 16).value_or(0);
  access.is_admin = ((capabilities >> cap_sys_admin) & 1) != 0;
  return access;
}

}  // namespace gtune
