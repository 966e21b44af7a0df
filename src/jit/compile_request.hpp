#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jit/kernel_parameters.hpp"
#include "model/measurement.hpp"

namespace gtune {

/// Without it NVRTC puts its process's number into the names of what is local to a file, and no two
/// compiles yield the same bytes. NVRTC 12.8 does not know it yet.
inline constexpr const char* fixed_names_option = "--frandom-seed=1";

struct CompileRequest {
  std::string source;       // text
  std::string source_name;  // for messages
  std::string folder;       // of the source: where its includes are looked for; may be empty
  /// extern "C" names, or C++ name expressions: "sgemm<128,64>"; at least one, each once
  std::vector<std::string> entries;
  std::vector<std::string> options;
  /// Lines that the source begins with, up to its last header; 0: none, or nobody has looked.
  std::size_t header_lines = 0;
  /// "NAME=VALUE" of those -D among the options that no line or file up to there names.
  std::vector<std::string> late_macros = {};
  std::string nvcc = {};           // the program that compiles; empty: NVRTC
  std::string host_compiler = {};  // the program, where it is to run on the host; else empty
  std::string scratch = {};        // folder for files on the way, which the compiler's client makes
  bool in_detail = false;          // the result has a CompileDetail
};

/// An entry of a request, compiled.
struct CompiledKernel {
  std::string entry;        // as in the request
  std::string name;         // mangled
  ResourceUsage resources;  // without occupancy
  /// Where the request asks for detail; absent where they are not understood.
  std::optional<std::vector<KernelParameter>> parameters = {};
};

/// What only who asks for it gets: it takes time and room.
struct CompileDetail {
  std::string log;  // all that the compiler said, cut where it is very long
};

struct CompileResult {
  bool ok = false;
  std::string reason;  // why not, in one line
  std::vector<std::byte> cubin;
  std::vector<CompiledKernel> kernels;  // of the request's entries, in their order
  double compile_ms = 0;                // 0 from the cache
  bool from_cache = false;
  std::optional<CompileDetail> detail;  // where the request asks for it

  /// Of a request of one entry that was compiled.
  [[nodiscard]] const CompiledKernel& kernel() const { return kernels.front(); }
};

}  // namespace gtune
