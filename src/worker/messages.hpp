#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gtune_version.hpp"
#include "measure/stopping_rule.hpp"
#include "model/device_facts.hpp"
#include "model/energy_use.hpp"
#include "model/kernel_identity.hpp"
#include "model/line_profile.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"
#include "model/plan.hpp"
#include "system/frame.hpp"

// The messages between tuner and worker. Every request gets one reply, its `Reply` or an
// ErrorReply. A message's `kind` names it in a frame, whose header carries the fields; `blob`, if
// there is one, is the field that travels as the frame's blob. A request's `subject` describes it
// in a trace. docs/how_to.md explains how to add a message.
namespace gtune {

inline constexpr int protocol_version = 13;  // 13: limits of caches and tensor cores
/// How long a worker waits for its greeting; also the default of WorkerLimits::silence.
inline constexpr std::chrono::milliseconds default_silence = std::chrono::seconds(30);
using Bytes = std::vector<std::byte>;

/// Tells a remote worker that its tuner is still there. Sent now and then; has no reply.
struct Ping {
  static constexpr std::string_view kind = "ping";
};
/// The reply to a request that could not be served at all; the worker stays usable.
struct ErrorReply {
  static constexpr std::string_view kind = "error";

  std::string line;
  int exit_code = 1;
};

struct HelloReply {
  static constexpr std::string_view kind = "hello_reply";

  int protocol = protocol_version;
  std::string gtune{version};
  std::string held_by;  // the process that is using a remote GPU: ask again later; empty if free
  DeviceFacts device;
  bool measures_energy = false;  // it has a counter of energy, or the recording has energies
  // Recordings only: the recorded kernel, toolchain and configurations.
  std::optional<KernelIdentity> recorded_kernel;
  std::optional<Toolchain> recorded_toolchain;
  std::vector<Config> recorded_configs;  // others are not part of the space
};
/// The first message. Introduces the tuner and asks for the device.
struct Hello {
  static constexpr std::string_view kind = "hello";
  using Reply = HelloReply;

  int protocol = protocol_version;
  std::string gtune{version};
  KernelIdentity kernel;  // to be measured; without a name if not known yet
  bool remote = false;    // only the worker can hold the GPU, and its files may differ
  int silence_ms = 0;     // the tuner is gone if silent for longer; 0: it never pings
  /// The launcher made a Slurm allocation for this worker alone; the worker cancels it if the tuner
  /// is gone.
  bool own_allocation = false;

  [[nodiscard]] static std::string subject() { return ""; }
};

struct PrepareReply {
  static constexpr std::string_view kind = "prepare_reply";

  DeviceLimits limits;
};
/// Gives the worker its own kernels; `measure_limits` also asks for the device's limits.
struct Prepare {
  static constexpr std::string_view kind = "prepare";
  using Reply = PrepareReply;

  bool measure_limits = false;
  Bytes support_cubin;

  static auto& blob(auto& prepare) { return prepare.support_cubin; }
  [[nodiscard]] static std::string subject() { return ""; }
};

/// The steps whose result is the reference; their cubin begins the frame's blob.
struct ReferenceCall {
  std::vector<StepPlan> steps;
  std::vector<ArgumentPlan> arguments;  // its own: some of the problem's, scalars, workspaces
  bool on_host = false;                 // a host function; a shared object replaces the cubin
};

struct OpenProblemReply {
  static constexpr std::string_view kind = "open_problem_reply";
};
/// A part of an OpenProblem's data: a compare entry's cubin, or a buffer's contents (see
/// BufferContents).
struct DataPart {
  std::string buffer;
  bool is_result = false;
  bool is_compare = false;  // the cubin of this output's compare entry
  std::uint64_t bytes = 0;
};
/// Allocates and fills the buffers of a problem and computes the reference result.
struct OpenProblem {
  static constexpr std::string_view kind = "open_problem";
  using Reply = OpenProblemReply;

  Problem problem;
  bool awkward = false;  // an awkward size, at which only a winner is checked
  int streams = 1;       // that have buffers of their own; results of the first are compared
  std::vector<ArgumentPlan> arguments;
  std::vector<OutputCheck> checks;  // of every output
  std::uint64_t seed = 0;
  // Absent for a recording, which computes nothing, and if results are not compared.
  std::optional<ReferenceCall> reference;
  std::uint64_t cubin_bytes = 0;
  std::vector<ComparePlan> compares;  // of outputs that have a compare entry
  std::vector<DataPart> parts;
  Bytes data;  // the reference's cubin, then the parts in their order

  static auto& blob(auto& open) { return open.data; }
  void set_reference(ReferenceCall call, Bytes cubin);  // before any part is added
  void add(BufferContents contents);
  void add(ComparePlan compare, const Bytes& cubin);
  /// These three throw UserError if sizes and data do not agree.
  [[nodiscard]] Bytes reference_cubin() const;
  [[nodiscard]] std::vector<BufferContents> contents() const;
  [[nodiscard]] Bytes compare_cubin(const std::string& output) const;
  [[nodiscard]] std::string subject() const { return problem.text(); }
};

struct MeasureReply {
  static constexpr std::string_view kind = "measure_reply";

