#include "model/possible_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "model/one_line.hpp"
#include "model/statistics.hpp"
#include "model/words.hpp"

namespace gtune {
namespace {

using Reason = std::optional<std::string>;
using std::string_literals::operator""s;

constexpr std::string_view k_impossible = "the worker's answer cannot be: ";
constexpr double k_rounding = 1e-9;  // relative; summing in another order
constexpr double k_largest_metric = 1e30;
constexpr double k_most_mhz = 1e6;
constexpr double k_least_limit = 1e-6;  // TFLOP/s, GB/s
constexpr double k_most_limit = 1e9;
constexpr double k_most_power_w = 1e5;
constexpr double k_most_energy_mj = k_most_power_w * k_longest_ms;
constexpr std::int64_t k_most_sms = 1 << 16;
constexpr std::int64_t k_most_count = std::int64_t{1} << 30;  // threads, registers, megahertz
// Per thread; a warp's registers then fit an int.
constexpr std::int64_t k_most_registers = std::int64_t{1} << 16;
constexpr std::int64_t k_most_bytes = std::int64_t{1} << 50;
constexpr std::size_t k_longest_name = 256;

bool is_a_time(double ms) { return ms >= k_shortest_ms && ms <= k_longest_ms; }

Reason why_no_time(const char* name, double ms) {
  if (is_a_time(ms)) return std::nullopt;
  return name + " is no time above 0 and below a day: "s + shortest_text(ms);
}

Reason why_no_duration(const char* name, double ms) {
  if (std::isnan(ms) || (ms >= 0 && ms <= k_longest_ms)) return std::nullopt;
  return name + " "s + shortest_text(ms) + " is no duration";
}

Reason why_it_does_not_follow(const char* name, double said, double follows) {
  if (std::abs(said - follows) <= k_rounding * follows) return std::nullopt;
  return name + " "s + shortest_text(said) + " does not follow from the samples, which give " +
         shortest_text(follows);
}

/// The first reason that is given.
Reason first_of(std::initializer_list<Reason> reasons) {
  for (const Reason& reason : reasons) {
    if (reason) return reason;
  }
  return std::nullopt;
}

Reason why_count_is_wrong(const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 0 && value <= most) return std::nullopt;
  return name + " "s + std::to_string(value) + " is out of range";
}

Reason why_name_is_wrong(const char* what, const std::string& name) {
  if (name.size() > k_longest_name) {
    return what + " has "s + std::to_string(name.size()) + " bytes";
  }
  if (one_line(name) != name) return what + " has control characters"s;
  return std::nullopt;
}

}  // namespace

Reason why_impossible(const Timing& timing) {
  const std::vector<double>& samples = timing.samples_ms;
  if (samples.size() > k_most_samples) {
    return "there are " + std::to_string(samples.size()) + " samples";
  }
  if (auto why = why_no_time("median_ms", timing.median_ms)) return why;
  for (const double sample : samples) {
    if (auto why = why_no_time("a sample", sample)) return why;
  }
  const Timing follows = summarise(samples.empty() ? std::vector{timing.median_ms} : samples);
  if (auto why =
          first_of({why_it_does_not_follow("median_ms", timing.median_ms, follows.median_ms),
                    why_it_does_not_follow("min_ms", timing.min_ms, follows.min_ms),
                    why_it_does_not_follow("p95_ms", timing.p95_ms, follows.p95_ms),
                    why_it_does_not_follow("mean_ms", timing.mean_ms, follows.mean_ms),
                    why_it_does_not_follow("ci_low_ms", timing.ci_low_ms, follows.ci_low_ms),
                    why_it_does_not_follow("ci_high_ms", timing.ci_high_ms, follows.ci_high_ms)})) {
    return why;
  }
  const double clock = timing.sm_clock_mhz.value_or(0);
  if (!(clock >= 0 && clock <= k_most_mhz))
    return "sm_clock_mhz " + shortest_text(clock) + " is no clock";
  return why_count_is_wrong("throttled_samples", timing.throttled_samples, k_most_count);
}

