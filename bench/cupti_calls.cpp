// How the time of `--profile` is spent: this library sits between gtune and CUPTI. After each
// kernel it prints the time of each CUPTI call, and the time between calls.
//
//   g++ -O2 -shared -fPIC -o libcupti_calls.so bench/cupti_calls.cpp -ldl
//   GTUNE_CUPTI=$PWD/libcupti_calls.so CUPTI_CALLS=calls.txt gtune sgemm --profile all ...
//
// CUPTI itself (libcupti.so.13 or .12) has to be on the loader's path.

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

struct Total {
  long calls = 0;
  double ms = 0;
  void add(Clock::duration took) {
    ++calls;
    ms += std::chrono::duration<double, std::milli>(took).count();
  }
};

class Report {
 public:
  /// Not at the end of the process, which a worker may not live to see.
  void write() const {
    const char* file = std::getenv("CUPTI_CALLS");
    FILE* out = file != nullptr ? std::fopen(file, "w") : stderr;
    if (out == nullptr) return;
    for (const auto& [name, total] : m_totals) {
      std::fprintf(out, "%-90s %6ld x %9.3f ms = %10.1f ms\n", name.c_str(), total.calls,
                   total.ms / static_cast<double>(total.calls), total.ms);
    }
    if (out != stderr) std::fclose(out);
  }
  void enter(const std::string& name) {
    m_entered = Clock::now();
    if (!m_last.empty()) m_totals["between " + m_last + " and " + name].add(m_entered - m_left);
  }
  void leave(const std::string& name) {
    m_left = Clock::now();
    m_totals["in " + name].add(m_left - m_entered);
    m_last = name;
    if (name == "cuptiRangeProfilerDecodeData") write();
  }

 private:
  std::map<std::string, Total> m_totals;
  std::string m_last;
  Clock::time_point m_entered;
  Clock::time_point m_left;
};

Report report;

void* real(const char* name) {
  static void* const library = [] {
    void* newest = dlopen("libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
    return newest != nullptr ? newest : dlopen("libcupti.so.12", RTLD_NOW | RTLD_LOCAL);
  }();
  void* const function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) {
    std::fprintf(stderr, "cupti_calls: no %s: %s\n", name, dlerror());
    std::abort();
  }
  return function;
}

}  // namespace

// Each takes a pointer to its parameters and returns a CUptiResult.
#define TIMED(name)                                                             \
  extern "C" int name(void* parameters) {                                       \
    static const auto function = reinterpret_cast<int (*)(void*)>(real(#name)); \
    report.enter(#name);                                                        \
    const int result = function(parameters);                                    \
    report.leave(#name);                                                        \
    return result;                                                              \
  }

TIMED(cuptiProfilerHostInitialize)
TIMED(cuptiProfilerHostDeinitialize)
TIMED(cuptiProfilerHostGetSupportedChips)
TIMED(cuptiProfilerHostGetBaseMetrics)
TIMED(cuptiProfilerHostGetMetricProperties)
TIMED(cuptiProfilerHostConfigAddMetrics)
TIMED(cuptiProfilerHostGetConfigImageSize)
TIMED(cuptiProfilerHostGetConfigImage)
TIMED(cuptiProfilerHostGetNumOfPasses)
TIMED(cuptiProfilerHostEvaluateToGpuValues)
TIMED(cuptiProfilerInitialize)
TIMED(cuptiProfilerDeInitialize)
TIMED(cuptiProfilerDeviceSupported)
TIMED(cuptiProfilerGetCounterAvailability)
TIMED(cuptiDeviceGetChipName)
TIMED(cuptiRangeProfilerEnable)
TIMED(cuptiRangeProfilerDisable)
TIMED(cuptiRangeProfilerSetConfig)
TIMED(cuptiRangeProfilerStart)
TIMED(cuptiRangeProfilerStop)
TIMED(cuptiRangeProfilerPushRange)
TIMED(cuptiRangeProfilerPopRange)
TIMED(cuptiRangeProfilerDecodeData)
TIMED(cuptiRangeProfilerGetCounterDataSize)
TIMED(cuptiRangeProfilerCounterDataImageInitialize)
TIMED(cuptiRangeProfilerGetCounterDataInfo)

extern "C" int cuptiGetResultString(int result, const char** text) {
  static const auto function =
      reinterpret_cast<int (*)(int, const char**)>(real("cuptiGetResultString"));
  return function(result, text);
}
