#include "worker/gpu_backend.hpp"

#include <algorithm>
#include <chrono>

#include "gpu/cuda_error.hpp"
#include "gpu/device.hpp"
#include "gpu/driver_function.hpp"
#include "gpu/limits.hpp"
#include "measure/argument_bytes.hpp"
#include "measure/compare_entry.hpp"
#include "measure/energy_meter.hpp"
#include "measure/gpu_launch_series.hpp"
#include "measure/gpu_sampler.hpp"
#include "measure/row_sampler.hpp"
#include "measure/step_sequence.hpp"
#include "measure/step_timer.hpp"
#include "measure/stream_runs.hpp"
#include "measure/wait.hpp"
#include "model/error.hpp"
#include "model/statistics.hpp"
#include "profile/cupti_error.hpp"
#include "profile/familiar_metrics.hpp"
#include "profile/pc_sampler.hpp"
#include "profile/range_profiler.hpp"
#include "profile/sample_lines.hpp"
#include "worker/host_reference.hpp"

namespace gtune {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

constexpr double reference_limit_ms = 120000;
/// Twice the cache: addresses are hashed to its lines, so reading its size would leave some behind.
constexpr int flush_factor = 2;

}  // namespace

struct GpuBackend::Context {
  Context(const DeviceFacts& facts, std::span<const std::byte> support_cubin)
      : clock(facts.uuid),
        energy(facts.uuid),
        kernels(support_cubin, stream),
        flush_buffer(static_cast<std::size_t>(facts.l2_bytes) * flush_factor),
        throttle(facts.max_sm_clock_mhz) {
    check_cuda(cudaMemset(flush_buffer.data(), 0, flush_buffer.size()), "cudaMemset");
  }

  Stream stream;
  ClockMonitor clock;
  EnergyCounter energy;
  SupportKernels kernels;
  DeviceBuffer flush_buffer;
  ThrottleFilter throttle;
  std::vector<std::unique_ptr<ProblemBuffers>> buffers;  // of each stream; the first has results
  std::vector<std::unique_ptr<CompareEntry>> compares;
  // While CUPTI is open, unloading a kernel that it patched makes launches fail: these stay loaded.
  std::vector<std::unique_ptr<Module>> patched;
  // If one of these were unloaded, CUPTI would take samples of a kernel at its address for its own.
  std::vector<std::unique_ptr<Module>> sampled;
  std::optional<RangeProfiler> counters;  // opened by the first profile, so timing never pays
  std::optional<PcSampler> sampler;       // of a process that does nothing else from then on
  Disassembler disassembler;
};

GpuBackend::GpuBackend(int device_index) : m_device_index(device_index) {}

GpuBackend::~GpuBackend() = default;

HelloReply GpuBackend::answer(const Hello& request) {
  m_facts = find_device(list_devices(), m_device_index);
  HelloReply reply;
  reply.device = m_facts;
  reply.measures_energy = EnergyCounter(m_facts.uuid).total_mj().has_value();
  if (request.remote && !m_lock) m_lock = GpuLock::try_take(m_facts.uuid, reply.held_by);
  return reply;
}

PrepareReply GpuBackend::answer(const Prepare& request) {
  try {
    check_cuda(cudaSetDevice(m_device_index), "cudaSetDevice");
    m_context = std::make_unique<Context>(m_facts, request.support_cubin);
    if (!request.measure_limits) return {};
    return {measure_limits(m_facts, m_context->kernels, m_context->stream)};
  } catch (const CudaError& error) {
    throw UserError(ExitCode::no_device, "device " + std::to_string(m_device_index) + " (" +
                                             m_facts.name + ") cannot be used: " + error.what());
  }
}

