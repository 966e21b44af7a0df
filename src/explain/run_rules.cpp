#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.hpp"
#include "model/step_metrics.hpp"
#include "report/quantity.hpp"

// Rules for what a run does besides its kernels: copies between host and device, and launches.
namespace gtune {
namespace {

/// If the steps together take this much of the run's time, hardly any of them run at the same time.
constexpr double k_in_turn = 0.9;
/// Starting a kernel and noticing its end takes a few microseconds; below this share of the time,
/// the difference between the profiler's time and the run's is noise.
constexpr double k_launch_share = 0.15;
/// An empty step takes 2 to 4 us.
constexpr double k_short_step_ms = 0.005;
constexpr double k_ns_per_ms = 1e6;

/// The steps that do one kind of work, by themselves.
struct Part {
  StepWork work = StepWork::kernel;
  double ms = 0;
  double bytes = 0;
  bool pageable = false;
};

std::string_view to_string(StepWork work) {
  switch (work) {
    case StepWork::to_device:
      return "copies to the device";
    case StepWork::to_host:
      return "copies to the host";
    case StepWork::to_peer:
      return "copies to the other GPU";
    case StepWork::from_peer:
      return "copies from the other GPU";
    case StepWork::within_memory:
      return "copies and fills in one memory";
    case StepWork::kernel:
      break;
  }
  return "kernels";
}

/// The time of a step by itself: stored, or that of the run if there is no other step.
std::optional<double> time_of(const Subject& subject, const RunStep& step) {
  if (subject.facts.steps.size() == 1) return subject.measured.timing->median_ms;
  for (const StepTime& time : step_times(subject.metrics)) {
    if (time.name == step.name) return time.ms;
  }
  return std::nullopt;
}

/// Empty if the time of a step is unknown.
std::vector<Part> parts_of(const Subject& subject) {
  std::vector<Part> parts;
  for (const RunStep& step : subject.facts.steps) {
    const auto ms = time_of(subject, step);
    if (!ms) return {};
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const Part& each) { return each.work == step.work; });
    if (part == parts.end()) {
      parts.push_back({step.work});
      part = parts.end() - 1;
    }
    part->ms += *ms;
    part->bytes += step.bytes;
    part->pageable = part->pageable || step.pageable;
  }
  return parts;
}

const Part& longest_of(const std::vector<Part>& parts) {
  return *std::max_element(parts.begin(), parts.end(),
                           [](const Part& a, const Part& b) { return a.ms < b.ms; });
}

void add_parts(Finding& finding, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    finding.evidence.push_back({fmt::format("time of {}", to_string(part.work)), part.ms, "ms"});
  }
}

std::string alone_text(const Part& part, double run_ms) {
  return fmt::format("{} alone take {} of {}", to_string(part.work),
                     quantity_text(part.ms, "ms", 4), quantity_text(run_ms, "ms", 4));
}

/// At best, the other parts take place during the longest.
void cost_above_longest(Finding& finding, const Part& longest, double run_ms) {
  finding.cost = std::max(0.0, 1 - longest.ms / run_ms);
  finding.bound = alone_text(longest, run_ms);
}

double sum_of(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.ms;
  return sum;
}

bool has_work(const std::vector<Part>& parts, StepWork work) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Part& each) { return each.work == work; });
}

bool has_transfers(const std::vector<Part>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const Part& each) { return is_transfer(each.work); });
}

/// The parts that can take place at the same time: copies in different directions, and kernels.
std::vector<Part> parts_side_by_side(const std::vector<Part>& parts) {
  std::vector<Part> found;
  for (const Part& part : parts) {
    if (part.work != StepWork::within_memory) found.push_back(part);
  }
  return found;
}

struct SerialWords {
  const char* what;
  const char* advice;
};

SerialWords words_for(const std::vector<Part>& parts) {
  const bool has_host = has_work(parts, StepWork::to_device) || has_work(parts, StepWork::to_host);
  if (has_work(parts, StepWork::kernel)) {
    return {"copies and kernels",
            has_host
                ? "the data in chunks, and a stream each for copies to the device, kernels and "
                  "copies to the host, from pinned memory"
                : "the data in chunks, and a stream each for copies and kernels"};
  }
  if (has_host) return {"copies", "a stream for each direction, and pinned memory"};
  return {"copies in both directions",
          "kernels that copy: copy engines may take turns even on two streams"};
}

}  // namespace

