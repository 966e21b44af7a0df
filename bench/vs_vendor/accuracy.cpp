#include "accuracy.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "duel.hpp"
#include "gpu/cuda_error.hpp"
#include "jit/kernel_request.hpp"
#include "launchable.hpp"
#include "spec/evaluate.hpp"

namespace gtune::bench {
namespace {

void upload(void* to, const std::vector<float>& floats) {
  check_cuda(cudaMemcpy(to, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice),
             "cudaMemcpy");
}

Accuracy compare(const std::string& name, const std::vector<float>& c, const Product64& truth) {
  Accuracy accuracy;
  accuracy.name = name;
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double difference = static_cast<double>(c[i]) - truth.sums[i];
    error += difference * difference;
    norm += truth.sums[i] * truth.sums[i];
    const double scaled = std::abs(difference) / truth.magnitudes[i];
    // Not std::max: a NaN must not get lost.
    if (!(scaled <= accuracy.max_scaled)) accuracy.max_scaled = scaled;
  }
  accuracy.frobenius = std::sqrt(error / norm);
  return accuracy;
}

struct Sizes {
  explicit Sizes(const Problem& problem)
      : m(static_cast<std::size_t>(problem.find("M").value())),
        n(static_cast<std::size_t>(problem.find("N").value())),
        k(static_cast<std::size_t>(problem.find("K").value())) {}
  std::size_t m, n, k;
};

struct SpecialValue {
  std::string what;
  float value;
  bool alone;  // the rest of the row is 0
};

std::vector<SpecialValue> special_values() {
  using Limits = std::numeric_limits<float>;
  const auto of_bits = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  return {{"infinity", Limits::infinity(), false},
          {"-infinity", -Limits::infinity(), false},
          {"NaN (0x7fc00000)", of_bits(0x7fc00000), false},
          {"NaN (0x7fffffff)", of_bits(0x7fffffff), false},
          {"FLT_MAX, else 0", Limits::max(), true},
          {"-FLT_MAX", -Limits::max(), false},
          {"2^-100, else 0", 0x1.234567p-100f, true},
          {"2^-120, else 0", 0x1.234567p-120f, true},
          {"denormal 2^-130, else 0", 0x1.2345p-130f, true},
          {"denormal 2^-140, else 0", 0x1.2p-140f, true}};
}

}  // namespace

/// A configuration's buffers, and who computes C from A and B in them.
struct Arena::Contest {
  Contest(Arena& arena, const Problem& problem, const Config& config)
      : arguments(plan_arguments(arena.m_spec, {problem, config, arena.m_device})),
        buffers(arguments, plan_output_checks(arena.m_spec, problem, arena.m_device), {}, 1,
                arena.m_support),
        source(arena.m_spec.source, arena.m_spec.compiler),
        ours(arena.compiled(kernel_request(source, arena.m_spec, arena.m_spec.steps,
                                           {problem, config, arena.m_device})),
             plan_steps(arena.m_spec, {problem, config, arena.m_device}), arguments, buffers,
             arena.m_stream),
        all{{"gtune", [&] { ours.queue(); }, true}} {
    const Buffers pointers = [&](const std::string& name) { return pointer(name); };
    for (Rival& rival : arena.m_vendor.rivals(arena.m_spec.name, problem, pointers)) {
      all.push_back(std::move(rival));
    }
  }

  void* pointer(const std::string& name) { return pointer_of(name, arguments, buffers); }

  /// One side's C, which no element of keeps what was there.
  std::vector<float> result(const Rival& side, std::size_t count, const Stream& stream) {
    std::vector<float> c(count);
    check_cuda(cudaMemset(pointer("C"), 0xff, count * sizeof(float)), "cudaMemset");
    run_once(stream, side.launch);
    check_cuda(cudaMemcpy(c.data(), pointer("C"), count * sizeof(float), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return c;
  }

  std::vector<ArgumentPlan> arguments;
  ProblemBuffers buffers;
  KernelSource source;
  Launchable ours;
  std::vector<Rival> all;
};

std::vector<Accuracy> Arena::accuracy(const Problem& problem, const Config& config, Inputs inputs) {
  const Sizes size(problem);
  const std::vector<float> a = random_floats(inputs, size.m * size.k, 1000);
  const std::vector<float> b = random_floats(inputs, size.k * size.n, 2000000);
  const Product64 truth = m_vendor.product64(size.m, size.n, size.k, a, b);
  Contest contest(*this, problem, config);
  upload(contest.pointer("A"), a);
  upload(contest.pointer("B"), b);
  std::vector<Accuracy> accuracies;
  for (const Rival& each : contest.all) {
    accuracies.push_back(
        compare(each.name, contest.result(each, size.m * size.n, m_stream), truth));
  }
  return accuracies;
}

std::vector<SpecialCase> Arena::special_cases(const Problem& problem, const Config& config) {
  const Sizes size(problem);
  Contest contest(*this, problem, config);
  const std::vector<float> b = random_floats(Inputs::uniform, size.k * size.n, 2000000);
  upload(contest.pointer("B"), b);
  std::vector<SpecialCase> cases;
  for (const auto& [what, value, alone] : special_values()) {
    std::vector<float> a = random_floats(Inputs::uniform, size.m * size.k, 1000);
    if (alone) std::fill_n(a.begin(), size.k, 0.0f);
    a[5] = value;
    upload(contest.pointer("A"), a);
    SpecialCase found{what, {}, {}, {}};
    for (const Rival& each : contest.all) {
      const std::vector<float> c = contest.result(each, size.m * size.n, m_stream);
      found.names.push_back(each.name);
      found.results.push_back(c[0]);
      found.not_finite.push_back(
          std::count_if(c.begin(), c.end(), [](float x) { return !std::isfinite(x); }));
    }
    cases.push_back(std::move(found));
  }
  return cases;
}

}  // namespace gtune::bench