namespace {

void compute_reference(const ReferenceCall& call, const Bytes& cubin, ProblemBuffers& buffers,
                       const Stream& stream) {
  const Module module(cubin);
  StepSequence steps(module, call.steps, call.arguments, buffers, stream);
  Event stop;
  steps.queue_setup();
  steps.queue();
  stop.record(stream);
  wait_for(stop, reference_limit_ms);
  steps.store_surfaces();
  buffers.adopt_reference();
}

/// Calls the host function and copies its outputs to the device for adopt_reference().
void compute_on_host(const ReferenceCall& call, const Bytes& shared_object,
                     ProblemBuffers& buffers) {
  buffers.make_ready(call.arguments);
  std::vector<HostArgument> arguments;
  for (const ArgumentPlan& argument : call.arguments) {
    if (const auto* scalar = std::get_if<ScalarPlan>(&argument)) {
      arguments.push_back(
          {scalar->name, number_bytes(scalar->type, scalar->integer, scalar->real), false, false});
    } else if (const auto* buffer = std::get_if<BufferPlan>(&argument)) {
      arguments.push_back({buffer->name, buffers.contents_of(buffer->name), true,
                           buffer->direction != Direction::in});
    }
  }
  call_on_host({"/proc/self/exe", "host-reference"}, shared_object, arguments,
               std::chrono::milliseconds(static_cast<std::int64_t>(reference_limit_ms)));
  for (const HostArgument& argument : arguments) {
    if (argument.is_written) buffers.replace_contents(argument.name, argument.bytes);
  }
  buffers.adopt_reference();
}

/// Checks a compare entry on the reference's own result: otherwise every configuration would be
/// blamed for the entry's errors.
void try_on_reference(CompareEntry& entry, ProblemBuffers& buffers, const Stream& stream) {
  CheckResult result;
  try {
    entry.judge(buffers, stream, reference_limit_ms, result);
  } catch (const std::runtime_error& error) {  // CudaError or KernelTimeout
    throw UserError(ExitCode::failed, std::string("with the reference, ") + error.what());
  }
  if (result.problem) {
    throw UserError(ExitCode::failed, "in the reference itself, " + *result.problem);
  }
  if (const CheckResult after = buffers.verify(); after.problem) {
    throw UserError(ExitCode::failed, "the compare entry is wrong: " + *after.problem);
  }
}

}  // namespace

OpenProblemReply GpuBackend::answer(const OpenProblem& request) {
  if (!m_context) throw UserError(ExitCode::failed, "the worker was not prepared");
  Context& context = *m_context;
  try {
    // Frees the previous problem's memory first.
    context.compares.clear();
    context.buffers.clear();
    const std::vector<BufferContents> contents = request.contents();
    while (std::cmp_less(context.buffers.size(), std::max(1, request.streams))) {
      context.buffers.push_back(std::make_unique<ProblemBuffers>(
          request.arguments, request.checks, contents, request.seed, context.kernels));
    }
    ProblemBuffers& buffers = *context.buffers.front();
    if (request.reference && request.reference->on_host) {
      compute_on_host(*request.reference, request.reference_cubin(), buffers);
    } else if (request.reference) {
      compute_reference(*request.reference, request.reference_cubin(), buffers, context.stream);
    } else {
      buffers.adopt_results(contents);
    }
    open_compares(request, context);
    return {};
  } catch (const CudaError& error) {
    throw UserError(ExitCode::failed,
                    std::string("the spec's reference kernel failed: ") + error.what());
  } catch (const KernelTimeout& error) {
    throw UserError(ExitCode::failed,
                    std::string("the spec's reference kernel is too slow: ") + error.what());
  }
}

void GpuBackend::open_compares(const OpenProblem& request, Context& context) {
  for (const ComparePlan& plan : request.compares) {
    context.compares.push_back(
        std::make_unique<CompareEntry>(plan, request.compare_cubin(plan.output)));
    ProblemBuffers& buffers = *context.buffers.front();
    if (!buffers.has_reference()) continue;
    try_on_reference(*context.compares.back(), buffers, context.stream);
  }
}

/// Loads, checks and times one configuration.
class GpuBackend::KernelRun {
 public:
  KernelRun(const Measure& request, Context& context, int streams)
      : m_request(request),
        m_buffers(buffers_of(context, streams)),
        m_compares(context.compares),
        m_stream(context.stream),
        m_time_limit_ms(request.time_limit_ms),
        m_module(std::make_unique<Module>(request.cubin)),
        m_runs(*m_module, request.steps, request.arguments, m_buffers, context.stream) {}

  [[nodiscard]] StreamRuns& runs() { return m_runs; }

