#include "duel.hpp"

#include <algorithm>
#include <memory>

#include "gpu/device.hpp"
#include "jit/kernel_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "launchable.hpp"
#include "measure/gpu_sampler.hpp"
#include "measure/problem_buffers.hpp"
#include "model/error.hpp"
#include "model/statistics.hpp"
#include "spec/evaluate.hpp"

namespace gtune::bench {
namespace {

constexpr int per_turn = 3;
constexpr double seconds_per_side = 0.5;  // of samples
constexpr int fewest_turns = 5;
constexpr int most_turns = 20;

PoolOptions pool_options(const std::string& program, CubinCache& cache) {
  PoolOptions options;
  options.threads = 1;
  options.compiler_command = {program, "compiler"};
  options.cache = &cache;
  options.nvrtc_version = nvrtc_version();
  return options;
}

KernelRequest support_request(const DeviceFacts& device) {
  return KernelSource(support_source(), "device_support.cu")
      .request({"gtune_fill"}, {}, device.arch());
}

/// One side's samples, a few per turn.
struct Fighter {
  Side side;
  std::unique_ptr<GpuSampler> sampler;
  std::vector<double> times;
  std::vector<double> clocks;

  void turn() {
    for (const Sample& sample : sampler->take(per_turn)) {
      times.push_back(sample.ms);
      if (sample.sm_clock_mhz) clocks.push_back(*sample.sm_clock_mhz);
    }
  }
};

void fight(std::vector<Fighter>& fighters) {
  for (Fighter& each : fighters) each.turn();  // warm-up; and it tells how long a turn takes
  double slowest = 0;
  for (Fighter& each : fighters) {
    slowest = std::max(slowest, median(each.times));
    each.times.clear();
    each.clocks.clear();
  }
  const int turns = std::clamp(static_cast<int>(seconds_per_side * 1000 / (per_turn * slowest)),
                               fewest_turns, most_turns);
  for (int i = 0; i < turns; ++i) {
    for (Fighter& each : fighters) each.turn();
  }
  for (Fighter& each : fighters) {
    each.side.median_ms = median(each.times);
    if (!each.clocks.empty()) each.side.sm_clock_mhz = median(each.clocks);
  }
}

}  // namespace

Arena::Arena(const KernelSpec& spec, const std::string& program)
    : m_spec(spec),
      m_cache(CubinCacheOptions::from_environment()),
      m_pool(pool_options(program, m_cache)),
      m_device(list_devices().at(0)),
      m_support(compiled(support_request(m_device)).cubin, m_stream),
      m_flush(2 * static_cast<std::size_t>(m_device.l2_bytes)),
      m_clock(m_device.uuid),
      m_vendor(m_stream) {}

CompileResult Arena::compiled(KernelRequest request) {
  const std::string entry = request.compile.entries.front();
  m_pool.submit(std::move(request));
  auto finished = m_pool.wait_next(std::chrono::minutes(2));
  if (!finished) throw UserError(ExitCode::failed, entry + ": the compiler gives no answer");
  if (!finished->result.ok) {
    throw UserError(ExitCode::failed, entry + ": " + finished->result.reason);
  }
  return std::move(finished->result);
}

std::vector<Side> Arena::duel(const Problem& problem, const Config& config) {
  const KernelSource source(m_spec.source, m_spec.compiler);
  const ReferenceSpec& right = m_spec.check.reference.value();
  const KernelSource reference_source(right.source, m_spec.compiler);
  const Case there{problem, config, m_device};
  const auto arguments = plan_arguments(m_spec, there);
  ProblemBuffers buffers(arguments, plan_output_checks(m_spec, problem, m_device), {}, 1,
                         m_support);
  const auto prepared = [&](const KernelSource& from, const std::vector<StepSpec>& steps,
                            const std::vector<StepPlan>& plan,
                            const std::vector<ArgumentPlan>& given) {
    return Launchable(compiled(kernel_request(from, m_spec, steps, there)), plan, given, buffers,
                      m_stream);
  };
  const Buffers pointer = [&](const std::string& name) {
    return pointer_of(name, arguments, buffers);
  };
  Launchable reference =
      prepared(reference_source, right.steps, plan_reference_steps(m_spec, there),
               plan_reference_arguments(m_spec, there));
  run_once(m_stream, [&] { reference.queue(); });
  buffers.adopt_reference();

  Launchable ours = prepared(source, m_spec.steps, plan_steps(m_spec, there), arguments);
  std::vector<Rival> all = {{"gtune", [&] { ours.queue(); }, true}};
  for (Rival& rival : m_vendor.rivals(m_spec.name, problem, pointer)) all.push_back(rival);
  std::vector<Fighter> fighters;
  for (const Rival& each : all) {
    Fighter fighter;
    fighter.side.name = each.name;
    buffers.reset();
    run_once(m_stream, each.launch);
    if (each.comparable) {
      const CheckResult checked = buffers.verify();
      if (checked.problem && fighters.empty()) {
        throw UserError(ExitCode::failed, problem.text() + ": " + *checked.problem);
      }
      fighter.side.max_error = checked.max_error;
    }
    fighter.sampler = std::make_unique<GpuSampler>([] {}, each.launch, 1, &m_flush, m_support,
                                                   m_stream, m_clock, limit_ms);
    fighters.push_back(std::move(fighter));
  }
  fight(fighters);
  std::vector<Side> sides;
  for (Fighter& each : fighters) sides.push_back(std::move(each.side));
  return sides;
}

}  // namespace gtune::bench
