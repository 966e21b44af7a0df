#include "cli/compile_cubins.hpp"

#include <chrono>
#include <map>

#include "cli/interrupt.hpp"
#include "cli/open_cubin_cache.hpp"
#include "export/exported_launch.hpp"
#include "jit/compile_pool.hpp"
#include "jit/kernel_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "system/data_folders.hpp"

namespace gtune {

std::vector<EmbeddedCubin> compile_cubins(const KernelSpec& spec, const Portfolio& portfolio) {
  (void)exported_launch(spec);
  catch_interrupts();
  const auto cache = open_cubin_cache();
  PoolOptions options;
  options.compiler_command = {program_path().string(), "compiler"};
  options.cache = cache.get();
  options.nvrtc_version = nvrtc_version();
  CompilePool pool(options);
  const KernelSource source(spec.source, spec.compiler);
  std::vector<EmbeddedCubin> cubins;
  std::map<std::uint64_t, std::size_t> places;  // by ticket
  for (VariantUse& use : uses_to_compile(spec, portfolio)) {
    KernelRequest request = kernel_request(source, spec, spec.steps, use.in(portfolio));
    std::erase(request.compile.options, "-lineinfo");  // it holds this machine's paths
    places[pool.submit(std::move(request))] = cubins.size();
    cubins.push_back({std::move(use), "", {}});
  }
  while (!places.empty()) {
    if (interrupt_requested()) throw UserError(ExitCode::interrupted, "interrupted");
    auto finished = pool.wait_next(std::chrono::milliseconds(100));
    if (!finished) continue;
    EmbeddedCubin& cubin = cubins[places.at(finished->ticket)];
    places.erase(finished->ticket);
    if (!finished->result.ok) {
      throw UserError(ExitCode::failed, portfolio.variants[cubin.use.variant].text() +
                                            " does not compile for " + cubin.use.device.arch() +
                                            ": " + finished->result.reason);
    }
    cubin.entry = finished->result.kernel().name;
    cubin.bytes = std::move(finished->result.cubin);
  }
  return cubins;
}

}  // namespace gtune
