#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtune_version.hpp"
#include "measure/stopping_rule.hpp"
#include "model/device_facts.hpp"
#include "model/kernel_identity.hpp"
#include "model/measurement.hpp"
#include "model/metric.hpp"
#include "model/plan.hpp"
#include "system/frame.hpp"

// What tuner and worker say to each other. Every request has one reply of its kind, or an
// error reply; a ping has none. A frame's header carries the fields, its blob the cubin.
namespace gtune {

inline constexpr int protocol_version = 5;  // 5: frames end with a newline; pings
/// So long a worker at the far end of a link waits for a sign of its tuner, before it is greeted
/// and, where the greeting says nothing else, after that.
inline constexpr std::chrono::milliseconds default_silence = std::chrono::seconds(30);
using Bytes = std::vector<std::byte>;

/// First message: who is there?
struct Hello {
  int protocol = protocol_version;
  std::string gtune{version};
  KernelIdentity kernel;  // to be measured; without a name where that is not known yet
  bool remote = false;    // nobody but the worker can hold the GPU, and its files may be others
  int silence_ms = 0;     // the tuner is gone when it was silent for so long; 0: it never pings
  /// The launcher made a Slurm allocation for this worker alone, which is to cancel it when the
  /// tuner is gone.
  bool own_allocation = false;
};
/// The tuner is still there. Sent now and then to a worker at the far end of a link.
struct Ping {};
struct HelloReply {
  int protocol = protocol_version;
  std::string gtune{version};
  std::string held_by;  // of a remote GPU that another process is using: ask again later
  DeviceFacts device;
  // A recording's only: what it was made from, and with.
  std::optional<KernelIdentity> recorded_kernel;
  std::optional<Toolchain> recorded_toolchain;
  std::vector<Config> recorded_configs;  // what is not among them is not part of the space
};

/// Gives the worker its own kernels; `measure_limits` also asks for the device's limits.
struct Prepare {
  bool measure_limits = false;
  Bytes support_cubin;
};
struct PrepareReply {
  std::optional<double> fma_tflops;
  std::optional<double> dram_gbps;
};

/// Allocates and fills the buffers of a problem and computes the reference result.
struct OpenProblem {
  Problem problem;
  bool awkward = false;  // one of the sizes on which only a winner is checked
  std::vector<ArgumentPlan> arguments;
  Tolerance tolerance;
  std::uint64_t seed = 0;
  std::string reference_name;  // mangled
  LaunchPlan reference_launch;
  Bytes reference_cubin;
};
struct OpenProblemReply {};

/// Loads a kernel, checks it and times it on the open problem.
struct Measure {
  Problem problem;
  Config config;
  std::string label;        // of a baseline; empty for the tuned kernel
  std::string kernel_name;  // mangled
  LaunchPlan launch;
  std::vector<ArgumentPlan> arguments;  // scalars and workspaces of this configuration
  bool check = true;
  bool time = true;
  bool flush_l2 = true;
  SamplingOptions sampling;
  std::optional<double> best_ms;  // for early discarding and for the time limit
  double time_limit_ms = 10000;   // of one launch
  Bytes cubin;
};
struct MeasureReply {
  Status status = Status::ok;
  std::string reason;
  std::optional<Timing> timing;
  std::optional<double> max_error;
  double gpu_ms = 0;
  double check_ms = 0;       // of it: the first launch and its check; 0 where nothing was checked
  bool worker_lost = false;  // the context is poisoned: the worker exits after this reply
  bool performed = true;     // false: a recording does not hold this, or no more of it
  // Recordings only: what the compiler said when the recording was made.
  std::optional<ResourceUsage> resources;
  double compile_ms = 0;
};

/// Launches a kernel on the open problem once per pass of its metrics, on restored buffers. `run`:
/// as for its timing, of which nothing but the state of the L2 cache is taken.
struct Profile {
  Measure run;
  std::vector<std::string> metrics;  // familiar names, or CUPTI's own
};
struct ProfileReply {
  std::vector<Metric> metrics;  // empty where none could be had
  std::string reason;           // why
  bool unavailable = false;     // for this reason there are none of any kernel on the device
  bool worker_lost = false;     // as in MeasureReply
};

/// Makes a worker's reply fit to be shown and stored: its texts are single lines of bounded length,
/// whoever wrote them.
void make_presentable(HelloReply& reply);
void make_presentable(PrepareReply& reply);
void make_presentable(OpenProblemReply& reply);
void make_presentable(MeasureReply& reply);
void make_presentable(ProfileReply& reply);

/// A request that could not be served at all; the worker stays usable.
struct ErrorReply {
  std::string line;
  int exit_code = 1;
};

/// Instantiated for every message above.
template <typename Message>
[[nodiscard]] Frame to_frame(const Message& message);

/// The two ends of a pipe must be one program. Throws UserError that says how they differ.
void require_same_program(int protocol, const std::string& gtune);

/// The word that names a frame's kind of message: "hello", "measure", ...
[[nodiscard]] std::string kind_of(const Frame& frame);

/// Reads the message; throws FrameError(garbage) where fields are missing or of a wrong type.
template <typename Message>
[[nodiscard]] Message from_frame(Frame frame);

}  // namespace gtune
