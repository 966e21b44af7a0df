#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "profile/address_samples.hpp"
#include "profile/cupti_library.hpp"

namespace gtune {

/// CUPTI's PC sampling on one context: while kernels run, the hardware notes at regular intervals
/// which instruction a warp is at and why it waits. Kernels of modules that were loaded before the
/// sampler was opened are not sampled. A process may open only one: after the first was closed,
/// CUPTI refused to start another.
class PcSampler {
 public:
  /// Throws CountersUnavailable, CuptiError, or UserError if there is no CUPTI.
  explicit PcSampler(CUcontext context);
  ~PcSampler();
  PcSampler(const PcSampler&) = delete;
  PcSampler& operator=(const PcSampler&) = delete;

  /// Samples every 2^`period_log2` cycles (5 to 31) during `launch`, which must wait for its
  /// kernels. CUPTI takes long to change to another period than before. After an exception, the
  /// sampler is unusable, and so is its process: CUPTI cannot start again.
  [[nodiscard]] SampledAddresses sample(unsigned period_log2, const std::function<void()>& launch);
  [[nodiscard]] bool usable() const { return m_usable; }

 private:
  struct DataBuffer;  // that CUPTI writes records to

  void read_stall_reasons();
  void configure(unsigned period_log2);
  /// Appends what CUPTI holds; returns whether it holds more.
  bool read_some(DataBuffer& buffer, SampledAddresses& to) const;
  [[nodiscard]] std::string stall_name(std::uint32_t index) const;
  void disable();
  void check(CUptiResult result, const char* what) const;

  CuptiLibrary m_cupti;
  CUcontext m_context;
  std::map<std::uint32_t, std::string> m_stall_reasons;
  std::unique_ptr<DataBuffer> m_rest;  // receives what is unread when sampling is disabled
  unsigned m_period_log2 = 0;          // as configured
  bool m_usable = true;
};

}  // namespace gtune
