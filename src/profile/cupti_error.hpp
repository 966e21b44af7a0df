#pragma once

#include <cupti_result.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "profile/cupti_library.hpp"

namespace gtune {

/// A failed call of CUPTI: "cuptiRangeProfilerStart: CUPTI_ERROR_HARDWARE (NUMBER)".
class CuptiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The device's counters are unavailable to every kernel. One line says why and what to do.
class CountersUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Why a result makes counters unavailable to every kernel on the device, and what to do. Absent if
/// it may concern one call alone.
[[nodiscard]] std::optional<std::string> why_unavailable(CUptiResult result);

/// Throws CountersUnavailable or CuptiError unless `result` is CUPTI_SUCCESS.
void check_cupti(const CuptiLibrary& cupti, CUptiResult result, const char* what);

}  // namespace gtune
