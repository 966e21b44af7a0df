#include "explain/stall_words.hpp"

#include <algorithm>
#include <iterator>

namespace gtune {
namespace {

struct StallWords {
  std::string_view reason;
  std::string_view words;
};

// From CUPTI's documentation of PC sampling.
constexpr StallWords k_stalls[] = {
    {"barrier", "waits for the block's other warps at a barrier"},
    {"branch_resolving", "waits for the target of a branch"},
    {"dispatch_stall", "is held back by the dispatcher"},
    {"drain", "waits for its stores before it ends"},
    {"gmma", "waits for the tensor cores"},
    {"imc_miss", "waits for a constant that is not in the cache"},
    {"lg_throttle", "waits for a place in the queue for global and local memory"},
    {"long_scoreboard", "waits for data from global or local memory, or a texture"},
    {"math_pipe_throttle", "waits for a busy arithmetic pipe"},
    {"membar", "waits at a memory fence"},
    {"mio_throttle", "waits for a place in the queue for shared memory and special functions"},
    {"no_instructions", "waits for instructions to be fetched"},
    {"not_selected", "could issue, but another warp did"},
    {"selected", "issues an instruction"},
    {"short_scoreboard", "waits for data from shared memory or for a special function"},
    {"sleeping", "sleeps"},
    {"tex_throttle", "waits for a place in the queue for textures"},
    {"wait", "waits the fixed time that its last instruction takes"},
    {"warpgroup_arrive", "waits for the other warps of a warpgroup"},
};

}  // namespace

std::string_view words_of_stall(std::string_view reason) {
  const auto* const found =
      std::find_if(std::begin(k_stalls), std::end(k_stalls),
                   [&](const StallWords& each) { return each.reason == reason; });
  return found == std::end(k_stalls) ? std::string_view() : found->words;
}

}  // namespace gtune
