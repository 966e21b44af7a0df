#include "worker/messages.hpp"

#include "model/error.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"

namespace gtune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SamplingOptions, first_batch, min_samples, max_samples,
                                   max_seconds, target_half_width)
// The greeting is read leniently: of another protocol, it has to be understood that it is another.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hello, protocol, gtune, kernel, remote, silence_ms,
                                                own_allocation)
void to_json(nlohmann::json& json, const Ping&) { json = nlohmann::json::object(); }
void from_json(const nlohmann::json&, Ping&) {}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(HelloReply, protocol, gtune, held_by, device,
                                                recorded_kernel, recorded_toolchain,
                                                recorded_configs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prepare, measure_limits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PrepareReply, fma_tflops, dram_gbps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenProblem, problem, awkward, arguments, tolerance, seed,
                                   reference_name, reference_launch)
void to_json(nlohmann::json& json, const OpenProblemReply&) { json = nlohmann::json::object(); }
void from_json(const nlohmann::json&, OpenProblemReply&) {}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measure, problem, config, label, kernel_name, launch, arguments,
                                   check, time, flush_l2, sampling, best_ms, time_limit_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasureReply, status, reason, timing, max_error, gpu_ms,
                                   check_ms, worker_lost, performed, resources, compile_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, run, metrics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfileReply, metrics, reason, unavailable, worker_lost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ErrorReply, line, exit_code)

namespace {

template <typename Message>
struct Kind;
template <>
struct Kind<Hello> {
  static constexpr const char* word = "hello";
};
template <>
struct Kind<Ping> {
  static constexpr const char* word = "ping";
};
template <>
struct Kind<HelloReply> {
  static constexpr const char* word = "hello_reply";
};
template <>
struct Kind<Prepare> {
  static constexpr const char* word = "prepare";
};
template <>
struct Kind<PrepareReply> {
  static constexpr const char* word = "prepare_reply";
};
template <>
struct Kind<OpenProblem> {
  static constexpr const char* word = "open_problem";
};
template <>
struct Kind<OpenProblemReply> {
  static constexpr const char* word = "open_problem_reply";
};
template <>
struct Kind<Measure> {
  static constexpr const char* word = "measure";
};
template <>
struct Kind<MeasureReply> {
  static constexpr const char* word = "measure_reply";
};
template <>
struct Kind<Profile> {
  static constexpr const char* word = "profile";
};
template <>
struct Kind<ProfileReply> {
  static constexpr const char* word = "profile_reply";
};
template <>
struct Kind<ErrorReply> {
  static constexpr const char* word = "error";
};

/// The field that travels as the frame's blob, where a message has one.
template <typename Message>
Bytes* blob_of(Message& message) {
  if constexpr (requires { message.cubin; }) {
    return &message.cubin;
  } else if constexpr (requires { message.run.cubin; }) {
    return &message.run.cubin;
  } else if constexpr (requires { message.support_cubin; }) {
    return &message.support_cubin;
  } else if constexpr (requires { message.reference_cubin; }) {
    return &message.reference_cubin;
  } else {
    return nullptr;
  }
}

}  // namespace

template <typename Message>
Frame to_frame(const Message& message) {
  Frame frame;
  frame.header = message;
  frame.header["kind"] = Kind<Message>::word;
  if (const Bytes* blob = blob_of(const_cast<Message&>(message))) frame.blob = *blob;
  return frame;
}

template <typename Message>
Message from_frame(Frame frame) {
  try {
    if (kind_of(frame) != Kind<Message>::word) {
      throw FrameError(FrameError::Kind::garbage, "expected a message of kind " +
                                                      std::string(Kind<Message>::word) + ", got " +
                                                      kind_of(frame));
    }
    auto message = frame.header.get<Message>();
    if (Bytes* blob = blob_of(message)) *blob = std::move(frame.blob);
    return message;
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, json_fault(error));
  } catch (const std::invalid_argument& error) {
    throw FrameError(FrameError::Kind::garbage, error.what());
  }
}

std::string kind_of(const Frame& frame) {
  const auto found = frame.header.find("kind");
  if (found == frame.header.end() || !found->is_string()) return "unknown";
  return found->get<std::string>();
}

#define GTUNE_MESSAGE(Message)             \
  template Frame to_frame(const Message&); \
  template Message from_frame<Message>(Frame);

GTUNE_MESSAGE(Hello)
GTUNE_MESSAGE(Ping)
GTUNE_MESSAGE(HelloReply)
GTUNE_MESSAGE(Prepare)
GTUNE_MESSAGE(PrepareReply)
GTUNE_MESSAGE(OpenProblem)
GTUNE_MESSAGE(OpenProblemReply)
GTUNE_MESSAGE(Measure)
GTUNE_MESSAGE(MeasureReply)
GTUNE_MESSAGE(Profile)
GTUNE_MESSAGE(ProfileReply)
GTUNE_MESSAGE(ErrorReply)

#undef GTUNE_MESSAGE

namespace {

constexpr std::size_t most_name = 200;  // bytes of a device's name, a version, a metric's name
constexpr std::size_t most_reason = 2000;

void shorten(std::string& text, std::size_t most) { text = one_line(text, most); }

}  // namespace

void make_presentable(HelloReply& reply) {
  shorten(reply.gtune, most_name);
  shorten(reply.held_by, most_name);
  for (std::string* text : {&reply.device.name, &reply.device.uuid, &reply.device.driver_version,
                            &reply.device.runtime_version}) {
    shorten(*text, most_name);
  }
  if (reply.recorded_kernel) {
    shorten(reply.recorded_kernel->name, most_name);
    shorten(reply.recorded_kernel->source_hash, most_name);
    shorten(reply.recorded_kernel->spec_hash, most_name);
  }
  if (!reply.recorded_toolchain) return;
  Toolchain& toolchain = *reply.recorded_toolchain;
  for (std::string* text : {&toolchain.driver, &toolchain.runtime, &toolchain.nvrtc,
                            &toolchain.cupti, &toolchain.gtune}) {
    shorten(*text, most_name);
  }
}

void make_presentable(PrepareReply&) {}
void make_presentable(OpenProblemReply&) {}

void make_presentable(MeasureReply& reply) {
  shorten(reply.reason, most_reason);
  if (reply.resources) shorten(reply.resources->occupancy_limit, most_name);
}

void make_presentable(ProfileReply& reply) {
  shorten(reply.reason, most_reason);
  for (Metric& metric : reply.metrics) {
    shorten(metric.name, most_name);
    shorten(metric.unit, most_name);
    shorten(metric.reason, most_reason);
  }
}

void require_same_program(int protocol, const std::string& gtune) {
  if (protocol == protocol_version && gtune == version) return;
  throw UserError(ExitCode::failed,
                  "the other end of the pipe is gtune " + one_line(gtune, most_name) +
                      " with protocol " + std::to_string(protocol) + ", this one is gtune " +
                      std::string(version) + " with protocol " + std::to_string(protocol_version) +
                      ": install the same version on both");
}

}  // namespace gtune
