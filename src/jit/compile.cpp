#include "jit/compile.hpp"

#include <chrono>
#include <string_view>

#include "jit/ptxas_log.hpp"

namespace gtune {
namespace {

class Program {
 public:
  Program(const NvrtcLibrary& nvrtc, const CompileRequest& request) : m_nvrtc(nvrtc) {
    m_created = nvrtc.create_program(&m_program, request.source.c_str(),
                                     request.source_name.c_str(), 0, nullptr, nullptr);
  }
  ~Program() {
    if (m_program != nullptr) m_nvrtc.destroy_program(&m_program);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] nvrtcResult created() const { return m_created; }
  [[nodiscard]] nvrtcProgram get() const { return m_program; }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (m_nvrtc.get_log_size(m_program, &size) != NVRTC_SUCCESS || size == 0) return "";
    std::string text(size, '\0');
    m_nvrtc.get_log(m_program, text.data());
    text.resize(size - 1);  // the terminating zero
    return text;
  }

  [[nodiscard]] std::vector<std::byte> cubin() const {
    std::size_t size = 0;
    if (m_nvrtc.get_cubin_size(m_program, &size) != NVRTC_SUCCESS) return {};
    std::vector<std::byte> bytes(size);
    m_nvrtc.get_cubin(m_program, reinterpret_cast<char*>(bytes.data()));
    return bytes;
  }

 private:
  const NvrtcLibrary& m_nvrtc;
  nvrtcProgram m_program = nullptr;
  nvrtcResult m_created = NVRTC_SUCCESS;
};

/// The first line that tells of an error, or the first of all.
std::string first_error(std::string_view log) {
  std::string_view fallback;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    if (line.find("error") != line.npos || line.find("fatal") != line.npos) {
      return std::string(line);
    }
    if (fallback.empty()) fallback = line;
    log = end == log.npos ? std::string_view() : log.substr(end + 1);
  }
  return std::string(fallback);
}

bool is_name_expression(const std::string& entry) {
  return entry.find_first_of("<:") != std::string::npos;
}

CompileResult failure(std::string reason) {
  CompileResult result;
  result.reason = std::move(reason);
  return result;
}

CompileResult compile_program(const NvrtcLibrary& nvrtc, const CompileRequest& request) {
  const Program program(nvrtc, request);
  if (program.created() != NVRTC_SUCCESS) {
    return failure(nvrtc.get_error_string(program.created()));
  }
  const bool by_expression = is_name_expression(request.entry);
  if (by_expression) nvrtc.add_name_expression(program.get(), request.entry.c_str());
  std::vector<const char*> options;
  for (const std::string& option : request.options) options.push_back(option.c_str());
  const nvrtcResult compiled =
      nvrtc.compile_program(program.get(), static_cast<int>(options.size()), options.data());
  const std::string log = program.log();
  if (compiled != NVRTC_SUCCESS) {
    const std::string line = first_error(log);
    return failure(line.empty() ? nvrtc.get_error_string(compiled) : line);
  }
  CompileResult result;
  result.kernel_name = request.entry;
  const char* lowered = nullptr;
  if (by_expression && nvrtc.get_lowered_name(program.get(), request.entry.c_str(), &lowered) ==
                           NVRTC_SUCCESS) {
    result.kernel_name = lowered;
  }
  const auto usage = parse_ptxas_log(log, result.kernel_name);
  if (!usage) return failure("the source has no kernel '" + request.entry + "'");
  result.resources = *usage;
  result.cubin = program.cubin();
  result.resources.cubin_bytes = static_cast<std::int64_t>(result.cubin.size());
  result.ok = true;
  return result;
}

}  // namespace

CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  CompileResult result = compile_program(nvrtc, request);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.compile_ms = took.count();
  return result;
}

}  // namespace gtune
