#pragma once

#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {

/// What NVRTC gets.
struct ProgramText {
  std::string source;
  std::vector<std::string> options;
};

/// Messages and line tables name the file as the request does, without its folder.
[[nodiscard]] ProgramText usual_text(const CompileRequest& request);

/// What NVRTC (from CUDA 12.8 on) makes of the headers that a source begins with, kept for compiles
/// of this process that differ in their entries and late macros alone. The first compile is as
/// usual, the second takes a little longer, all others read no headers. The cubins are the same,
/// byte for byte.
class PrecompiledHeaders {
 public:
  explicit PrecompiledHeaders(const NvrtcLibrary& nvrtc);

  /// What to compile for a request; often what is usual. To be followed by done().
  [[nodiscard]] ProgramText prepared(const CompileRequest& request);
  /// `ok`, `log`: of that compile. False where the usual text is to be compiled after all: for its
  /// messages, or because NVRTC could not keep or use the headers.
  [[nodiscard]] bool done(bool ok, const std::string& log);

 private:
  enum class Stage { seen, being_kept, kept, given_up };

  [[nodiscard]] bool begin_to_keep(const CompileRequest& request);
  void take_file();

  const NvrtcLibrary& m_nvrtc;
  std::string m_common;  // of the compiles that they are kept for
  Stage m_stage = Stage::given_up;
  std::string m_file;        // while it is made
  FileDescriptor m_headers;  // later: it has no name that a killed process would leave behind
};

}  // namespace gtune
