#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gtune {

/// The options that gtune's subcommands have already: no size or variant may be called so.
inline constexpr std::array<std::string_view, 29> reserved_options = {
    "all",      "arch",   "budget",  "chip",    "compile", "config", "csv",
    "db",       "device", "effects", "field",   "format",  "fresh",  "help",
    "json",     "list",   "output",  "param",   "quiet",   "record", "seed",
    "shapes",   "shard",
    "strategy", "table",  "threads", "timeout", "verbose", "version"};

[[nodiscard]] inline bool is_reserved_option(std::string_view name) {
  return std::find(reserved_options.begin(), reserved_options.end(), name) !=
         reserved_options.end();
}

}  // namespace gtune
