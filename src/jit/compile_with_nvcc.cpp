#include "jit/compile_with_nvcc.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "jit/compiler_log.hpp"
#include "jit/kernel_parameters.hpp"
#include "jit/nvcc_toolchain.hpp"
#include "jit/ptxas_log.hpp"
#include "spec/compiler_options.hpp"
#include "system/demangled.hpp"
#include "system/program_output.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// The name of a template kernel whose argument is an entry. The template makes nvcc instantiate
/// the entry, and its mangled name in the PTX identifies the entry's kernel.
std::string marker_of(std::size_t entry) {
  return "gtune_entry_" + std::to_string(entry) + "_marker";
}
constexpr std::string_view marker_end = ">()";  // how its demangled name ends
/// The file name of an entry in the compiler's messages.
std::string entry_file(std::size_t entry) { return "/gtune-entry-" + std::to_string(entry) + "-"; }

class NvccCompile {
 public:
  NvccCompile(const CompileRequest& request, fs::path scratch)
      : m_request(request),
        m_folder(std::move(scratch)),
        m_path(request.folder.empty() ? request.source_name
                                      : request.folder + '/' + request.source_name) {}

  CompileResult run() {
    if (const std::string why = why_unspeakable(); !why.empty()) return failure(why);
    write_source();
    CompileResult result = compile();
    if (m_request.in_detail) {
      result.detail = CompileDetail{shortened_log(m_log)};
      for (CompiledKernel& kernel : result.kernels) {
        kernel.parameters = parse_ptx_parameters(m_ptx, kernel.name);
      }
    }
    return result;
  }

