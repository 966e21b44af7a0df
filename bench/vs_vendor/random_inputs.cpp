#include "random_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>

namespace gtune::bench {
namespace {

constexpr std::size_t floats_each = std::size_t{1} << 20;  // floats from one generator

void fill_part(Inputs inputs, std::uint64_t seed, float* from, float* to) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform;
  std::uniform_int_distribution<int> exponent(-20, 20);
  for (; from != to; ++from) {
    *from = inputs == Inputs::uniform ? uniform(random) : normal(random);
    if (inputs == Inputs::scaled) *from = std::ldexp(*from, exponent(random));
  }
}

}  // namespace

std::string_view to_string(Inputs inputs) {
  constexpr std::array<std::string_view, 3> words = {"normal", "uniform", "2^+-20"};
  return words.at(static_cast<std::size_t>(inputs));
}

std::vector<float> random_floats(Inputs inputs, std::size_t count, std::uint64_t seed) {
  std::vector<float> floats(count);
  const std::size_t parts = (count + floats_each - 1) / floats_each;
  const std::size_t threads = std::clamp(std::thread::hardware_concurrency(), 1u, 64u);
  std::vector<std::thread> workers;
  for (std::size_t worker = 0; worker < threads; ++worker) {
    workers.emplace_back([&, worker] {
      for (std::size_t i = worker; i < parts; i += threads) {
        float* const first = floats.data() + i * floats_each;
        fill_part(inputs, seed + i, first, first + std::min(floats_each, count - i * floats_each));
      }
    });
  }
  for (std::thread& each : workers) each.join();
  return floats;
}

}  // namespace gtune::bench