Reason why_impossible(const ResourceUsage& usage) {
  if (!(usage.theoretical_occupancy >= 0 && usage.theoretical_occupancy <= 1)) {
    return "theoretical_occupancy " + shortest_text(usage.theoretical_occupancy) + " is no share";
  }
  return first_of(
      {why_count_is_wrong("registers", usage.registers, k_most_registers),
       why_count_is_wrong("stack_bytes", usage.stack_bytes, k_most_bytes),
       why_count_is_wrong("spill_store_bytes", usage.spill_store_bytes, k_most_bytes),
       why_count_is_wrong("spill_load_bytes", usage.spill_load_bytes, k_most_bytes),
       why_count_is_wrong("static_shared_bytes", usage.static_shared_bytes, k_most_bytes),
       why_count_is_wrong("dynamic_shared_bytes", usage.dynamic_shared_bytes, k_most_bytes),
       why_count_is_wrong("cubin_bytes", usage.cubin_bytes, k_most_bytes),
       why_count_is_wrong("blocks_per_sm", usage.blocks_per_sm, k_most_count)});
}

Reason why_impossible(const Measurement& measurement) {
  if (auto why = first_of({why_no_duration("gpu_ms", measurement.gpu_ms),
                           why_no_duration("compile_ms", measurement.compile_ms)})) {
    return why;
  }
  if (measurement.resources) {
    if (auto why = why_impossible(*measurement.resources)) return why;
  }
  const double error = measurement.max_error.value_or(0);
  if (error < 0) return "max_error " + shortest_text(error) + " is below 0";
  if (measurement.status != Status::ok) return std::nullopt;
  if (!(error <= 1)) return "it is ok with a max_error of " + shortest_text(error);
  if (!measurement.timing) return "it is ok without a timing";
  return why_impossible(*measurement.timing);
}

Reason why_impossible(const Metric& metric) {
  const double size = std::abs(metric.value.value_or(0));
  if (size == 0 || (size >= 1 / k_largest_metric && size <= k_largest_metric)) return std::nullopt;
  return shortest_text(*metric.value) + " cannot have been counted";
}

Reason why_impossible(const EnergyUse& use) {
  if (!(use.energy_mj > 0 && use.energy_mj <= k_most_energy_mj)) {
    return "energy_mj " + shortest_text(use.energy_mj) + " is no energy of a launch";
  }
  if (!(use.power_w > 0 && use.power_w <= k_most_power_w)) {
    return "power_w " + shortest_text(use.power_w) + " is no power of a device";
  }
  if (!(use.seconds >= 0 && use.seconds * 1000 <= k_longest_ms)) {
    return "seconds " + shortest_text(use.seconds) + " is no duration";
  }
  return first_of({why_count_is_wrong("launches", use.launches, k_most_bytes),
                   why_count_is_wrong("updates", use.updates, k_most_count)});
}

namespace {

constexpr std::uint64_t k_most_samples_of_profile = std::uint64_t{1} << 50;
constexpr int k_last_line = 100'000'000;

/// One by one: a sum of large counts would wrap around.
bool has_more_samples(const SampleCounts& counts, std::uint64_t most) {
  for (const auto& [name, samples] : counts) {
    if (samples > most) return true;
    most -= samples;
  }
  return false;
}

Reason why_impossible(const LineSamples& line, std::uint64_t rest) {
  if (line.line < 0 || line.line > k_last_line) return "line " + std::to_string(line.line);
  if (has_more_samples(line.stalls, rest)) return "lines have more samples than the kernel";
  const std::uint64_t samples = line.samples();
  if (has_more_samples(line.opcodes, samples)) return "opcodes have more samples than their line";
  if (line.hottest.size() > k_most_hottest) return "too many instructions of a line";
  for (const InstructionSamples& each : line.hottest) {
    if (each.samples > samples) return "an instruction has more samples than its line";
  }
  return std::nullopt;
}

}  // namespace

