#include "worker/host_reference.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "jit/compile_for_host.hpp"
#include "model/error.hpp"
#include "support/build_under_test.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"
#include "system/scratch_folder.hpp"
#include "tune/host_code.hpp"

// References that are C++ functions: compiled, and called in a separate process.
namespace gtune {
namespace {

using namespace std::chrono_literals;

CompileResult compile_function(const std::string& source, const std::string& entry,
                               const std::vector<std::string>& options = {}) {
  const ScratchFolder scratch;
  CompileRequest request;
  request.source = source;
  request.source_name = "reference.cpp";
  request.entries = {entry};
  request.options = options;
  request.host_compiler = host_compiler().string();
  return compile_for_host(request, scratch.path());
}

template <typename T>
std::vector<std::byte> bytes_of_values(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
T value_at(const HostArgument& argument, std::size_t index) {
  T value{};
  std::memcpy(&value, argument.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::vector<HostArgument> scale_arguments() {
  return {{"y", bytes_of_values<float>({0, 0}), true, true},
          {"x", bytes_of_values<float>({1, 2}), true, false},
          {"n", bytes_of_values<int>({2}), false, false},
          {"factor", bytes_of_values<double>({2.5}), false, false}};
}

constexpr const char* scale =
    "#include <vector>\ntemplate <typename T> void scale(T* y, const T* x, int n, double factor) "
    "{\n"
    "  std::vector<T> sum(x, x + n);\n"
    "  for (int i = 0; i < n; ++i) y[i] = static_cast<T>(factor * sum[i] + PLUS);\n}\n";

/// The error of a call of this function, which has the parameters of scale.
std::string failure_of(const std::string& source, std::chrono::milliseconds limit = 60s) {
  CompileResult compiled = compile_function(source, "scale");
  if (!compiled.ok) return compiled.reason;
  auto arguments = scale_arguments();
  try {
    call_on_host({test::gtune_binary(), "host-reference"}, std::move(compiled.cubin), arguments,
                 limit);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no failure";
}

const std::string parameters = "(float* y, const float* x, int n, double)";

TEST(HostReference, ComputesWithTheKernelsArguments) {
  CompileResult compiled = compile_function(scale, "scale<float>", {"-DPLUS=1", "--use_fast_math"});
  ASSERT_TRUE(compiled.ok) << compiled.reason;
  auto arguments = scale_arguments();
  call_on_host({test::gtune_binary(), "host-reference"}, std::move(compiled.cubin), arguments, 60s);
  EXPECT_EQ(value_at<float>(arguments[0], 0), 3.5F);
  EXPECT_EQ(value_at<float>(arguments[0], 1), 6.0F);
  EXPECT_EQ(value_at<float>(arguments[1], 1), 2.0F);
}

TEST(HostReference, AMistakeInItIsOneLineWithItsPlace) {
  EXPECT_TRUE(compile_function("\nvoid scale() { nope; }\n", "scale")
                  .reason.starts_with("reference.cpp:2:16: error: "))
      << compile_function("\nvoid scale() { nope; }\n", "scale").reason;
  EXPECT_TRUE(compile_function("", "scale").reason.starts_with("entry 'scale':"))
      << compile_function("", "scale").reason;
}

TEST(HostReference, ACrashIsOneLine) {
  EXPECT_EQ(failure_of("void scale" + parameters + " { __builtin_trap(); }"),
            "the reference on the host ended without a result (signal 4 (SIGILL))");
  EXPECT_EQ(failure_of("#include <cstdlib>\nvoid scale" + parameters + " { std::exit(0); }"),
            "the reference on the host ended without a result (exit code 0)");
}

TEST(HostReference, AnEndlessLoopIsEndedAtTheLimit) {
  EXPECT_EQ(failure_of("void scale" + parameters + " { for (volatile int i = 0;;) i = n; }", 1s),
            "the reference on the host took more than 1 s");
}

TEST(HostReference, AMissingSymbolIsOneLine) {
  const std::string line =
      failure_of("extern \"C\" int nowhere();\nvoid scale" + parameters + " { y[0] = nowhere(); }");
  EXPECT_TRUE(line.starts_with("the reference on the host cannot be loaded: ")) << line;
  EXPECT_NE(line.find("nowhere"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

TEST(HostReference, OtherParametersThanTheSpecsAreFoundBeforeItIsCalled) {
  EXPECT_EQ(failure_of("void scale(float*, const float*, int) {}"),
            "the reference on the host takes 3 arguments; the spec gives it 4");
  EXPECT_EQ(failure_of("void scale(float*, const float*, long, double) {}"),
            "the reference on the host takes 8 bytes as argument 3; the spec's 'n' has 4");
}

TEST(HostReference, AnInputMustNotChange) {
  EXPECT_EQ(failure_of("void scale(float*, float* x, int, double) { x[0] = 7; }"),
            "the reference on the host changed its input x");
}

TEST(HostReference, WhatItPrintsIsNoResult) {
  EXPECT_EQ(failure_of("#include <cstdio>\nvoid scale" + parameters +
                       " { std::printf(\"gtun garbage\\n\"); y[0] = n; }"),
            "no failure");
}

TEST(HostCode, RunsOnlyForSpecsInFoldersThatTheUserTrusts) {
  const test::TemporaryFolder folder;
  KernelSpec spec;
  spec.file = folder.write("mine/k.toml", "");
  spec.check.reference.emplace();
  spec.check.reference->source = folder.write("mine/r.cpp", "");
  const test::EnvironmentVariable none("GTUNE_TRUST", "");
  EXPECT_NO_THROW(require_trust_in_host_code(spec));  // none of it runs on the host
  spec.check.reference->host_entry = "r";
  const auto allowed = [&](const std::string& trusted) {
    const test::EnvironmentVariable variable("GTUNE_TRUST", trusted);
    try {
      require_trust_in_host_code(spec);
      return true;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      EXPECT_NE(std::string(error.what()).find("GTUNE_TRUST="), std::string::npos);
      return false;
    }
  };
  const std::string root = folder.path().string();
  EXPECT_FALSE(allowed(""));
  EXPECT_FALSE(allowed(root + "/other"));
  EXPECT_FALSE(allowed(root + "/min"));
  EXPECT_FALSE(allowed("."));
  EXPECT_TRUE(allowed(root + "/mine"));
  EXPECT_TRUE(allowed("/nonexistent:" + root));
  std::filesystem::create_directory(folder.path() / "other");
  std::filesystem::create_symlink(folder.path() / "mine/k.toml", folder.path() / "other/k.toml");
  spec.file = folder.path() / "other/k.toml";
  EXPECT_FALSE(allowed(root + "/other"));  // the link leads elsewhere
}

}  // namespace
}  // namespace gtune
