#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jit/kernel_parameters.hpp"
#include "model/measurement.hpp"

namespace gtune {

/// Without this option NVRTC puts its process ID into file-local names, so no two compiles give the
/// same bytes. NVRTC 12.8 lacks it.
inline constexpr const char* fixed_names_option = "--frandom-seed=1";

struct CompileRequest {
  std::string source;       // text
  std::string source_name;  // for messages
  std::string folder;       // of the source, for its includes; may be empty
  /// extern "C" names, or C++ name expressions: "sgemm<128,64>"; each once; none if only
  /// copies and fills are measured
  std::vector<std::string> entries;
  std::vector<std::string> options;
  /// Number of leading lines up to the last header (see count_header_lines); 0: none or unknown.
  std::size_t header_lines = 0;
  /// "NAME=VALUE" of each -D option whose macro those lines and their headers do not name.
  std::vector<std::string> late_macros = {};
  std::string nvcc = {};           // the program that compiles; empty: NVRTC
  std::string host_compiler = {};  // the program that compiles a host function; empty otherwise
  std::string scratch = {};        // folder for temporary files, made by the compiler's client
  bool in_detail = false;          // whether the result has a CompileDetail

  friend bool operator==(const CompileRequest&, const CompileRequest&) = default;
};

/// A compiled entry of a request.
struct CompiledKernel {
  std::string entry;        // as in the request
  std::string name;         // mangled
  ResourceUsage resources;  // without occupancy
  /// Present if the request asks for detail and the compiler's output is understood.
  std::optional<std::vector<KernelParameter>> parameters = {};
};

/// Details that cost time and memory, so a request must ask for them.
struct CompileDetail {
  std::string log;  // the compiler's output, shortened if it is very long
};

struct CompileResult {
  bool ok = false;
  std::string reason;      // why it failed, in one line
  bool timed_out = false;  // it failed because it did not end in time
  std::vector<std::byte> cubin;
  std::vector<CompiledKernel> kernels;  // in the order of the request's entries
  double compile_ms = 0;                // 0 from the cache
  bool from_cache = false;
  std::optional<CompileDetail> detail;  // if the request asks for it

  /// The kernel of a request with one entry; the result must be ok.
  [[nodiscard]] const CompiledKernel& kernel() const { return kernels.at(0); }

  /// Whether a success has a kernel for each of the request's entries. A forged result may not.
  [[nodiscard]] bool fits(const CompileRequest& request) const {
    return !ok || kernels.size() == request.entries.size();
  }
};

}  // namespace gtune
