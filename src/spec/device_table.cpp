#include "spec/device_table.hpp"

#include "model/error.hpp"

namespace gtune {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
constexpr std::int64_t gib = 1024 * mib;

/// The values that differ between architectures. Shared memory per SM is from NVIDIA's table of
/// compute capabilities; a block can opt into all but 1 KiB of it.
struct Row {
  int cc;
  int sm_count;
  int max_threads_per_sm;
  int max_blocks_per_sm;
  std::int64_t shared_per_sm;
  std::int64_t l2_bytes;
  std::int64_t memory_bytes;
  int max_sm_clock_mhz;
};

DeviceFacts device_of(const Row& row) {
  DeviceFacts device;
  device.name = "sm_" + std::to_string(row.cc) + " (generic)";
  device.cc_major = row.cc / 10;
  device.cc_minor = row.cc % 10;
  device.sm_count = row.sm_count;
  device.max_threads_per_sm = row.max_threads_per_sm;
  device.max_blocks_per_sm = row.max_blocks_per_sm;
  device.shared_per_sm = row.shared_per_sm;
  device.shared_per_block_optin = row.shared_per_sm - kib;
  device.reserved_shared_per_block = kib;
  device.l2_bytes = row.l2_bytes;
  device.memory_bytes = row.memory_bytes;
  device.max_sm_clock_mhz = row.max_sm_clock_mhz;
  return device;
}

}  // namespace

const std::vector<DeviceFacts>& known_architectures() {
  static const std::vector<DeviceFacts> devices = {
      device_of({80, 108, 2048, 32, 164 * kib, 40 * mib, 40 * gib, 1410}),     // A100
      device_of({86, 82, 1536, 16, 100 * kib, 6 * mib, 24 * gib, 1695}),       // RTX 3090
      device_of({89, 128, 1536, 24, 100 * kib, 72 * mib, 24 * gib, 2520}),     // RTX 4090
      device_of({90, 132, 2048, 32, 228 * kib, 60 * mib, 141 * gib, 1980}),    // H200
      device_of({100, 148, 2048, 32, 228 * kib, 126 * mib, 180 * gib, 1965}),  // B200
      device_of({120, 170, 1536, 24, 100 * kib, 96 * mib, 32 * gib, 2407}),    // RTX 5090
  };
  return devices;
}

const DeviceFacts& typical_device(std::string_view arch) {
  std::string known;
  for (const DeviceFacts& device : known_architectures()) {
    const std::string name = "sm_" + std::to_string(device.cc());
    if (arch == name || arch == name + "a") return device;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw UserError(ExitCode::usage,
                  "--arch: '" + std::string(arch) +
                      "' is not an architecture that gtune knows; expected one of " + known);
}

}  // namespace gtune
