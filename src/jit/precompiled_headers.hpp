#pragma once

#include <string>
#include <vector>

#include "jit/compile_request.hpp"
#include "jit/nvrtc_library.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {

/// The input of NVRTC.
struct ProgramText {
  std::string source;
  std::vector<std::string> options;
};

/// The text without precompiled headers. Messages and line tables name the file as in the request,
/// without its folder.
[[nodiscard]] ProgramText usual_text(const CompileRequest& request);

/// NVRTC's precompiled form (since CUDA 12.8) of a source's first headers, reused by compiles of
/// this process that differ only in their entries and late macros. The first compile is a usual
/// one, the second takes a little longer, and later ones read no headers. The cubins are the same,
/// byte for byte.
class PrecompiledHeaders {
 public:
  explicit PrecompiledHeaders(const NvrtcLibrary& nvrtc);

  /// The text to compile for a request, often the usual one. A call of done() must follow.
  [[nodiscard]] ProgramText prepared(const CompileRequest& request);
  /// `ok`, `log`: the result of that compile. Returns false if the usual text must be compiled
  /// after all, for its messages or because NVRTC could not keep or use the headers.
  [[nodiscard]] bool done(bool ok, const std::string& log);

 private:
  enum class Stage { seen, being_kept, kept, given_up };

  [[nodiscard]] bool begin_to_keep(const CompileRequest& request);
  void take_file();

  const NvrtcLibrary& m_nvrtc;
  std::string m_common;  // what the compiles that share the headers have in common
  Stage m_stage = Stage::given_up;
  std::string m_file;        // while it is written
  FileDescriptor m_headers;  // of the unlinked file, which disappears even if the process is killed
};

}  // namespace gtune