std::optional<Finding> transfer_bound(const Subject& subject) {
  const double run_ms = subject.measured.timing->median_ms;
  const std::vector<Part> parts = parts_of(subject);
  if (parts.empty()) return std::nullopt;
  const Part& longest = longest_of(parts);
  if (!is_transfer(longest.work) || longest.ms < k_high_use * run_ms) return std::nullopt;
  Finding finding;
  finding.rule = "transfer_bound";
  finding.summary = fmt::format("bound by {}, at {}", to_string(longest.work),
                                quantity_text(longest.bytes / longest.ms / 1e6, "GB/s"));
  add_parts(finding, parts);
  finding.evidence.push_back(
      {fmt::format("bytes of {}", to_string(longest.work)), longest.bytes, "byte"});
  if (longest.pageable) {
    finding.bound = "not known: page-locked memory may be several times as fast";
    finding.advice =
        "page-locked (pinned) host memory: the driver copies pageable memory through a buffer of "
        "its own";
    return finding;
  }
  cost_above_longest(finding, longest, run_ms);
  finding.advice =
      "fewer bytes: smaller types, data that stay on the device, results that are summed up there";
  return finding;
}

std::optional<Finding> kernels_bound(const Subject& subject) {
  const double run_ms = subject.measured.timing->median_ms;
  const std::vector<Part> parts = parts_of(subject);
  if (!has_transfers(parts)) return std::nullopt;
  const Part& longest = longest_of(parts);
  if (longest.work != StepWork::kernel || longest.ms < k_high_use * run_ms) return std::nullopt;
  Finding finding;
  finding.rule = "kernels_bound";
  finding.summary = fmt::format("bound by kernels, which take {:.0f} % of the time by themselves",
                                100 * std::min(1.0, longest.ms / run_ms));
  add_parts(finding, parts);
  cost_above_longest(finding, longest, run_ms);
  finding.advice =
      "faster kernels: in a spec of its own, a kernel's counters are taken and explained";
  return finding;
}

std::optional<Finding> serial_steps(const Subject& subject) {
  const std::vector<Part> all = parts_of(subject);
  const std::vector<Part> parts = parts_side_by_side(all);
  if (parts.size() < 2 || !has_transfers(parts)) return std::nullopt;
  const double run_ms = subject.measured.timing->median_ms;
  // Copies and fills in one memory come before or after.
  const double side_by_side_ms = run_ms - (sum_of(all) - sum_of(parts));
  if (side_by_side_ms < k_in_turn * sum_of(parts)) return std::nullopt;
  const Part& longest = longest_of(parts);
  Finding finding;
  finding.rule = "serial_steps";
  finding.cost = (side_by_side_ms - longest.ms) / run_ms;
  if (*finding.cost < k_least_cost) return std::nullopt;
  finding.bound = alone_text(longest, run_ms);
  const SerialWords words = words_for(parts);
  finding.summary =
      fmt::format("{} take turns, although they could run at the same time", words.what);
  add_parts(finding, parts);
  finding.advice = words.advice;
  return finding;
}

std::optional<Finding> launch_bound(const Subject& subject) {
  const double run_ms = subject.measured.timing->median_ms;
  int repeats = 0;
  for (const RunStep& step : subject.facts.steps) repeats += step.repeats;
  Finding finding;
  finding.rule = "launch_bound";
  finding.advice =
      "more work in each launch: kernels fused, several problems in one, or a CUDA graph";
  if (repeats == 1) {
    const auto duration = subject.metric("duration");
    if (!duration) return std::nullopt;
    finding.cost = 1 - *duration / k_ns_per_ms / run_ms;
    if (*finding.cost < k_launch_share) return std::nullopt;
    finding.summary =
        fmt::format("bound by its launch: {:.0f} % of the time passes before and after the kernel",
                    100 * *finding.cost);
    finding.evidence = {{"time", run_ms, "ms"}, subject.evidence("duration")};
    finding.bound = "the kernel itself would take as long without it";
    return finding;
  }
  if (repeats == 0 || run_ms / repeats > k_short_step_ms) return std::nullopt;
  finding.summary = fmt::format("bound by launches: {} steps of {} on average", repeats,
                                quantity_text(run_ms / repeats, "ms", 3));
  finding.evidence = {{"time", run_ms, "ms"}, {"steps", static_cast<double>(repeats), ""}};
  finding.bound = "not known: an empty step alone takes 2 to 4 us";
  return finding;
}

}  // namespace gtune
