#include "cli/compile_all.hpp"

#include <chrono>
#include <map>

#include "cli/compile_progress.hpp"
#include "cli/interrupt.hpp"
#include "jit/compile_pool.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "system/data_folders.hpp"

namespace gtune {

std::vector<CompileResult> compile_all(std::vector<KernelRequest> requests) {
  catch_interrupts();
  PoolOptions options;
  options.compiler_command = {program_path().string(), "compiler"};
  options.nvrtc_version = nvrtc_version();
  CompilePool pool(options);
  std::map<std::uint64_t, std::size_t> places;  // by ticket
  std::vector<CompileResult> results(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    places[pool.submit(std::move(requests[i]))] = i;
  }
  CompileProgress progress(results.size());
  while (!places.empty()) {
    progress.show(results.size() - places.size());
    if (interrupt_requested()) throw UserError(ExitCode::interrupted, "interrupted");
    auto finished = pool.wait_next(std::chrono::milliseconds(100));
    if (!finished) continue;
    results[places.at(finished->ticket)] = std::move(finished->result);
    places.erase(finished->ticket);
  }
  return results;
}

}  // namespace gtune
