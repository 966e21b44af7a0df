// The same targets under LLVM's libFuzzer, which sees what an input reaches and keeps those that
// reach something new.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

gtune::fuzz::Target& target() {
  // Never destroyed: libFuzzer ends the process in ways of its own.
  static gtune::fuzz::Target* const only = gtune::fuzz::make_target().release();
  return *only;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    run_checked(target(), std::string(reinterpret_cast<const char*>(data), size));
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
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string made = target().mutate(input, input, random);
  const std::size_t bytes = std::min(made.size(), most);
  std::memcpy(data, made.data(), bytes);
  return bytes;
}
