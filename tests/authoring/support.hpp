#pragma once

#include <gtest/gtest.h>

#include <fstream>

#include "authoring/spec_check.hpp"
#include "jit/compile.hpp"
#include "jit/compile_for_host.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {

/// Compiles in the test's own process.
inline std::vector<CompileResult> compile_here(std::vector<KernelRequest> requests) {
  static const NvrtcLibrary nvrtc;
  std::vector<CompileResult> results;
  for (const KernelRequest& request : requests) {
    const bool on_host = !request.compile.host_compiler.empty();
    results.push_back(on_host ? compile_for_host(request.compile, TemporaryFolder().path())
                              : compile(nvrtc, request.compile));
  }
  return results;
}

}  // namespace gtune::test