Reason why_impossible(const LineProfile& profile) {
  if (profile.period_cycles < 1) return "period_cycles is no period";
  if (profile.launches < 1) return "a profile without launches";
  if (profile.samples > k_most_samples_of_profile || profile.dropped > k_most_samples_of_profile) {
    return "more samples than can be taken";
  }
  if (profile.lines.size() > k_most_lines) return "too many source lines";
  std::uint64_t rest = profile.samples;
  for (const LineSamples& line : profile.lines) {
    if (auto why = why_impossible(line, rest)) return why;
    rest -= line.samples();
  }
  return std::nullopt;
}

Reason why_impossible(const DeviceFacts& device) {
  return first_of(
      {why_name_is_wrong("its name", device.name),
       why_name_is_wrong("its UUID", device.uuid),
       why_name_is_wrong("its driver's version", device.driver_version),
       why_name_is_wrong("its runtime's version", device.runtime_version),
       why_count_is_wrong("cc_major", device.cc_major, 1000),
       why_count_is_wrong("cc_minor", device.cc_minor, 9),
       why_count_is_wrong("sm_count", device.sm_count, k_most_sms),
       why_count_is_wrong("warp_size", device.warp_size, 1 << 10),
       why_count_is_wrong("max_threads_per_block", device.max_threads_per_block, 1 << 20),
       why_count_is_wrong("max_threads_per_sm", device.max_threads_per_sm, 1 << 20),
       why_count_is_wrong("max_blocks_per_sm", device.max_blocks_per_sm, 1 << 20),
       why_count_is_wrong("registers_per_block", device.registers_per_block, k_most_count),
       why_count_is_wrong("registers_per_sm", device.registers_per_sm, k_most_count),
       why_count_is_wrong("shared_per_block", device.shared_per_block, k_most_bytes),
       why_count_is_wrong("shared_per_block_optin", device.shared_per_block_optin, k_most_bytes),
       why_count_is_wrong("shared_per_sm", device.shared_per_sm, k_most_bytes),
       why_count_is_wrong("reserved_shared_per_block", device.reserved_shared_per_block,
                          k_most_bytes),
       why_count_is_wrong("l2_bytes", device.l2_bytes, k_most_bytes),
       why_count_is_wrong("memory_bytes", device.memory_bytes, k_most_bytes),
       why_count_is_wrong("max_sm_clock_mhz", device.max_sm_clock_mhz, k_most_count),
       why_count_is_wrong("max_memory_clock_mhz", device.max_memory_clock_mhz, k_most_count),
       why_count_is_wrong("memory_bus_bits", device.memory_bus_bits, k_most_count),
       why_impossible(device.limits)});
}

Reason why_unusable(const DeviceFacts& device) {
  if (auto why = why_impossible(device)) return why;
  // The UUID becomes part of a lock's name.
  if (!device.replayed && device.uuid.find('/') != std::string::npos) return "its UUID has a '/'";
  const std::pair<const char*, int> needed[] = {
      {"cc_major", device.cc_major},
      {"sm_count", device.sm_count},
      {"warp_size", device.warp_size},
      {"max_threads_per_block", device.max_threads_per_block},
      {"max_threads_per_sm", device.max_threads_per_sm},
      {"max_blocks_per_sm", device.max_blocks_per_sm},
      {"registers_per_sm", device.registers_per_sm}};
  for (const auto& [name, value] : needed) {
    if (value == 0) return name + " is 0"s;
  }
  return std::nullopt;
}

Reason why_impossible(const DeviceLimits& limits) {
  for (const auto& [name, value] : k_device_limits) {
    const std::optional<double>& limit = limits.*value;
    if (limit && !(*limit >= k_least_limit && *limit <= k_most_limit)) {
      return name + " "s + shortest_text(*limit) + " is no limit of a device";
    }
  }
  return std::nullopt;
}

std::string impossible_answer(const std::string& why) { return std::string(k_impossible) + why; }

bool is_impossible_answer(const Measurement& measurement) {
  return measurement.status == Status::crashed && measurement.reason.starts_with(k_impossible);
}

}  // namespace gtune
