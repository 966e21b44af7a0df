#pragma once

namespace gtune {

/// What a spec's CUDA sources are compiled with.
enum class Compiler { nvrtc, nvcc };

[[nodiscard]] inline const char* compiler_name(Compiler compiler) {
  return compiler == Compiler::nvcc ? "nvcc" : "NVRTC";
}

}  // namespace gtune