  Status status = Status::ok;
  std::string reason;
  std::optional<Timing> timing;
  std::vector<StepTime> step_times;  // if requested
  std::optional<double> max_error;
  double gpu_ms = 0;
  double check_ms = 0;       // part of gpu_ms: the first launch and its check; 0 without a check
  bool worker_lost = false;  // the context is poisoned: the worker exits after this reply
  bool performed = true;     // false: the recording has no such measurement, or no more samples
  // Recordings only: the compiler's results when the recording was made.
  std::optional<ResourceUsage> resources;
  double compile_ms = 0;
};
/// Loads a kernel, checks its steps and times them on the open problem.
struct Measure {
  static constexpr std::string_view kind = "measure";
  using Reply = MeasureReply;

  Problem problem;
  Config config;
  std::string label;  // of a baseline; empty for the tuned kernel
  std::vector<StepPlan> steps;
  std::vector<ArgumentPlan> arguments;  // scalars and workspaces of this configuration
  bool check = true;
  bool time = true;
  bool time_steps = false;  // also times each step, after the whole
  TimingMode mode = {};
  SamplingOptions sampling;
  std::optional<double> best_ms;  // for early discarding and for the time limit
  double time_limit_ms = 10000;   // of all steps together
  Bytes cubin;

  static auto& blob(auto& measure) { return measure.cubin; }
  [[nodiscard]] std::string subject() const { return label.empty() ? config.text() : label; }
};

struct ProfileReply {
  static constexpr std::string_view kind = "profile_reply";

  std::vector<Metric> metrics;  // empty if none is available
  std::string reason;           // why none is
  bool unavailable = false;     // the reason applies to every kernel on the device
  bool worker_lost = false;     // as in MeasureReply
};
/// Launches a kernel on the open problem once per pass of its metrics, on restored buffers. `run`:
/// as for its timing; `check`, `time`, `time_steps`, `sampling` and `best_ms` are ignored.
struct Profile {
  static constexpr std::string_view kind = "profile";
  using Reply = ProfileReply;

  Measure run;
  std::vector<std::string> metrics;  // familiar names, or CUPTI's own

  static auto& blob(auto& profile) { return profile.run.cubin; }
  [[nodiscard]] std::string subject() const { return run.subject(); }
};

struct MeasureEnergyReply {
  static constexpr std::string_view kind = "measure_energy_reply";

  std::optional<EnergyUse> energy;
  std::string reason;        // why there is none
  bool unavailable = false;  // the reason applies to every kernel on the device
  bool worker_lost = false;  // as in MeasureReply
};
/// Launches a kernel on the open problem again and again, for about two seconds, and measures the
/// device's energy meanwhile. `run`: as for its timing, except that buffers are restored only once
/// and L2 is never flushed; `check`, `time`, `time_steps`, `sampling` and `best_ms` are ignored.
struct MeasureEnergy {
  static constexpr std::string_view kind = "measure_energy";
  using Reply = MeasureEnergyReply;

  Measure run;

  static auto& blob(auto& measure) { return measure.run.cubin; }
  [[nodiscard]] std::string subject() const { return run.subject(); }
};

struct SampleLinesReply {
  static constexpr std::string_view kind = "sample_lines_reply";

  std::optional<LineProfile> profile;
  std::string reason;        // why there is none
  bool unavailable = false;  // the reason applies to every kernel on the device
  bool worker_lost = false;  // as in MeasureReply
};
/// Launches a kernel on the open problem, on restored buffers, and samples where in its source its
/// warps are. `run`: as in Profile, but of any number of steps. A process that served it must serve
/// no other request but its like: later launches may take longer.
struct SampleLines {
  static constexpr std::string_view kind = "sample_lines";
  using Reply = SampleLinesReply;

  Measure run;

  static auto& blob(auto& sample) { return sample.run.cubin; }
  [[nodiscard]] std::string subject() const { return run.subject(); }
};

/// Every request. Server, backends, client and frames follow from this list.
using Request =
    std::variant<Hello, Prepare, OpenProblem, Measure, Profile, MeasureEnergy, SampleLines>;

template <typename... Requests>
std::variant<Requests..., typename Requests::Reply..., Ping, ErrorReply> all_messages(
    const std::variant<Requests...>&);  // never defined; only its type is used
/// Every message that may travel over the pipe.
using Message = decltype(all_messages(std::declval<Request>()));

/// A request that may be the worker's last; its reply says whether it is.
template <typename Request>
concept MayLoseWorker = requires(typename Request::Reply reply) {
  reply.worker_lost;
};

[[nodiscard]] Frame to_frame(Message message);

/// Throws UserError, with both versions, if the other end of a pipe is not the same program.
void require_same_program(int protocol, const std::string& gtune);

/// A frame's kind of message, such as "hello"; "unknown" if it has none.
[[nodiscard]] std::string kind_of(const Frame& frame);

/// Read a frame. Throw FrameError(garbage) if it is of no such kind, or fields are missing or have
/// a wrong type.
[[nodiscard]] Message message_from(Frame frame);
[[nodiscard]] Request request_from(Frame frame);
/// The same for a message that must be of `kind`.
[[nodiscard]] Message message_from(Frame frame, std::string_view kind);

template <typename Kind>
[[nodiscard]] Kind from_frame(Frame frame) {
  return std::get<Kind>(message_from(std::move(frame), Kind::kind));
}

}  // namespace gtune
