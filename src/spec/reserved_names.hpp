#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gtune {

/// The options that gtune's subcommands have already: no size or variant may be called so.
inline constexpr std::array<std::string_view, 37> reserved_options = {
    "all",      "arch",    "budget",  "chip",     "compile",       "config",  "csv",     "db",
    "device",   "effects", "field",   "flush-l2", "format",        "fresh",   "help",    "json",
    "launches", "list",    "metrics", "output",   "param",         "profile", "quiet",   "record",
    "seed",     "shapes",  "shard",   "strategy", "table",         "threads", "timeout", "trace",
    "verbose",  "version", "vs",      "where",    "worker-command"};

[[nodiscard]] inline bool is_reserved_option(std::string_view name) {
  return std::find(reserved_options.begin(), reserved_options.end(), name) !=
         reserved_options.end();
}

/// The commands that gtune has already and a kernel, or the file of its spec, could be called.
inline constexpr std::array<std::string_view, 18> reserved_commands = {
    "bench-search", "check",   "compiler", "complete", "completion", "manual",
    "db",           "devices", "explain",  "export",   "init",       "list",
    "metrics",      "query",   "run",      "space",    "tune",       "worker"};

[[nodiscard]] inline bool is_reserved_command(std::string_view name) {
  return std::find(reserved_commands.begin(), reserved_commands.end(), name) !=
         reserved_commands.end();
}

}  // namespace gtune
