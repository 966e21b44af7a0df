#include "jit/compiler_process.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "jit/compile.hpp"
#include "jit/compile_for_host.hpp"
#include "jit/compile_frames.hpp"
#include "jit/compile_with_nvcc.hpp"
#include "system/fault_injection.hpp"
#include "system/take_stdout.hpp"

namespace gtune {
namespace {

/// nvcc and its programs are in this process's group and end with it.
void end_group(int) { kill(0, SIGKILL); }

class Compilers {
 public:
  CompileResult compile(const CompileRequest& request) {
    if (!request.host_compiler.empty()) return compile_for_host(request, request.scratch);
    if (!request.nvcc.empty()) return compile_with_nvcc(request, request.scratch);
    if (!m_nvrtc) m_headers.emplace(m_nvrtc.emplace());
    return gtune::compile(*m_nvrtc, request, &*m_headers);
  }

 private:
  std::optional<NvrtcLibrary> m_nvrtc;  // opened when first needed
  std::optional<PrecompiledHeaders> m_headers;
};

}  // namespace

int run_compiler_process() {
  const int out = take_stdout();
  FaultInjection faults("compiler");
  // If there is a driver, NVRTC uses a cache whose results lack the log, and with it the resource
  // usage. gtune has its own cache.
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  signal(SIGTERM, end_group);
  try {
    Compilers compilers;
    while (const auto request = read_frame(STDIN_FILENO, std::nullopt)) {
      faults.before_reply("compile", out);
      write_frame(out, to_frame(compilers.compile(compile_request_from(*request))));
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace gtune