 private:
  /// Compiles to PTX, then only the entries to a cubin. The source's host code may instantiate
  /// hundreds of kernels, which would cost ptxas time and add megabytes to every cubin.
  CompileResult compile() {
    std::vector<std::string> options = m_request.options;
    ProgramOutput output = run_nvcc({"-ptx", "kernel.ptx", "kernel.cu"}, options);
    if (!output.succeeded &&
        output.text.find("nknown option '--frandom-seed") != output.text.npos) {
      std::erase(options, fixed_names_option);
      output = run_nvcc({"-ptx", "kernel.ptx", "kernel.cu"}, options);
    }
    if (CompileResult result = failure_of(output); !result.reason.empty()) return result;
    m_ptx = read("kernel.ptx");
    const std::vector<std::string> kernels = ptx_entries(m_ptx);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_request.entries.size(); ++i) {
      names.push_back(kernel_name(marker_of(i), kernels));
      if (names.back().empty()) return failure(no_kernel(i));
    }
    for (const std::string& option : options_for(names)) options.push_back(option);
    output = run_nvcc({"-cubin", "kernel.cubin", "kernel.ptx"}, options);
    if (CompileResult result = failure_of(output); !result.reason.empty()) return result;
    return success(names);
  }

  /// Adds nvcc's output to the log. The result has no reason if the run succeeded.
  [[nodiscard]] CompileResult failure_of(const ProgramOutput& output) {
    m_log += readable(output.text);
    if (output.succeeded) return {};
    require_fault_of_source(output);
    const std::string reason = first_error(m_log);
    return failure(reason.empty() ? "nvcc: " + output.end : reason);
  }

  /// Restricts ptxas to these kernels. Empty if a shell would interpret a name; ptxas then compiles
  /// all kernels.
  static std::vector<std::string> options_for(const std::vector<std::string>& names) {
    std::vector<std::string> options;
    for (const std::string& name : names) {
      if (name.find('$') != name.npos) return {};
      options.insert(options.end(), {"-Xptxas", "--entry", "-Xptxas", name});
    }
    return options;
  }

  static CompileResult failure(std::string reason) {
    CompileResult result;
    result.reason = std::move(reason);
    return result;
  }

  /// Why an option cannot be passed: nvcc uses a shell and splits values at commas.
  [[nodiscard]] std::string why_unspeakable() const {
    for (const std::string& option : m_request.options) {
      const bool is_folder = option.starts_with("-I");
      const char* const special = is_folder ? "$`\"\\," : "$`\"\\";
      if (source_line(option) || option.find_first_of(special) == std::string::npos) continue;
      return "nvcc cannot be given '" + option + "': expected no $ ` \" \\ or comma in it";
    }
    return "";
  }

  /// Writes the options' macros and included files into the source: a shell would interpret them on
  /// nvcc's command line.
  void write_source() const {
    std::ofstream out(m_folder / "kernel.cu", std::ios::binary);
    for (const std::string& option : m_request.options) {
      if (const auto line = source_line(option)) out << *line << "\n\n";
    }
    // The full path keeps the folder of this compile out of the cubin's line table.
    out << "#line 1 " << string_literal(m_path) << '\n' << m_request.source << '\n';
    for (std::size_t i = 0; i < m_request.entries.size(); ++i) {
      const std::string& entry = m_request.entries[i];
      out << "#line 1 \"" << entry_file(i) << "\"\n"
          << "template <typename gtune_type, gtune_type> __global__ void " << marker_of(i)
          << "() {}\n#line 1\n"
          << "template __global__ void " << marker_of(i) << "<decltype(&" << entry << "), &"
          << entry << ">();\n";
    }
    if (!out.flush()) throw std::runtime_error("cannot write to " + m_folder.string());
  }

  struct Phase {
    const char* name;
    const char* output;
    const char* input;
  };
  [[nodiscard]] ProgramOutput run_nvcc(const Phase& phase,
                                       const std::vector<std::string>& options) const {
    std::vector<std::string> command = {m_request.nvcc, phase.name, "-o",
                                        (m_folder / phase.output).string(),
                                        (m_folder / phase.input).string()};
    for (const std::string& option : options) {
      if (!source_line(option)) command.push_back(option);
    }
    return run_to_end({command, nvcc_environment(m_folder)});
  }

  /// The log without the paths of temporary files, and with the source's name as the user gave it.
  [[nodiscard]] std::string readable(std::string log) const {
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (auto at = log.find(from); at != log.npos; at = log.find(from, at + to.size())) {
        log.replace(at, from.size(), to);
      }
    };
    replace(m_path, m_request.source_name);
    replace(m_folder.string() + "/kernel.cu", m_request.source_name);
    replace(m_folder.string() + '/', "");
    for (std::size_t i = 0; i < m_request.entries.size(); ++i) {
      replace(entry_file(i), "entry '" + m_request.entries[i] + "'");
    }
    return log;
  }

  /// Throws if a program crashed or memory or disk space ran out, since a retry may succeed.
  void require_fault_of_source(const ProgramOutput& output) const {
    if (output.end.starts_with("signal")) throw std::runtime_error("nvcc: " + output.end);
    for (const char* text : {"died due to signal", "No space left on device",
                             "Cannot allocate memory", "terminated by signal"}) {
      const auto at = m_log.find(text);
      if (at == m_log.npos) continue;
      const auto begin = at == 0 ? 0 : m_log.rfind('\n', at) + 1;
      throw std::runtime_error(m_log.substr(begin, m_log.find('\n', at) - begin));
    }
  }

  [[nodiscard]] std::string no_kernel(std::size_t entry) const {
    return "the source has no kernel '" + m_request.entries[entry] + "'";
  }

  [[nodiscard]] CompileResult success(const std::vector<std::string>& names) const {
    const std::string cubin = read("kernel.cubin");
    CompileResult result;
    for (std::size_t i = 0; i < m_request.entries.size(); ++i) {
      const auto usage = parse_ptxas_log(m_log, names[i]);
      if (!usage) return failure(no_kernel(i));
      result.kernels.push_back({m_request.entries[i], names[i], *usage});
      result.kernels.back().resources.cubin_bytes = static_cast<std::int64_t>(cubin.size());
    }
    if (cubin.empty()) throw std::runtime_error("nvcc wrote no cubin");
    const auto bytes = std::as_bytes(std::span(cubin));
    result.cubin.assign(bytes.begin(), bytes.end());
    result.ok = true;
    return result;
  }

  /// The kernel in `names` that is the marker's template argument; empty if there is none.
  static std::string kernel_name(const std::string& marker, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const std::string text = demangled(name);
      if (text.find(marker) == text.npos || !text.ends_with(marker_end)) continue;
      for (auto at = text.find(", &"); at != text.npos; at = text.find(", &", at + 1)) {
        const std::string marked = text.substr(at + 3, text.size() - at - 3 - marker_end.size());
        for (const std::string& other : names) {
          if (is_marked(other, marked)) return other;
        }
      }
    }
    return "";
  }

  /// `marked`: a function as a template argument, as demanglers write it:
  /// "(void ns::scale<3>(float*))" or "ns::scale".
  static bool is_marked(const std::string& name, const std::string& marked) {
    const std::string text = demangled(name);
    if (marked == "(" + text + ")" || text.starts_with(marked + "(")) return true;
    return text == name && marked.starts_with("(" + name + "(");  // extern "C"
  }

  [[nodiscard]] std::string read(const char* name) const {
    std::ifstream in(m_folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const CompileRequest& m_request;
  fs::path m_folder;
  std::string m_path;  // of the source
  std::string m_log;
  std::string m_ptx;
};

}  // namespace

CompileResult compile_with_nvcc(const CompileRequest& request, const fs::path& scratch) {
  const auto start = std::chrono::steady_clock::now();
  CompileResult result = NvccCompile(request, scratch).run();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.compile_ms = took.count();
  return result;
}

}  // namespace gtune
