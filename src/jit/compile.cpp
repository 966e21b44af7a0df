#include "jit/compile.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string_view>

#include "jit/compiler_log.hpp"
#include "jit/ptxas_log.hpp"

namespace gtune {
namespace {

class Program {
 public:
  /// NVRTC looks for includes in the path's folder; without one, in the working directory.
  Program(const NvrtcLibrary& nvrtc, const CompileRequest& request, const std::string& text)
      : m_nvrtc(nvrtc) {
    std::string path =
        request.folder.empty() ? request.source_name : request.folder + '/' + request.source_name;
    std::replace(path.begin(), path.end(), '"', '_');  // NVRTC writes it into PTX as it is
    m_created = nvrtc.create_program(&m_program, text.c_str(), path.c_str(), 0, nullptr, nullptr);
  }
  ~Program() {
    if (m_program != nullptr) m_nvrtc.destroy_program(&m_program);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] nvrtcResult created() const { return m_created; }
  [[nodiscard]] nvrtcProgram get() const { return m_program; }

  [[nodiscard]] nvrtcResult compile(const std::vector<std::string>& options) const {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    return m_nvrtc.compile_program(m_program, static_cast<int>(texts.size()), texts.data());
  }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (m_nvrtc.get_log_size(m_program, &size) != NVRTC_SUCCESS || size == 0) return "";
    std::string text(size, '\0');
    m_nvrtc.get_log(m_program, text.data());
    // The log ends with a zero byte, and ptxas puts more of them before some errors.
    std::erase(text, '\0');
    return text;
  }

  /// The PTX from which the cubin was made; empty if there is none.
  [[nodiscard]] std::string ptx() const {
    std::size_t size = 0;
    if (m_nvrtc.get_ptx_size(m_program, &size) != NVRTC_SUCCESS || size == 0) return "";
    std::string text(size, '\0');
    if (m_nvrtc.get_ptx(m_program, text.data()) != NVRTC_SUCCESS) return "";
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

/// Whether NVRTC ran out of memory or failed internally; a new process may then succeed.
bool is_transient(nvrtcResult result) {
  return result == NVRTC_ERROR_OUT_OF_MEMORY || result == NVRTC_ERROR_INTERNAL_ERROR ||
         result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

/// NVRTC reports an error in an entry's name as one in a generated file; this names the entry.
std::string without_name_map(std::string line, const std::vector<std::string>& entries) {
  constexpr std::string_view made_up = "__nv_name_map(";
  if (!line.starts_with(made_up)) return line;
  constexpr std::string_view unknown = "error: identifier \"";
  const std::size_t name = line.find(unknown);
  if (name != line.npos && line.ends_with("\" is undefined")) {
    const std::size_t begin = name + unknown.size();
    const std::string word = line.substr(begin, line.rfind('"') - begin);
    const bool is_kernel = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry == word || entry.starts_with(word + "<");
    });
    if (is_kernel) return "the source has no kernel '" + word + "'";
  }
  std::string names;
  for (const std::string& entry : entries) names += (names.empty() ? "'" : " or '") + entry + "'";
  return "entry " + names + line.substr(std::min(line.find(')') + 1, line.size()));
}

CompileResult failure(std::string reason) {
  CompileResult result;
  result.reason = std::move(reason);
  return result;
}

nvrtcResult compile_with_known_options(const Program& program,
                                       const std::vector<std::string>& options) {
  const nvrtcResult compiled = program.compile(options);
  if (compiled != NVRTC_ERROR_INVALID_OPTION ||
      program.log().find(fixed_names_option) == std::string::npos) {
    return compiled;
  }
  std::vector<std::string> known = options;
  std::erase(known, fixed_names_option);
  return program.compile(known);
}

CompileResult result_of(const NvrtcLibrary& nvrtc, const Program& program,
                        const CompileRequest& request, const std::string& log) {
  CompileResult result;
  result.cubin = program.cubin();
  for (const std::string& entry : request.entries) {
    CompiledKernel kernel{entry, entry, {}};
    const char* lowered = nullptr;
    if (nvrtc.get_lowered_name(program.get(), entry.c_str(), &lowered) == NVRTC_SUCCESS) {
      kernel.name = lowered;
    }
    const auto usage = parse_ptxas_log(log, kernel.name);
    if (!usage) return failure("the source has no kernel '" + entry + "'");
    kernel.resources = *usage;
    kernel.resources.cubin_bytes = static_cast<std::int64_t>(result.cubin.size());
    result.kernels.push_back(std::move(kernel));
  }
  result.ok = true;
  return result;
}

CompileResult compile_program(const NvrtcLibrary& nvrtc, const CompileRequest& request,
                              const ProgramText& text, std::string& log) {
  const Program program(nvrtc, request, text.source);
  if (program.created() != NVRTC_SUCCESS) {
    return failure(nvrtc.get_error_string(program.created()));
  }
  for (const std::string& entry : request.entries) {
    nvrtc.add_name_expression(program.get(), entry.c_str());
  }
  const nvrtcResult compiled = compile_with_known_options(program, text.options);
  log = program.log();
  CompileResult result;
  if (compiled == NVRTC_SUCCESS) {
    result = result_of(nvrtc, program, request, log);
  } else {
    if (is_transient(compiled)) throw std::runtime_error(nvrtc.get_error_string(compiled));
    const std::string line = first_error(log);
    result = failure(line.empty() ? nvrtc.get_error_string(compiled)
                                  : without_name_map(line, request.entries));
  }
  if (request.in_detail) {
    result.detail = CompileDetail{shortened_log(log)};
    const std::string ptx = result.ok ? program.ptx() : "";
    for (CompiledKernel& kernel : result.kernels) {
      kernel.parameters = parse_ptx_parameters(ptx, kernel.name);
    }
  }
  return result;
}

}  // namespace

CompileResult compile(const NvrtcLibrary& nvrtc, const CompileRequest& request,
                      PrecompiledHeaders* headers) {
  const auto start = std::chrono::steady_clock::now();
  std::string log;
  CompileResult result = compile_program(
      nvrtc, request, headers == nullptr ? usual_text(request) : headers->prepared(request), log);
  if (headers != nullptr && !headers->done(result.ok, log)) {
    result = compile_program(nvrtc, request, usual_text(request), log);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.compile_ms = took.count();
  return result;
}

}  // namespace gtune
