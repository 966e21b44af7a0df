#pragma once

#include <strings.h>

#include <cstdint>
#include <string>

#include "model/device_limits.hpp"

namespace gtune {

/// A device's properties from the runtime API, and the limits measured on it. Sizes in bytes.
struct DeviceFacts {
  std::string name;
  std::string uuid;  // "GPU-xxxxxxxx-...", as nvidia-smi prints it
  int cc_major = 0;
  int cc_minor = 0;
  int sm_count = 0;
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 2048;
  int max_blocks_per_sm = 32;
  int registers_per_block = 65536;
  int registers_per_sm = 65536;
  std::int64_t shared_per_block = 49152;        // without opt-in
  std::int64_t shared_per_block_optin = 49152;  // limit of dynamic + static with opt-in
  std::int64_t shared_per_sm = 65536;
  std::int64_t reserved_shared_per_block = 1024;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int max_sm_clock_mhz = 0;
  int max_memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  std::string driver_version;   // "580.159" from NVML, else "CUDA " + the version it supports
  std::string runtime_version;  // "13.0"

  DeviceLimits limits;  // measured once per device

  /// True if the measurements come from a recording instead of a GPU.
  bool replayed = false;

  /// 90 for compute capability 9.0.
  [[nodiscard]] int cc() const { return cc_major * 10 + cc_minor; }
  /// Whether its tensor cores compute in TF32.
  [[nodiscard]] bool has_tf32() const { return cc_major >= 8; }
  /// Whether every limit that the device can have was measured.
  [[nodiscard]] bool has_all_limits() const {
    return limits.fma_tflops && limits.dram_gbps && limits.l1_gbps &&
           (limits.l2_gbps || l2_bytes == 0) && (limits.tensor_tflops || !has_tf32());
  }
  /// The compilers' target: "sm_86"; from 9.0 on with architecture-specific features, "sm_90a".
  [[nodiscard]] std::string arch() const {
    return "sm_" + std::to_string(cc()) + (cc_major >= 9 ? "a" : "");
  }
};

/// Compares the names, ignoring case.
[[nodiscard]] inline bool same_device_name(const std::string& a, const std::string& b) {
  return strcasecmp(a.c_str(), b.c_str()) == 0;
}

}  // namespace gtune
