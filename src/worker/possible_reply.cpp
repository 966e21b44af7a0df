#include "worker/possible_reply.hpp"

#include <algorithm>
#include <set>

#include "model/error.hpp"
#include "model/one_line.hpp"
#include "model/possible_measurement.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_longest_name = 200;  // bytes; for versions too
constexpr std::size_t k_longest_reason = 2000;

void shorten(std::string& text, std::size_t most) { text = one_line(text, most); }

void make_presentable(HelloReply& reply) {
  shorten(reply.gtune, k_longest_name);
  shorten(reply.held_by, k_longest_name);
  for (std::string* text : {&reply.device.name, &reply.device.uuid, &reply.device.driver_version,
                            &reply.device.runtime_version}) {
    shorten(*text, k_longest_name);
  }
  if (reply.recorded_kernel) {
    shorten(reply.recorded_kernel->name, k_longest_name);
    shorten(reply.recorded_kernel->source_hash, k_longest_name);
    shorten(reply.recorded_kernel->spec_hash, k_longest_name);
  }
  if (!reply.recorded_toolchain) return;
  Toolchain& toolchain = *reply.recorded_toolchain;
  for (std::string* text : {&toolchain.driver, &toolchain.runtime, &toolchain.nvrtc,
                            &toolchain.cupti, &toolchain.gtune}) {
    shorten(*text, k_longest_name);
  }
}

void make_presentable(MeasureReply& reply) {
  shorten(reply.reason, k_longest_reason);
  for (StepTime& step : reply.step_times) shorten(step.name, k_longest_name);
  if (reply.resources) shorten(reply.resources->occupancy_limit, k_longest_name);
}

void make_presentable(ProfileReply& reply) {
  shorten(reply.reason, k_longest_reason);
  for (Metric& metric : reply.metrics) {
    shorten(metric.name, k_longest_name);
    shorten(metric.unit, k_longest_name);
    shorten(metric.reason, k_longest_reason);
  }
}

[[noreturn]] void refuse(const std::string& why) {
  throw UserError(ExitCode::failed, "the worker reports an impossible device: " + why);
}

std::optional<std::string> why_impossible(const Measure& request, const MeasureReply& reply) {
  if (!(reply.check_ms >= 0 && reply.check_ms <= k_longest_ms)) return "check_ms is no duration";
  if (reply.timing && reply.timing->samples_ms.empty()) return "a timing without samples";
  if (reply.timing && reply.timing->mode != request.mode) {
    return "it was timed in another mode than asked for";
  }
  if (reply.step_times.size() > request.steps.size()) return "times of more steps than there are";
  for (const StepTime& step : reply.step_times) {
    if (!(step.ms >= 0 && step.ms <= k_longest_ms)) return "a step's time is no duration";
  }
  Measurement said;
  // A mere check has no timing, which an ok measurement must have.
  said.status = reply.timing || request.time ? reply.status : Status::pruned;
  said.resources = reply.resources;
  said.timing = reply.timing;
  said.max_error = reply.max_error;
  said.compile_ms = reply.compile_ms;
  said.gpu_ms = reply.gpu_ms;
  return why_impossible(said);
}

}  // namespace

HelloReply possible_reply(const Hello&, HelloReply reply) {
  make_presentable(reply);
  require_same_program(reply.protocol, reply.gtune);
  if (const auto why = why_unusable(reply.device)) refuse(*why);
  return reply;
}

PrepareReply possible_reply(const Prepare&, PrepareReply reply) {
  if (const auto why = why_impossible(reply.limits)) refuse(*why);
  return reply;
}

OpenProblemReply possible_reply(const OpenProblem&, OpenProblemReply reply) { return reply; }

MeasureReply possible_reply(const Measure& request, MeasureReply reply) {
  make_presentable(reply);
  if (const auto why = why_impossible(request, reply)) {
    MeasureReply failed;
    failed.status = Status::crashed;
    failed.reason = impossible_answer(*why);
    failed.worker_lost = reply.worker_lost;
    failed.performed = reply.performed;
    return failed;
  }
  if (reply.status != Status::ok) {
    reply.timing.reset();
    reply.step_times.clear();
  }
  return reply;
}

ProfileReply possible_reply(const Profile& request, ProfileReply reply) {
  make_presentable(reply);
  std::set<std::string> open(request.metrics.begin(), request.metrics.end());
  std::erase_if(reply.metrics, [&](const Metric& metric) { return open.erase(metric.name) == 0; });
  for (Metric& metric : reply.metrics) {
    if (const auto why = why_impossible(metric)) {
      metric.value.reset();
      metric.reason = impossible_answer(*why);
    }
  }
  return reply;
}

MeasureEnergyReply possible_reply(const MeasureEnergy&, MeasureEnergyReply reply) {
  shorten(reply.reason, k_longest_reason);
  if (!reply.energy) return reply;
  if (const auto why = why_impossible(*reply.energy)) {
    reply.energy.reset();
    reply.reason = impossible_answer(*why);
  }
  return reply;
}

SampleLinesReply possible_reply(const SampleLines&, SampleLinesReply reply) {
  shorten(reply.reason, k_longest_reason);
  if (!reply.profile) return reply;
  if (const auto why = why_impossible(*reply.profile)) {
    reply.profile.reset();
    reply.reason = impossible_answer(*why);
  } else {
    reply.profile = presentable(std::move(*reply.profile));
  }
  return reply;
}

}  // namespace gtune
