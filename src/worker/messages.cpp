#include "worker/messages.hpp"

#include <span>

#include "model/error.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"

namespace gtune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SamplingOptions, first_batch, min_samples, max_samples,
                                   max_seconds, target_half_width)
// The greeting is read leniently, so that one of another protocol can be reported as such.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hello, protocol, gtune, kernel, remote, silence_ms,
                                                own_allocation)
void to_json(nlohmann::json& json, const Ping&) { json = nlohmann::json::object(); }
void from_json(const nlohmann::json&, Ping&) {}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(HelloReply, protocol, gtune, held_by, device,
                                                measures_energy, recorded_kernel,
                                                recorded_toolchain, recorded_configs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prepare, measure_limits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PrepareReply, limits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReferenceCall, steps, arguments, on_host)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DataPart, buffer, is_result, is_compare, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenProblem, problem, awkward, streams, arguments, checks, seed,
                                   reference, cubin_bytes, compares, parts)
void to_json(nlohmann::json& json, const OpenProblemReply&) { json = nlohmann::json::object(); }
void from_json(const nlohmann::json&, OpenProblemReply&) {}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measure, problem, config, label, steps, arguments, check, time,
                                   time_steps, mode, sampling, best_ms, time_limit_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasureReply, status, reason, timing, step_times, max_error,
                                   gpu_ms, check_ms, worker_lost, performed, resources, compile_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, run, metrics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfileReply, metrics, reason, unavailable, worker_lost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasureEnergy, run)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasureEnergyReply, energy, reason, unavailable, worker_lost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleLines, run)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleLinesReply, profile, reason, unavailable, worker_lost)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ErrorReply, line, exit_code)

void OpenProblem::set_reference(ReferenceCall call, Bytes cubin) {
  reference = std::move(call);
  cubin_bytes = cubin.size();
  data = std::move(cubin);
}

void OpenProblem::add(BufferContents contents) {
  parts.push_back({contents.name, contents.is_result, false, contents.bytes.size()});
  data.insert(data.end(), contents.bytes.begin(), contents.bytes.end());
}

void OpenProblem::add(ComparePlan compare, const Bytes& cubin) {
  parts.push_back({compare.output, false, true, cubin.size()});
  data.insert(data.end(), cubin.begin(), cubin.end());
  compares.push_back(std::move(compare));
}

namespace {

/// Takes `count` bytes off the front.
Bytes take(std::span<const std::byte>& rest, std::uint64_t count) {
  if (count > rest.size()) {
    throw UserError(ExitCode::failed, "a problem's data are shorter than announced");
  }
  const auto part = rest.first(static_cast<std::size_t>(count));
  rest = rest.subspan(part.size());
  return {part.begin(), part.end()};
}

}  // namespace

Bytes OpenProblem::reference_cubin() const {
  std::span<const std::byte> rest = data;
  return take(rest, cubin_bytes);
}

std::vector<BufferContents> OpenProblem::contents() const {
  std::span<const std::byte> rest = data;
  (void)take(rest, cubin_bytes);
  std::vector<BufferContents> all;
  for (const DataPart& part : parts) {
    Bytes bytes = take(rest, part.bytes);
    if (!part.is_compare) all.push_back({part.buffer, part.is_result, std::move(bytes)});
  }
  return all;
}

Bytes OpenProblem::compare_cubin(const std::string& output) const {
  std::span<const std::byte> rest = data;
  (void)take(rest, cubin_bytes);
  for (const DataPart& part : parts) {
    Bytes bytes = take(rest, part.bytes);
    if (part.is_compare && part.buffer == output) return bytes;
  }
  throw UserError(ExitCode::failed, "a problem's data have no compare entry for '" + output + "'");
}

Frame to_frame(Message message) {
  return std::visit(
      [](auto& one) {
        Frame frame;
        frame.header = one;
        frame.header["kind"] = one.kind;
        if constexpr (requires { one.blob(one); }) frame.blob = std::move(one.blob(one));
        return frame;
      },
      message);
}

namespace {

template <typename Kind>
Kind read_as(Frame& frame) {
  auto message = frame.header.get<Kind>();
  if constexpr (requires { message.blob(message); }) {
    message.blob(message) = std::move(frame.blob);
  }
  return message;
}

/// Reads the frame if it is of one of `Kinds`; returns whether it is.
template <typename... Kinds>
bool read_one_of(Frame& frame, std::variant<Kinds...>& message) {
  const std::string kind = kind_of(frame);
  return ((kind == Kinds::kind && (message = read_as<Kinds>(frame), true)) || ...);
}

template <typename Variant>
Variant read(Frame frame) {
  try {
    Variant message;
    if (read_one_of(frame, message)) return message;
    throw FrameError(FrameError::Kind::garbage, "unknown message '" + kind_of(frame) + "'");
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, json_fault(error));
  } catch (const std::invalid_argument& error) {
    throw FrameError(FrameError::Kind::garbage, error.what());
  }
}

}  // namespace

Message message_from(Frame frame) { return read<Message>(std::move(frame)); }

Request request_from(Frame frame) { return read<Request>(std::move(frame)); }

Message message_from(Frame frame, std::string_view kind) {
  if (const std::string got = kind_of(frame); got != kind) {
    throw FrameError(FrameError::Kind::garbage,
                     "expected a message of kind " + std::string(kind) + ", got " + got);
  }
  return message_from(std::move(frame));
}

std::string kind_of(const Frame& frame) {
  const auto found = frame.header.find("kind");
  if (found == frame.header.end() || !found->is_string()) return "unknown";
  return found->get<std::string>();
}

namespace {

constexpr std::size_t k_longest_version = 200;

}  // namespace

void require_same_program(int protocol, const std::string& gtune) {
  if (protocol == protocol_version && gtune == version) return;
  throw UserError(ExitCode::failed,
                  "the other end of the pipe is gtune " + one_line(gtune, k_longest_version) +
                      " with protocol " + std::to_string(protocol) + ", this one is gtune " +
                      std::string(version) + " with protocol " + std::to_string(protocol_version) +
                      ": install the same version on both");
}

}  // namespace gtune
