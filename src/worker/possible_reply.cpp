#include "worker/possible_reply.hpp"

#include <algorithm>
#include <set>

#include "model/error.hpp"
#include "model/one_line.hpp"
#include "model/possible_measurement.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_longest_reason = 2000;

std::string short_line(std::string text) {
  if (text.size() > k_longest_reason) text = text.substr(0, k_longest_reason) + "...";
  return one_line(std::move(text));
}

[[noreturn]] void refuse(const std::string& why) {
  throw UserError(ExitCode::failed, "the worker tells of a device that cannot be: " + why);
}

std::optional<std::string> why_impossible(const Measure& request, const MeasureReply& reply) {
  if (!(reply.check_ms >= 0 && reply.check_ms <= k_longest_ms)) return "check_ms is no duration";
  if (reply.timing && reply.timing->samples_ms.empty()) return "a timing without samples";
  if (reply.timing && reply.timing->l2_flushed != request.flush_l2) {
    return "it was timed with the L2 cache in another state than asked for";
  }
  Measurement said;
  // What was only checked has no timing to be judged by.
  said.status = reply.timing || request.time ? reply.status : Status::pruned;
  said.resources = reply.resources;
  said.timing = reply.timing;
  said.max_error = reply.max_error;
  said.compile_ms = reply.compile_ms;
  said.gpu_ms = reply.gpu_ms;
  return why_impossible(said);
}

}  // namespace

void require_possible(const HelloReply& reply) {
  if (const auto why = why_unusable(reply.device)) refuse(*why);
}

void require_possible(const PrepareReply& reply) {
  if (const auto why = why_impossible_limits(reply.fma_tflops, reply.dram_gbps)) refuse(*why);
}

MeasureReply possible_reply(const Measure& request, MeasureReply reply) {
  if (const auto why = why_impossible(request, reply)) {
    MeasureReply failed;
    failed.status = Status::crashed;
    failed.reason = impossible_answer(*why);
    failed.worker_lost = reply.worker_lost;
    failed.performed = reply.performed;
    return failed;
  }
  if (reply.status != Status::ok) reply.timing.reset();
  reply.reason = short_line(std::move(reply.reason));
  return reply;
}

ProfileReply possible_reply(const Profile& request, ProfileReply reply) {
  std::set<std::string> open(request.metrics.begin(), request.metrics.end());
  std::erase_if(reply.metrics, [&](const Metric& metric) { return open.erase(metric.name) == 0; });
  for (Metric& metric : reply.metrics) {
    if (const auto why = why_impossible(metric)) {
      metric.value.reset();
      metric.reason = impossible_answer(*why);
    }
    metric.unit = short_line(std::move(metric.unit));
    metric.reason = short_line(std::move(metric.reason));
  }
  reply.reason = short_line(std::move(reply.reason));
  return reply;
}

}  // namespace gtune