  /// Runs the steps one by one, so that errors name the step that fails or hangs.
  void try_steps() {
    restore();
    wait("setup");
    StepSequence& steps = m_runs.first();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps.queue_step(i);
      wait(steps.name(i));
    }
  }

  /// Runs once on poisoned outputs and compares. Returns the launch's time in ms.
  double check(MeasureReply& reply) {
    if (m_runs.first().size() > 1 && !m_tried) try_steps();
    m_tried = true;
    restore();
    m_start.record(m_stream);
    run_once();
    m_runs.first().store_surfaces();
    ProblemBuffers& buffers = *m_buffers.front();
    CheckResult result = buffers.verify();
    for (const auto& entry : m_compares) {
      if (!result.problem) entry->judge(buffers, m_stream, m_time_limit_ms, result);
    }
    reply.max_error = std::max(reply.max_error.value_or(0), result.max_error);
    if (result.problem) {
      reply.status = Status::wrong_result;
      reply.reason = *result.problem;
      reply.worker_lost = result.contaminated;
    }
    return elapsed_ms(m_start, m_stop);
  }

  /// Restores what each launch must find: an inout that an earlier launch changed, such as a sorted
  /// list or an advanced counter, would be another problem.
  void restore_inputs() {
    for (const auto& buffers : m_buffers) buffers->restore_inouts();
    m_runs.queue_setup();
  }

  /// Restores the buffers, and the L2 cache's state before a timing sample. Waits.
  void prepare_pass(Context& context) {
    restore();
    if (m_request.mode.flushes_l2()) {
      context.kernels.flush(context.flush_buffer);
    } else {
      m_runs.queue();
    }
    m_stop.record(m_stream);
    wait_for(m_stop, m_time_limit_ms);
  }
  /// Restores the buffers and launches twice: the second launch, whose time in ms is returned,
  /// waits for neither code nor memory.
  double prepare_series() {
    restore();
    run_once();
    return run_again();
  }
  /// Gives away the module, so that the kernel stays loaded after the run, which must be over.
  [[nodiscard]] std::unique_ptr<Module> take_module() { return std::move(m_module); }
  /// Runs the setup, then all steps once, and waits. Returns the launch's time in ms.
  double run_again() {
    restore_inputs();
    m_start.record(m_stream);
    run_once();
    return elapsed_ms(m_start, m_stop);
  }
  /// Runs once and waits.
  void run_once() {
    m_runs.queue();
    m_stop.record(m_stream);
    wait_for(m_stop, m_time_limit_ms * m_runs.streams());
  }

  /// Times each step separately.
  [[nodiscard]] std::vector<StepTime> time_steps(Context& context) {
    StepTimer timer(m_runs.first(), m_stream, m_time_limit_ms);
    return timer.take([&] {
      restore();
      if (m_request.mode.flushes_l2()) context.kernels.flush(context.flush_buffer);
    });
  }

 private:
  /// Throws UserError if the problem was opened for fewer streams.
  static std::span<const std::unique_ptr<ProblemBuffers>> buffers_of(const Context& context,
                                                                     int streams) {
    if (std::cmp_less(context.buffers.size(), streams)) {
      throw UserError(ExitCode::failed, "the open problem has buffers for fewer streams");
    }
    return std::span(context.buffers).first(static_cast<std::size_t>(streams));
  }

  /// Restores the buffers to their state before the first timed step.
  void restore() {
    for (const auto& each : m_buffers) {
      ProblemBuffers& buffers = *each;
      buffers.reset();
    }
    m_runs.queue_setup();
  }

  /// Waits; errors name the step.
  void wait(const std::string& name) {
    m_stop.record(m_stream);
    try {
      wait_for(m_stop, m_time_limit_ms);
    } catch (const CudaError& error) {
      throw CudaError(error.code(), "step " + name);
    } catch (const KernelTimeout&) {
      throw KernelTimeout(m_time_limit_ms, "step " + name);
    }
  }

  const Measure& m_request;
  std::span<const std::unique_ptr<ProblemBuffers>> m_buffers;  // of each stream
  std::span<const std::unique_ptr<CompareEntry>> m_compares;
  const Stream& m_stream;
  double m_time_limit_ms;
  std::unique_ptr<Module> m_module;
  StreamRuns m_runs;
  bool m_tried = false;
  Event m_start;
  Event m_stop;
};

