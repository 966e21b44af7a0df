#pragma once

#include <ctime>
#include <string>

namespace gtune {

/// "2026-01-31T09:30:00Z"
[[nodiscard]] inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  return text;
}

}  // namespace gtune
