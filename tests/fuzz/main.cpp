// The main program of every fuzz target, with LLVM's libFuzzer, which observes the code that an
// input reaches and keeps inputs that reach new code.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mutate.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gtune::fuzz {
namespace {

/// Larger seeds run unchanged: mutating them would take most of the time.
constexpr std::size_t largest_base = std::size_t{1} << 15;

/// Never destroyed: libFuzzer ends the process without destructors in mind.
Target& target() {
  static Target* const only = make_target().release();
  return *only;
}

/// The target's own first inputs to mutate; libFuzzer itself reads only files.
const std::vector<std::string>& bases() {
  static const auto* const only = new std::vector<std::string>([] {
    std::vector<std::string> small = target().seeds();
    std::erase_if(small, [](const std::string& seed) { return seed.size() > largest_base; });
    if (small.empty()) small.emplace_back();
    return small;
  }());
  return *only;
}

/// A mutation in the target's format.
std::string mutated(const std::string& input, Random& random) {
  const bool afresh = input.size() < 2 || one_in(16, random);
  return target().mutate(afresh ? pick(bases(), random) : input, pick(bases(), random), random);
}

/// Aborts on a fault; libFuzzer then saves the input.
void run_or_abort(const std::string& input) {
  try {
    run_checked(target(), input);
  } catch (const Fault& fault) {
    std::fprintf(stderr, "fault: %s\n", fault.what());
    std::abort();
  }
}

}  // namespace
}  // namespace gtune::fuzz

int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  for (const std::string& seed : gtune::fuzz::target().seeds()) gtune::fuzz::run_or_abort(seed);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gtune::fuzz::run_or_abort(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  gtune::Random random(seed);
  if (random.below(4) == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string made =
      gtune::fuzz::mutated(std::string(reinterpret_cast<const char*>(data), size), random);
  // LLVMFuzzerMutate makes an input if the target made an empty one, which libFuzzer refuses.
  if (made.empty()) return LLVMFuzzerMutate(data, size, most);
  const std::size_t bytes = std::min(made.size(), most);
  std::memcpy(data, made.data(), bytes);
  return bytes;
}