namespace {

/// Whether a kernel is so much slower that more samples cannot change the verdict. The constant
/// (ms) keeps a slow first launch from condemning a kernel of a few microseconds.
bool is_hopeless(double first_ms, std::optional<double> best_ms) {
  return best_ms && first_ms > 3 * *best_ms + 1;
}

Timing single_sample(double ms) {
  Timing timing = summarise({ms});
  timing.discarded_early = true;
  return timing;
}

/// Sets the status of a configuration that caused a CUDA error.
void classify(const CudaError& error, MeasureReply& reply) {
  reply.worker_lost = error.poisons_context();
  reply.status = reply.worker_lost ? Status::crashed : Status::launch_error;
  reply.reason = error.what();
}

}  // namespace

std::unique_ptr<SampleSource> GpuBackend::make_sampler(const Measure& request, Context& context,
                                                       KernelRun& run) {
  const auto restore = [&] { run.restore_inputs(); };
  if (!request.mode.times_single_launches()) {
    return std::make_unique<RowSampler>(restore, run.runs(),
                                        request.mode.order == LaunchOrder::graph, context.kernels,
                                        context.stream, context.clock, request.time_limit_ms);
  }
  const DeviceBuffer* flushed = request.mode.flushes_l2() ? &context.flush_buffer : nullptr;
  return std::make_unique<GpuSampler>(
      restore, [&] { run.runs().queue(); }, run.runs().streams(), flushed, context.kernels,
      context.stream, context.clock, request.time_limit_ms);
}

void GpuBackend::check_and_time(const Measure& request, Context& context, KernelRun& run,
                                MeasureReply& reply) {
  double first_ms = 0;
  if (request.check) {
    const auto start = Clock::now();
    first_ms = run.check(reply);
    reply.check_ms = ms_since(start);
  } else {
    first_ms = run.run_again();
  }
  if (!request.time || reply.status != Status::ok) return;
  // A first launch may wait for code and scratch memory, so it alone condemns no kernel.
  const int streams = run.runs().streams();
  if (is_hopeless(first_ms / streams, request.best_ms)) first_ms = run.run_again();
  if (is_hopeless(first_ms / streams, request.best_ms)) {
    reply.timing = single_sample(first_ms / streams);
  } else {
    const auto sampler = make_sampler(request, context, run);
    // A sample of a row is the mean of its launches.
    SamplingOptions sampling = request.sampling;
    sampling.max_seconds /= request.mode.launches_of_sample();
    reply.timing = take_samples(*sampler, sampling, request.best_ms, context.throttle);
  }
  reply.timing->mode = request.mode;
  // Checks again after many launches: a race may have had no effect the first time.
  if (request.check && !reply.timing->discarded_early) run.check(reply);
  if (request.time_steps && reply.status == Status::ok) reply.step_times = run.time_steps(context);
}

GpuBackend::Context& GpuBackend::open_context() const {
  if (!m_context || m_context->buffers.empty()) {
    throw UserError(ExitCode::failed, "the worker has no open problem");
  }
  return *m_context;
}

MeasureReply GpuBackend::answer(const Measure& request) {
  Context& context = open_context();
  const auto start = Clock::now();
  MeasureReply reply;
  std::unique_ptr<KernelRun> run;
  try {
    run = std::make_unique<KernelRun>(request, context, request.time ? request.mode.streams : 1);
    check_and_time(request, context, *run, reply);
  } catch (const CudaError& error) {
    classify(error, reply);
  } catch (const UserError& error) {  // a workspace that does not fit
    reply.status = Status::launch_error;
    reply.reason = error.what();
  } catch (const KernelTimeout& error) {
    reply.status = Status::timeout;
    reply.reason = error.what();
    reply.worker_lost = true;
  }
  // Unloading would wait for a kernel that may never end; the process ends soon anyway.
  if (reply.worker_lost) static_cast<void>(run.release());
  if (reply.status != Status::ok) reply.timing.reset();
  reply.gpu_ms = ms_since(start);
  return reply;
}

