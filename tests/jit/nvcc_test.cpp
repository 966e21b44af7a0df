#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "jit/compile_frames.hpp"
#include "jit/compile_with_nvcc.hpp"
#include "jit/cubin_cache.hpp"
#include "jit/nvcc_toolchain.hpp"
#include "jit/support.hpp"
#include "model/error.hpp"
#include "spec/compiler_options.hpp"
#include "support/patience.hpp"
#include "system/child_process.hpp"
#include "system/program_output.hpp"
#include "system/scratch_folder.hpp"

// Sources that nvcc compiles, for a spec with compiler = "nvcc".
namespace gtune {
namespace {

using namespace std::chrono_literals;
using test::EnvironmentVariable;
using test::TemporaryFolder;

constexpr const char* source_with_host_code = R"(#include <cstdio>
#include <vector>
template <int N, typename T> __global__ void add(T* data) { data[threadIdx.x] += N; }
namespace ns { template <typename T> __global__ void fill(T* data) { *data = FACTOR; } }
extern "C" __global__ void plain(float* data) { *data = 1; }
namespace ns { __global__ void fill_plainly(float* data) { *data = 3; } }
namespace { __global__ void own(float* data, int) { *data = 2; } }
int main() {
  std::vector<float> data(64);
  add<5, float><<<1, 64>>>(data.data());
  std::printf("%f\n", data[0]);
}
)";

class Nvcc : public testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)nvcc_toolchain();
    } catch (const UserError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  [[nodiscard]] KernelRequest request(const std::string& text, const std::string& entry,
                                      const std::vector<std::string>& options = {}) const {
    const auto file = m_folder.write("kernels.cu", text);
    return KernelSource(file, Compiler::nvcc).request({entry}, options, "sm_90");
  }

  [[nodiscard]] CompileResult compiled(const std::string& text, const std::string& entry,
                                       const std::vector<std::string>& options = {}) const {
    const ScratchFolder scratch;
    CompileRequest compile = request(text, entry, options).compile;
    compile.in_detail = true;
    return compile_with_nvcc(compile, scratch.path());
  }

  /// A script in nvcc's place. It compiles by `body` and passes everything else to nvcc.
  [[nodiscard]] std::string write_fake(const std::string& body) const {
    const auto file = m_folder.write(
        "fake/nvcc", "#!/bin/sh\ncase \"$*\" in\n  *-ptx*|*-cubin*) ;;\n  *) exec " +
                         nvcc_toolchain().file.string() + " \"$@\" ;;\nesac\n" + body + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

  TemporaryFolder m_folder;
};

TEST_F(Nvcc, AMacroOfTheSourceMayHaveAnyShortName) {
  const CompileResult result =
      compiled("#define T float\n__global__ void k(T* y) { *y = 1; }\n", "k");
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST_F(Nvcc, CompilesAnEntryOfASourceWithHostCodeAndFindsItAmongOthers) {
  const std::vector<std::string> options = {"-DFACTOR=3"};
  const auto result = compiled(source_with_host_code, "add<3, float>", options);
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.kernel().name, "_Z3addILi3EfEvPT0_");
  EXPECT_TRUE(test::is_elf(result.cubin));
  EXPECT_GT(result.kernel().resources.registers, 0);
  EXPECT_EQ(result.kernel().resources.cubin_bytes, static_cast<std::int64_t>(result.cubin.size()));
  EXPECT_GT(result.compile_ms, 0);
  ASSERT_TRUE(result.detail && result.kernel().parameters);
  ASSERT_EQ(result.kernel().parameters->size(), 1U);
  EXPECT_EQ(result.kernel().parameters->front().bytes, 8);

  EXPECT_EQ(compiled(source_with_host_code, "ns::fill<double>", options).kernel().name,
            "_ZN2ns4fillIdEEvPT_");
  EXPECT_EQ(compiled(source_with_host_code, "plain", options).kernel().name, "plain");
  EXPECT_EQ(compiled(source_with_host_code, "ns::fill_plainly", options).kernel().name,
            "_ZN2ns12fill_plainlyEPf");
  const auto own = compiled(source_with_host_code, "own", options);
  EXPECT_NE(own.kernel().name.find("own"), std::string::npos) << own.reason;
}

TEST_F(Nvcc, TheCubinHasOnlyTheEntryOfTheSourcesKernelsAndAllItsVariables) {
  const auto result = compiled(
      "__constant__ float weights[16];\n"
      "__global__ void weigh(float* x) { *x *= weights[0]; }\n"
      "static __global__ void halve(float* x) { *x /= 2; }\n"
      "int main() { halve<<<1, 1>>>(nullptr); }\n",
      "halve");
  ASSERT_TRUE(result.ok) << result.reason;
  const std::string cubin(reinterpret_cast<const char*>(result.cubin.data()), result.cubin.size());
  EXPECT_NE(cubin.find("weights"), cubin.npos);
  EXPECT_NE(cubin.find(".text." + result.kernel().name), cubin.npos);
  EXPECT_EQ(cubin.find(".text._Z5weighPf"), cubin.npos);
}

TEST_F(Nvcc, SaysWhatIsWrongWithTheSourcesNameAndLine) {
  EXPECT_EQ(compiled("\n__global__ void f() { nope; }\n", "f").reason,
            "kernels.cu(2): error: identifier \"nope\" is undefined");
  EXPECT_NE(compiled("\n\n#include \"nothing.h\"\n", "f").reason.find("kernels.cu:3:"),
            std::string::npos);
  EXPECT_TRUE(compiled("", "f<3>").reason.starts_with("entry 'f<3>'(1): error: "))
      << compiled("", "f<3>").reason;
  EXPECT_EQ(compiled("void f() {}\n", "f").reason, "the source has no kernel 'f'");
  const auto failed = compiled("__global__ void f() { nope; }\n", "f");
  ASSERT_TRUE(failed.detail);
  EXPECT_EQ(failed.detail->log.find("/gtune-"), std::string::npos) << failed.detail->log;
}

TEST_F(Nvcc, TheSameCompileGivesTheSameBytes) {
  const std::string text = "template <int N> __global__ void add(int* data) { *data += N; }\n";
  // As for exports: line tables contain the time when the source was written.
  CompileRequest compile = request(text, "add<3>").compile;
  std::erase(compile.options, "-lineinfo");
  const ScratchFolder here;
  const ScratchFolder there;
  const auto first = compile_with_nvcc(compile, here.path());
  ASSERT_TRUE(first.ok) << first.reason;
  EXPECT_EQ(first.cubin, compile_with_nvcc(compile, there.path()).cubin);
}

TEST_F(Nvcc, MacrosAndFilesOfTheOptionsComeBeforeTheSource) {
  const auto before = m_folder.write("before.h", "#define TWO ONE + ONE\n");
  const std::string text =
      "#if TWO != 2 || TWICE(3) != 6 || EMPTY + 0 != 0 || defined GONE || __cplusplus < 202000\n"
      "#error they did not\n#endif\n__global__ void f() {}\n";
  const auto result = compiled(text, "f",
                               {"-DONE=1", "--pre-include=" + before.string(), "-DTWICE(a)=2*a",
                                "-DEMPTY=", "-DGONE", "-UGONE", "--std=c++20"});
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST_F(Nvcc, WhatAMacroHasWithinIsNoCommand) {
  const std::string pwned = (m_folder.path() / "pwned").string();
  (void)compiled("__global__ void f() {}\n", "f",
                 {"-DX=$(touch " + pwned + ")", "-DY=`touch " + pwned + "`",
                  "-DZ=\"; touch " + pwned, "-DV=a,-DW=b"});
  EXPECT_FALSE(std::filesystem::exists(pwned));
  const auto folder = m_folder.path() / ("$(touch " + std::string("here)"));
  std::filesystem::create_directories(folder);
  EXPECT_EQ(
      compiled("__global__ void f() {}\n", "f", {"-I" + folder.string()}).reason,
      "nvcc cannot be given '-I" + folder.string() + "': expected no $ ` \" \\ or comma in it");
}

TEST_F(Nvcc, TakesEachOptionThatASpecMayGiveIt) {
  const std::vector<std::vector<std::string>> groups = {
      {"--std=c++20", "-DX=1", "-UX", "--use_fast_math", "--maxrregcount=64",
       "--extra-device-vectorization", "--restrict", "--dopt=on", "--jump-table-density=50",
       "--device-stack-protector=true", "-w", "-err-no", "--diag-error=177",
       "--diag-suppress=177,550", "--optimization-info=inline", "--extended-lambda",
       "--expt-relaxed-constexpr", "--ptxas-options=-O2", "-Xptxas=-dlcm=cg"},
      {"-std=c++14", "--ftz=true", "-fmad=false", "--prec-div=false", "--prec-sqrt=true", "-Ofc=0",
       "--no-display-error-number", "--diag-warn=177", "--brief-diagnostics=true",
       "--expt-extended-lambda", "--ptxas-options=--register-usage-level=3"}};
  for (const auto& options : groups) {
    for (const std::string& option : options) {
      EXPECT_EQ(why_refused(option, Compiler::nvcc), std::nullopt) << option;
    }
    const auto result = compiled("__global__ void f(float* x) { *x = 1; }\n", "f", options);
    EXPECT_TRUE(result.ok) << result.reason;
  }
}

/// The files that nvcc reads for a source, according to nvcc -M.
std::set<std::string> files_read(const std::filesystem::path& source, const std::string& option) {
  const ScratchFolder scratch;
  const auto list = run_to_end({{nvcc_toolchain().file.string(), "-M", option, source.string()},
                                nvcc_environment(scratch.path())});
  EXPECT_TRUE(list.succeeded) << list.text;
  std::istringstream words(list.text.substr(list.text.find(':') + 1));
  std::set<std::string> files;
  for (std::string word; words >> word;) {
    if (word == "\\") continue;
    const std::filesystem::path path = word;
    files.insert((std::filesystem::canonical(path.parent_path()) / path.filename()).string());
  }
  return files;
}

TEST_F(Nvcc, IncludesThatItReadsAreKnownBefore) {
  m_folder.write("beside.h", "#include \"deeper/further.h\"\n");
  m_folder.write("deeper/further.h", "#include <inner.h>\n");
  m_folder.write("folder/inner.h", "#include <vector>\n");
  const std::string option = "-I" + (m_folder.path() / "folder").string();
  const auto file = m_folder.write("kernels.cu",
                                   "#include \"beside.h\"\n#include <cstdio>\n#include "
                                   "<cuda_fp16.h>\n__global__ void f() {}\n");
  IncludeSearch search = include_search(file, std::vector<std::string>{option});
  const auto& folders = nvcc_toolchain().include_folders;
  search.folders.insert(search.folders.end(), folders.begin(), folders.end());
  search.toolkit = folders;
  std::set<std::string> known;
  for (const auto& each : scan_includes(file, search).files) known.insert(each.string());

  // Files that nvcc includes in any source belong to its version.
  const std::set<std::string> always = files_read(m_folder.write("empty.cu", ""), option);
  int read = 0;
  for (const std::string& name : files_read(file, option)) {
    if (always.contains(name) || name.ends_with("kernels.cu")) continue;
    ++read;
    EXPECT_TRUE(known.contains(name)) << name;
  }
  EXPECT_GT(read, 20);
  for (const char* own : {"beside.h", "deeper/further.h", "folder/inner.h"}) {
    EXPECT_TRUE(known.contains((std::filesystem::canonical(m_folder.path()) / own).string()))
        << own;
  }
}

PoolOptions pool_with(CubinCache* cache, std::chrono::milliseconds limit = 60s) {
  PoolOptions options;
  options.threads = 1;
  options.compiler_command = test::compiler_command();
  options.compile_limit = limit;
  options.cache = cache;
  options.nvrtc_version = "13.0";
  return options;
}

TEST_F(Nvcc, ACompileIsCachedForItsVersionAndItsIncludes) {
  const TemporaryFolder cache_folder;
  CubinCache cache({cache_folder.path() / "cache"});
  m_folder.write("own.h", "#define VALUE 1\n");
  const std::string text = "#include \"own.h\"\n__global__ void f(int* x) { *x = VALUE; }\n";
  CompilePool pool(pool_with(&cache));
  const auto first = test::compile_one(pool, request(text, "f"));
  ASSERT_TRUE(first.ok) << first.reason;
  EXPECT_FALSE(first.from_cache);
  const auto again = test::compile_one(pool, request(text, "f"));
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.cubin, first.cubin);
  KernelRequest other = request(text, "f");
  other.nvcc_version += ", another";
  EXPECT_FALSE(test::compile_one(pool, other).from_cache);
  m_folder.write("own.h", "#define VALUE 2\n");
  EXPECT_FALSE(test::compile_one(pool, request(text, "f")).from_cache);
}

std::set<std::string> scratch_folders() {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("gtune-")) names.insert(name);
  }
  return names;
}

