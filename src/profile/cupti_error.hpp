#pragma once

#include <cupti_result.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "profile/cupti_library.hpp"

namespace gtune {

/// A call of CUPTI that failed: "cuptiRangeProfilerStart: CUPTI_ERROR_HARDWARE".
class CuptiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The device's counters cannot be used at all, by no kernel. One line: why, and what to do.
class CountersUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a result means for every kernel on the device. Absent where it may concern one call alone.
[[nodiscard]] std::optional<std::string> why_unavailable(CUptiResult result);

/// Throws CountersUnavailable or CuptiError unless `result` is CUPTI_SUCCESS.
void check_cupti(const CuptiLibrary& cupti, CUptiResult result, const char* what);

}  // namespace gtune
