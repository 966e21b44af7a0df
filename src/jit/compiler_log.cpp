#include "jit/compiler_log.hpp"

#include <cstddef>

namespace gtune {

std::string first_error(std::string_view log) {
  std::string_view fallback;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    if (line.find("error") != line.npos || line.find("fatal") != line.npos) {
      return std::string(line);
    }
    if (fallback.empty()) fallback = line;
    log = end == log.npos ? std::string_view() : log.substr(end + 1);
  }
  return std::string(fallback);
}

std::string shortened_log(std::string log) {
  constexpr std::size_t most_log_bytes = std::size_t{64} << 10;
  if (log.size() > most_log_bytes) log = log.substr(0, most_log_bytes) + "\n...";
  return log;
}

std::string string_literal(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? '?' : c;
  }
  return out + '"';
}

}  // namespace gtune
