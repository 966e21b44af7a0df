#pragma once

#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/kernel_request.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {

inline const std::string arch = "sm_90a";

inline const std::string scale_source =
    "extern \"C\" __global__ void scale(float* data) { data[threadIdx.x] *= FACTOR; }\n";

/// A small kernel; `factor` makes it a different one.
inline KernelRequest scale_request(int factor) {
  return KernelSource(scale_source, "scale.cu")
      .request("scale", {"-DFACTOR=" + std::to_string(factor)}, arch);
}

inline CompileRequest request_for(const std::string& source, const std::string& entry,
                                  const std::string& target = arch) {
  return KernelSource(source, "test.cu").request(entry, {}, target).compile;
}

inline std::vector<std::string> compiler_command() { return {"/proc/self/exe", "compiler"}; }

}  // namespace gtune::test
