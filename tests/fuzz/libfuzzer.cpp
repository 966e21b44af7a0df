// The same targets under LLVM's libFuzzer, which observes the code that an input reaches and keeps
// inputs that reach new code.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "input_source.hpp"
#include "mutate.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gtune::fuzz {
namespace {

/// Never destroyed: libFuzzer ends the process without destructors in mind.
Target& target() {
  static Target* const only = make_target().release();
  return *only;
}

/// The target's own first inputs; libFuzzer itself reads only files.
const std::vector<std::string>& seeds() {
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
  return target().mutate(afresh ? pick(seeds(), random) : input, pick(seeds(), random), random);
}

}  // namespace
}  // namespace gtune::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    gtune::fuzz::run_checked(gtune::fuzz::target(),
                             std::string(reinterpret_cast<const char*>(data), size));
  } catch (const gtune::fuzz::Fault& fault) {
    std::fprintf(stderr, "fault: %s\n", fault.what());
    std::abort();
  }
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
