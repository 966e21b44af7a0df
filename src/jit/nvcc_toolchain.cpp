#include "jit/nvcc_toolchain.hpp"

#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>

#include "jit/nvrtc_library.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"
#include "system/find_program.hpp"
#include "system/program_output.hpp"
#include "system/scratch_folder.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// Ten times what nvcc needs to answer on a busy machine.
constexpr auto most_asking = std::chrono::seconds(20);

fs::path find_nvcc() {
  // If the user names a program, no other is considered, as with NVRTC.
  const char* named = std::getenv("GTUNE_NVCC");
  if (named != nullptr && *named != '\0') {
    if (is_program(named)) return fs::absolute(named);
    throw UserError(ExitCode::failed, std::string("nvcc is not a program at GTUNE_NVCC=") + named +
                                          ": set it to nvcc's file, or unset it");
  }
  if (auto found = find_toolkit_program("nvcc")) return *found;
  throw UserError(
      ExitCode::failed,
      "this spec is compiled with nvcc (part of the CUDA Toolkit), which is neither on "
      "PATH nor in /usr/local/cuda: install the toolkit, or set CUDA_HOME or GTUNE_NVCC");
}

std::string answer_of(const fs::path& nvcc, std::vector<std::string> options,
                      const fs::path& scratch) {
  options.insert(options.begin(), nvcc.string());
  const ProgramOutput output = run_to_end({options, nvcc_environment(scratch), most_asking});
  if (output.succeeded) return output.text;
  std::string text = output.text;
  while (text.ends_with('\n')) text.pop_back();
  throw UserError(ExitCode::failed,
                  one_line("nvcc at " + nvcc.string() + " does not answer: " + output.end + ": " +
                           text.substr(text.find_last_of('\n') + 1)));
}

/// "13.0.88" in "Cuda compilation tools, release 13.0, V13.0.88".
std::string release_in(const std::string& text) {
  const auto at = text.find(", V");
  if (text.find("Cuda compilation tools, release") == std::string::npos ||
      at == std::string::npos) {
    return "";
  }
  return text.substr(at + 3, text.find_first_of("\r\n", at) - at - 3);
}

/// Reads the verbose output of the host compiler's preprocessor.
void read_host_compiler(const std::string& text, NvccToolchain& nvcc) {
  std::istringstream lines(text);
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include <...> search starts here")) {
      in_list = true;
    } else if (line.starts_with("End of search list")) {
      in_list = false;
    } else if (in_list && line.starts_with(' ')) {
      nvcc.include_folders.emplace_back(line.substr(1));
    } else if (line.find("gcc version ") != std::string::npos ||
               line.find("clang version ") != std::string::npos) {
      nvcc.version += ", " + one_line(line);
    }
  }
}

NvccToolchain ask(const fs::path& file) {
  const ScratchFolder scratch;
  const std::string release = release_in(answer_of(file, {"--version"}, scratch.path()));
  if (release.empty()) {
    throw UserError(ExitCode::failed,
                    file.string() + " is not nvcc: it does not report its release");
  }
  // The release is "13.0.88" without its last part.
  NvccToolchain nvcc{file, release.substr(0, release.find_last_of('.')), "nvcc " + release, {}};
  const std::vector<std::string> verbose = {"-E", "-Xcompiler", "-v", "-x", "cu", "/dev/null"};
  read_host_compiler(answer_of(file, verbose, scratch.path()), nvcc);
  if (nvcc.include_folders.empty()) {
    throw UserError(ExitCode::failed, file.string() +
                                          ": its host compiler does not report its folders for "
                                          "includes; expected gcc or clang");
  }
  return nvcc;
}

}  // namespace

const NvccToolchain& nvcc_toolchain() {
  static std::mutex mutex;
  static std::map<fs::path, NvccToolchain> known;
  const std::scoped_lock lock(mutex);
  const fs::path file = find_nvcc();
  const auto found = known.find(file);
  if (found != known.end()) return found->second;
  return known.emplace(file, ask(file)).first->second;
}

std::string compiler_release(Compiler compiler) {
  return compiler == Compiler::nvcc ? nvcc_toolchain().release : nvrtc_version();
}

std::vector<std::pair<std::string, std::optional<std::string>>> nvcc_environment(
    const fs::path& temporary_files) {
  // Options from these variables would not be part of the cache's keys.
  return {{"NVCC_PREPEND_FLAGS", std::nullopt},
          {"NVCC_APPEND_FLAGS", std::nullopt},
          {"LC_ALL", "C"},
          {"TMPDIR", temporary_files.string()}};
}

}  // namespace gtune