namespace {

/// Calls `take`. If it fails, the reply gets the reason; every kernel is concerned if CUPTI, which
/// `take` opens, is not even open then.
template <typename Reply, typename Tool, typename Take>
bool take_with_cupti(Reply& reply, const std::optional<Tool>& cupti, Take take) {
  try {
    take();
    return true;
  } catch (const CountersUnavailable& error) {
    reply.unavailable = true;
    reply.reason = error.what();
  } catch (const CudaError& error) {
    reply.reason = error.what();
    reply.worker_lost = error.poisons_context();
  } catch (const KernelTimeout& error) {
    reply.reason = error.what();
    reply.worker_lost = true;
  } catch (const UserError& error) {  // no CUPTI, or a workspace that does not fit
    reply.unavailable = !cupti.has_value();
    reply.reason = error.what();
  } catch (const CuptiError& error) {
    reply.unavailable = !cupti.has_value();
    reply.reason = error.what();
  }
  return false;
}

}  // namespace

ProfileReply GpuBackend::answer(const Profile& request) {
  Context& context = open_context();
  ProfileReply reply;
  std::unique_ptr<KernelRun> run;
  const bool taken = take_with_cupti(reply, context.counters, [&] {
    // Opened before the kernel is loaded: CUPTI rewrites instructions only of modules loaded later.
    if (!context.counters) context.counters.emplace(m_device_index, current_context());
    run = std::make_unique<KernelRun>(request.run, context, 1);
    reply.metrics = context.counters->measure(
        request.metrics, {[&] { run->prepare_pass(context); }, [&] { run->run_once(); }});
    const auto& asked = request.metrics;
    if (std::any_of(asked.begin(), asked.end(), is_patched_in)) {
      context.patched.push_back(run->take_module());
    }
  });
  if (reply.worker_lost) {
    static_cast<void>(run.release());
  } else if (!taken) {
    context.counters.reset();  // a pass may be under way
    context.patched.clear();
  }
  return reply;
}

SampleLinesReply GpuBackend::answer(const SampleLines& request) {
  Context& context = open_context();
  SampleLinesReply reply;
  std::unique_ptr<KernelRun> run;
  take_with_cupti(reply, context.sampler, [&] {
    // Opened before the kernel is loaded: CUPTI samples only modules that are loaded later.
    if (!context.sampler) context.sampler.emplace(current_context());
    run = std::make_unique<KernelRun>(request.run, context, 1);
    const double launch_ms = run->prepare_series();
    reply.profile = sample_lines(*context.sampler,
                                 {[&] { run->prepare_pass(context); }, [&] { run->run_once(); }},
                                 launch_ms, request.run.cubin, context.disassembler);
    if (!reply.profile) reply.reason = "CUPTI returned no samples of this kernel";
  });
  if (context.sampler && !context.sampler->usable()) reply.worker_lost = true;
  if (reply.worker_lost) {
    static_cast<void>(run.release());
  } else if (run) {
    context.sampled.push_back(run->take_module());
  }
  return reply;
}

MeasureEnergyReply GpuBackend::answer(const MeasureEnergy& request) {
  Context& context = open_context();
  MeasureEnergyReply reply;
  std::unique_ptr<KernelRun> run;
  try {
    if (!context.energy.total_mj()) {
      reply.unavailable = true;
      reply.reason = "NVML reads no energy of this device";
      return reply;
    }
    run = std::make_unique<KernelRun>(request.run, context, 1);
    const double launch_ms = run->prepare_series();
    GpuLaunchSeries series(
        [&] {
          run->runs().queue_setup();
          run->runs().queue();
        },
        launch_ms, request.run.steps.size(), context.stream, context.energy,
        request.run.time_limit_ms);
    EnergyReading reading = measure_energy(series);
    series.finish();
    reply.energy = reading.use;
    reply.reason = std::move(reading.reason);
  } catch (const CudaError& error) {
    reply.reason = error.what();
    reply.worker_lost = error.poisons_context();
  } catch (const KernelTimeout& error) {
    reply.reason = error.what();
    reply.worker_lost = true;
  } catch (const UserError& error) {  // a workspace that does not fit
    reply.reason = error.what();
  }
  if (reply.worker_lost) static_cast<void>(run.release());
  return reply;
}

}  // namespace gtune
