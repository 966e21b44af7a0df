#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gtune {

/// Options of gtune's own subcommands, which no size or variant may use as a name. A test compares
/// the list with the commands' declarations.
inline constexpr auto reserved_options = std::to_array<std::string_view>(
    {"all",      "also",      "arch",   "budget",  "chip",          "compile",  "config",
     "csv",      "db",        "device", "effects", "field",         "flush-l2", "forecasts",
     "format",   "fresh",     "help",   "json",    "launches",      "lines",    "list",
     "metrics",  "objective", "output", "param",   "pareto",        "plain",    "plot",
     "profile",  "quiet",     "record", "report",  "seed",          "shapes",   "shard",
     "strategy", "streams",   "table",  "threads", "timeout",       "timing",   "trace",
     "verbose",  "version",   "vs",     "where",   "worker-command"});

[[nodiscard]] inline bool is_reserved_option(std::string_view name) {
  return std::find(reserved_options.begin(), reserved_options.end(), name) !=
         reserved_options.end();
}

/// Names of the device's facts begin with it.
inline constexpr std::string_view device_prefix = "dev_";

/// Whether expressions have a meaning of their own for the name.
[[nodiscard]] constexpr bool is_reserved_name(std::string_view name) {
  return name.starts_with(device_prefix) || name == "shared_bytes" || name == "threads_per_block";
}

/// gtune's own subcommands, which no kernel may use as a name. cli/command_table.cpp does not
/// compile if one of its commands is missing here.
inline constexpr auto reserved_commands = std::to_array<std::string_view>(
    {"baseline", "bench-search", "check",  "compiler", "complete", "completion",     "manual",
     "db",       "devices",      "doctor", "explain",  "export",   "host-reference", "init",
     "list",     "metrics",      "query",  "report",   "run",      "space",          "tune",
     "worker"});

[[nodiscard]] constexpr bool is_reserved_command(std::string_view name) {
  return std::find(reserved_commands.begin(), reserved_commands.end(), name) !=
         reserved_commands.end();
}

}  // namespace gtune
