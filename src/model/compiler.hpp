#pragma once

namespace gtune {

/// The compiler of a spec's CUDA sources.
enum class Compiler { nvrtc, nvcc };

[[nodiscard]] inline const char* compiler_name(Compiler compiler) {
  return compiler == Compiler::nvcc ? "nvcc" : "NVRTC";
}

}  // namespace gtune
