#include "jit/compiler_process.hpp"

#include <cstdio>
#include <cstdlib>

#include "jit/compile.hpp"
#include "jit/compile_frames.hpp"
#include "system/fault_injection.hpp"
#include "system/take_stdout.hpp"

namespace gtune {

int run_compiler_process() {
  const int out = take_stdout();
  FaultInjection faults("compiler");
  // NVRTC keeps a cache of its own where there is a driver. What comes from it has no log, and
  // so no resource usage; gtune has its own cache.
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  try {
    const NvrtcLibrary nvrtc;
    while (const auto request = read_frame(STDIN_FILENO, std::nullopt)) {
      faults.before_reply("compile", out);
      write_frame(out, to_frame(compile(nvrtc, compile_request_from(*request))));
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace gtune
