#include "profile/counter_access.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace gtune {
namespace {

// The bits in linux/capability.h.
constexpr unsigned cap_sys_admin = 21;
constexpr unsigned cap_perfmon = 38;

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

/// Whether a process with these user ids is in the initial user namespace, where each id maps to
/// itself; true for a Linux without namespaces.
bool is_initial_namespace(const std::filesystem::path& user_ids) {
  constexpr std::uint64_t all = 4294967295;
  std::ifstream in(user_ids);
  if (!in) return true;
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  in >> inside >> outside >> count;
  return in && inside == 0 && outside == 0 && count == all;
}

bool is_privileged(const std::filesystem::path& process_status,
                   const std::filesystem::path& user_ids) {
  const std::uint64_t capabilities = number_after(process_status, "CapEff:", 16).value_or(0);
  constexpr std::uint64_t sufficient = std::uint64_t{1} << cap_sys_admin | std::uint64_t{1}
                                                                               << cap_perfmon;
  return (capabilities & sufficient) != 0 && is_initial_namespace(user_ids);
}

}  // namespace

CounterAccess counter_access(const std::filesystem::path& driver_parameters,
                             const std::filesystem::path& process_status,
                             const std::filesystem::path& user_ids) {
  CounterAccess access;
  if (const auto value = number_after(driver_parameters, "RmProfilingAdminOnly:", 10)) {
    access.admins_only = *value != 0;
  }
  access.may_read_counters = access.admins_only == false || is_privileged(process_status, user_ids);
  return access;
}

}  // namespace gtune