/// Whether the process whose number is in the file ends within 5 s.
bool ends(const std::filesystem::path& number_file) {
  pid_t number = 0;
  std::ifstream(number_file) >> number;
  if (number <= 0) return false;
  for (int i = 0; i < 500; ++i) {
    if (kill(number, 0) != 0) return true;
    std::ifstream state("/proc/" + std::to_string(number) + "/stat");
    std::string text;
    std::getline(state, text);
    if (text.find(") Z ") != text.npos) return true;  // a zombie that nobody reaps
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_F(Nvcc, OneThatHangsIsEndedWithWhatItStartedAndItsFiles) {
  const EnvironmentVariable temporary("TMPDIR", m_folder.path().string());
  const auto before = scratch_folders();
  const std::string part = (m_folder.path() / "part").string();
  const EnvironmentVariable fake(
      "GTUNE_NVCC", write_fake("sleep 1000 & echo $! > " + part + "; echo to stderr >&2; wait"));
  const TemporaryFolder cache_folder;
  CubinCache cache({cache_folder.path() / "cache"});
  CompilePool pool(pool_with(&cache, 1s));
  const auto result = test::compile_one(pool, request("__global__ void f() {}\n", "f"));
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.reason.starts_with("the compiler took more than 1 s")) << result.reason;
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(ends(part));
  EXPECT_EQ(scratch_folders(), before);
}

TEST_F(Nvcc, WithItsTunerEndsWhatItStarted) {
  const std::string part = (m_folder.path() / "part").string();
  const EnvironmentVariable fake("GTUNE_NVCC",
                                 write_fake("sleep 1000 & echo $! > " + part + "; wait"));
  const ScratchFolder scratch;
  CompileRequest compile = request("__global__ void f() {}\n", "f").compile;
  compile.scratch = scratch.path().string();
  ChildProcess compiler(test::compiler_command(),
                        {.on_stderr = {}, .signal_at_parents_end = SIGTERM});
  write_frame(compiler.stdin_fd(), to_frame(compile), std::nullopt);
  for (int i = 0; i < 1000 && !std::filesystem::exists(part); ++i) {
    std::this_thread::sleep_for(10ms);
  }
  std::this_thread::sleep_for(50ms);  // by now the number is written
  kill(compiler.pid(), SIGTERM);      // as the kernel does when the tuner dies
  EXPECT_TRUE(ends(part));
}

TEST_F(Nvcc, OneThatIsKilledCostsOneConfigurationAndIsNotCached) {
  const TemporaryFolder cache_folder;
  CubinCache cache({cache_folder.path() / "cache"});
  CompilePool pool(pool_with(&cache));
  const std::string text = "__global__ void f() {}\n";
  {
    const EnvironmentVariable fake("GTUNE_NVCC", write_fake("kill -9 $$"));
    const auto result = test::compile_one(pool, request(text, "f"));
    EXPECT_EQ(result.reason, "the compiler died (exit code 1): nvcc: signal 9 (SIGKILL)");
  }
  const EnvironmentVariable fake(
      "GTUNE_NVCC",
      write_fake("[ -e " + (m_folder.path() / "once").string() + " ] && exec " +
                 nvcc_toolchain().file.string() + " \"$@\"\ntouch " +
                 (m_folder.path() / "once").string() +
                 "\necho \"nvcc error : 'cicc' died due to signal 9 (Kill signal)\" >&2; exit 9"));
  const auto killed = test::compile_one(pool, request(text, "f"));
  EXPECT_EQ(killed.reason,
            "the compiler died (exit code 1): nvcc error : 'cicc' died due to signal 9 (Kill "
            "signal)");
  const auto well = test::compile_one(pool, request(text, "f"));
  EXPECT_TRUE(well.ok) << well.reason;
  EXPECT_FALSE(well.from_cache);
}

TEST_F(Nvcc, WhatItSaysWithoutEndIsBounded) {
  const EnvironmentVariable fake("GTUNE_NVCC",
                                 write_fake("head -c 40000000 /dev/zero | tr '\\0' x >&2; exit 2"));
  const auto result = compiled("__global__ void f() {}\n", "f");
  EXPECT_FALSE(result.ok);
  ASSERT_TRUE(result.detail);
  EXPECT_LT(result.detail->log.size(), 100000U);
}

std::string error_with(const std::string& nvcc) {
  const EnvironmentVariable named("GTUNE_NVCC", nvcc);
  try {
    (void)nvcc_toolchain();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Nvcc, WhereItIsMissingOrNoneOneLineSaysSo) {
  EXPECT_EQ(error_with("/nonexistent/nvcc"),
            "nvcc is not a program at GTUNE_NVCC=/nonexistent/nvcc: set it to nvcc's file, or "
            "unset it");
  EXPECT_EQ(error_with("/bin/true"), "/bin/true is not nvcc: it does not report its release");
  const auto broken = m_folder.write("broken", "#!/bin/sh\necho no licence >&2\nexit 3\n");
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  EXPECT_EQ(error_with(broken.string()),
            "nvcc at " + broken.string() + " does not answer: exit code 3: no licence");
}

TEST_F(Nvcc, TellsItsReleaseItsHostCompilerAndWhereIncludesAre) {
  const NvccToolchain& nvcc = nvcc_toolchain();
  EXPECT_GE(std::stod(nvcc.release), 12.0) << nvcc.release;
  EXPECT_TRUE(nvcc.version.starts_with("nvcc " + nvcc.release + ".")) << nvcc.version;
  EXPECT_NE(nvcc.version.find(" version "), std::string::npos) << nvcc.version;
  bool has_toolkit = false;
  for (const auto& folder : nvcc.include_folders) {
    has_toolkit |= std::filesystem::exists(folder / "cuda_runtime.h");
  }
  EXPECT_TRUE(has_toolkit);
}

}  // namespace
}  // namespace gtune
