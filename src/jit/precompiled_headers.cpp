#include "jit/precompiled_headers.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "jit/compiler_log.hpp"
#include "jit/source_directives.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// Smaller headers are read in milliseconds; NVRTC's built-in headers alone make about 8 MB.
constexpr std::uintmax_t least_worthwhile_bytes = std::uintmax_t{12} << 20;
/// CUTLASS needs 270 MB. The heap is reserved, not committed.
constexpr std::size_t heap_bytes = std::size_t{1} << 30;
/// Memory per process that may precompile at once: a heap, and a file that may be in memory.
constexpr std::uintmax_t room_bytes = std::uintmax_t{1} << 30;

/// Memory that is available without swapping; 0 if unknown.
std::uintmax_t available_memory() {
  std::ifstream in("/proc/meminfo");
  const std::string wanted = "MemAvailable:";
  for (std::string word; in >> word;) {
    std::uintmax_t kib = 0;
    if (word == wanted && in >> kib) return kib * 1024;
  }
  return 0;
}

bool has_room(const fs::path& folder) {
  const std::uintmax_t processes = hardware_threads();
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && std::min(space.available, available_memory()) / processes >= room_bytes;
}

bool is_late(const CompileRequest& request, const std::string& option) {
  return std::any_of(request.late_macros.begin(), request.late_macros.end(),
                     [&](const std::string& macro) { return option == "-D" + macro; });
}

/// NVRTC precompiles everything before the first token, so this puts a token after the headers, and
/// defines the late macros after it. NVRTC does not accept a #line before the token.
ProgramText with_headers_apart(const CompileRequest& request) {
  std::string between = "extern \"C\" {}\n";
  for (const std::string& macro : request.late_macros) {
    const std::size_t equals = macro.find('=');
    between += "#define " + macro.substr(0, equals) + ' ' + macro.substr(equals + 1) + '\n';
  }
  between += "#line " + std::to_string(request.header_lines + 1);
  if (!request.folder.empty()) between += ' ' + string_literal(request.source_name);
  between += '\n';
  ProgramText program{request.source, {}};
  program.source.insert(first_lines(program.source, request.header_lines).size(), between);
  for (const std::string& option : request.options) {
    if (!is_late(request, option)) program.options.push_back(option);
  }
  return program;
}

std::string common_part(const CompileRequest& request) {
  std::string common = request.folder + '\n' + request.source_name + '\n' + request.source;
  for (const std::string& option : request.options) {
    if (!is_late(request, option)) common += '\n' + option;
  }
  return common;
}

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(const NvrtcLibrary& nvrtc) : m_nvrtc(nvrtc) {}

ProgramText usual_text(const CompileRequest& request) {
  if (request.folder.empty()) return {request.source, request.options};
  return {"#line 1 " + string_literal(request.source_name) + '\n' + request.source,
          request.options};
}

ProgramText PrecompiledHeaders::prepared(const CompileRequest& request) {
  if (request.header_lines == 0 || m_nvrtc.set_pch_heap_size == nullptr) {
    m_common.clear();
    m_stage = Stage::given_up;
    return usual_text(request);
  }
  std::string common = common_part(request);
  if (common != m_common) {
    m_common = std::move(common);
    m_stage = Stage::seen;
    m_headers.reset();
    return usual_text(request);
  }
  if (m_stage == Stage::seen && !begin_to_keep(request)) m_stage = Stage::given_up;
  if (m_stage == Stage::given_up) return usual_text(request);
  ProgramText program = with_headers_apart(request);
  program.options.push_back(m_stage == Stage::being_kept
                                ? "--create-pch=" + m_file
                                : "--use-pch=/proc/self/fd/" + std::to_string(m_headers.get()));
  program.options.emplace_back("--pch-messages=false");
  program.options.emplace_back("--pch-verbose=false");
  return program;
}

bool PrecompiledHeaders::begin_to_keep(const CompileRequest& request) {
  if (request.scratch.empty() || !has_room(request.scratch)) return false;
  if (m_nvrtc.set_pch_heap_size(heap_bytes) != NVRTC_SUCCESS) return false;
  m_file = request.scratch + "/headers";
  m_stage = Stage::being_kept;
  return true;
}

bool PrecompiledHeaders::done(bool ok, const std::string& log) {
  if (m_stage != Stage::being_kept && m_stage != Stage::kept) return true;
  if (m_stage == Stage::being_kept) take_file();
  if (log.find("precompiled header") != std::string::npos) m_stage = Stage::given_up;
  return ok;
}

void PrecompiledHeaders::take_file() {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(m_file, error);
  m_stage = Stage::given_up;
  if (!error && bytes >= least_worthwhile_bytes) {
    m_headers = FileDescriptor(open(m_file.c_str(), O_RDONLY | O_CLOEXEC));
    if (m_headers.get() >= 0) m_stage = Stage::kept;
  }
  fs::remove(m_file, error);
}

}  // namespace gtune
