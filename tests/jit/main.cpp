#include <gtest/gtest.h>

#include <csignal>
#include <string_view>

#include "jit/compiler_process.hpp"

/// NVRTC leaks memory with some options; gtune cannot free it.
extern "C" const char* __lsan_default_suppressions() { return "leak:libnvrtc\n"; }

// The test program is also its own compiler process, as gtune is.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "compiler") return gtune::run_compiler_process();
  std::signal(SIGPIPE, SIG_IGN);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
