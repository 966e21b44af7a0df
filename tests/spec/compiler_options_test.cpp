#include "spec/compiler_options.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

/// A spec with these options, written as TOML, and the parameters BM and R.
std::string spec_with_options(const std::string& options) {
  std::string text = spec_text("BM = [32, 64]\nR = [24, 70000]\n");
  const std::string entry = "entry = \"k\"\n";
  return text.replace(text.find(entry), entry.size(), entry + "options = [" + options + "]\n");
}

/// A folder with a spec, its source, a header and a folder of headers.
class CompilerOptions : public testing::Test {
 protected:
  CompilerOptions() {
    m_folder.write("spec/k.cu", "");
    m_folder.write("spec/pre.h", "");
    m_folder.write("spec/include/x.h", "");
    m_folder.write("secret.h", "");
  }

  [[nodiscard]] KernelSpec spec(const std::string& options) const {
    return read_spec(m_folder.write("spec/k.toml", spec_with_options(options)), {});
  }

  /// The error's line without the spec's path.
  [[nodiscard]] std::string error_of(const std::string& options) const {
    try {
      static_cast<void>(spec(options));
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      const std::string line = error.what();
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      const std::string file = path("spec/k.toml");
      EXPECT_TRUE(line.starts_with(file)) << line;
      return line.substr(file.size());
    }
    return "no error";
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (m_folder.path() / name).string();
  }

  TestFolder m_folder;
};

TEST_F(CompilerOptions, WhatAKernelNeedsIsAllowed) {
  for (const char* option : {"-std=c++20",
                             "--std=c++17",
                             "--use_fast_math",
                             "-ftz=true",
                             "--fmad=false",
                             "--prec-div=false",
                             "-prec-sqrt=true",
                             "-maxrregcount=128",
                             "--maxrregcount=0",
                             "--extra-device-vectorization",
                             "--restrict",
                             "-DX",
                             "-DX=1",
                             "-DF(a)=a+1",
                             "--define-macro=X=3 --create-pch=f",
                             "-UX",
                             "--undefine-macro=X",
                             "-dopt=on",
                             "--diag-suppress=177,550",
                             "-default-device",
                             "--device-int128",
                             "-lineinfo",
                             "--minimal",
                             "-w",
                             "--jump-table-density=101",
                             "--ptxas-options=-O2",
                             "-Xptxas=--opt-level=1",
                             "--ptxas-options=-dlcm=cg",
                             "--ptxas-options=-v",
                             "--ptxas-options=--warn-on-spills",
                             "--ptxas-options=--register-usage-level=10"}) {
    EXPECT_EQ(why_refused(option), std::nullopt) << option;
  }
}

TEST_F(CompilerOptions, WhatWritesReadsOrStartsThreadsIsRefused) {
  for (const char* option : {"--create-pch=f",
                             "-create-pch=f",
                             "--use-pch=f",
                             "--pch",
                             "-pch",
                             "--pch-dir=/tmp",
                             "--time=f",
                             "-time=f",
                             "--fdevice-time-trace=f",
                             "-fdevice-time-trace=f",
                             "--split-compile=100000",
                             "-split-compile=0",
                             "--ptxas-options=--options-file=f",
                             "--ptxas-options=-optf=f",
                             "-Xptxas=--options-file=f",
                             "--ptxas-options=--output-file=f",
                             "--ptxas-options=-o",
                             "--ptxas-options=--split-compile=0",
                             "--ptxas-options=f",
                             "--ptxas-options=-O3 --options-file=f",
                             "--ptxas-options=-O3,--options-file=f",
                             "--ptxas-options=",
                             "--ptxas-options",
                             "--ptxas-options=-dlcm=ca\v-o",
                             "--gpu-architecture=sm_80",
                             "-arch=sm_80",
                             "-G",
                             "-dlto",
                             "-rdc=true",
                             "--optix-ir",
                             "--fdevice-syntax-only",
                             "--enable-cache-trace",
                             "--no-such-option",
                             "f",
                             "@f",
                             "",
                             " ",
                             "-",
                             "--",
                             "=",
                             " --create-pch=f",
                             " -DX",
                             "--use_fast_math=--time=f",
                             "--use_fast",
                             "-D",
                             "-D1",
                             "-D =",
                             "-DX\n",
                             "-Ua b",
                             "--ftz",
                             "--ftz=1",
                             "--fmad=false --time=f",
                             "-maxrregcount=64x",
                             "-maxrregcount=-3",
                             "-maxrregcount=99999999999999999999",
                             "--diag-suppress=",
                             "-I",
                             "-std=c++23"}) {
    EXPECT_NE(why_refused(option), std::nullopt) << option;
  }
}

TEST_F(CompilerOptions, EachCompilerHasOptionsThatTheOtherHasNot) {
  EXPECT_EQ(why_refused("--extended-lambda", Compiler::nvcc), std::nullopt);
  EXPECT_EQ(why_refused("--extended-lambda"), "NVRTC has no such option (compiler = \"nvcc\" has)");
  EXPECT_EQ(why_refused("--device-int128"), std::nullopt);
  EXPECT_EQ(why_refused("--device-int128", Compiler::nvcc), "nvcc has no such option");
  // nvcc's options that run a program, or read or write files, are refused like NVRTC's.
  for (const char* option : {"-Xcompiler=-fplugin=x.so",
                             "-ccbin=x",
                             "--compiler-bindir=x",
                             "-o=x",
                             "-odir=x",
                             "--keep",
                             "-keep-dir=x",
                             "-isystem=x",
                             "-L=x",
                             "-l=x",
                             "--run",
                             "-Xlinker=x",
                             "-MD",
                             "-MF=x",
                             "--options-file=x",
                             "-idp=x",
                             "--dryrun",
                             "-ldir=x",
                             "-pg",
                             "--threads=9",
                             "-x=c",
                             "--split-compile=0",
                             "-dc",
                             "-arbin=x",
                             "--libdevice-directory=x"}) {
    EXPECT_NE(why_refused(option, Compiler::nvcc), std::nullopt) << option;
  }
}

TEST_F(CompilerOptions, WhatAnOptionSaysOfTheSourceCanBeALineOfIt) {
  EXPECT_EQ(source_line("-DX"), "#define X 1");
  EXPECT_EQ(source_line("-D X=3"), "#define X 3");
  EXPECT_EQ(source_line("-DF(a)=a + 1"), "#define F(a) a + 1");
  EXPECT_EQ(source_line("--define-macro=X="), "#define X ");
  EXPECT_EQ(source_line("-UX"), "#undef X");
  EXPECT_EQ(source_line("--pre-include=/a/b.h"), "#include \"/a/b.h\"");
  EXPECT_EQ(source_line("-I/a"), std::nullopt);
  EXPECT_EQ(source_line("--use_fast_math"), std::nullopt);
}

TEST_F(CompilerOptions, ARefusalIsOneLineThatSaysWhereAndWhy) {
  EXPECT_EQ(error_of(R"("--use_fast_math", "--create-pch=/home/me/rc")"),
            ":4:31: option '--create-pch=/home/me/rc': not allowed in a spec: it writes a file; "
            "see docs/spec.md");
  EXPECT_EQ(error_of(R"("--split-compile=100000")"),
            ":4:12: option '--split-compile=100000': not allowed in a spec: it starts threads; see "
            "docs/spec.md");
  EXPECT_EQ(error_of(R"("--ptxas-options=--options-file=/etc/passwd")"),
            ":4:12: option '--ptxas-options=--options-file=/etc/passwd': not allowed in a spec: "
            "ptxas: it reads a file that gtune cannot check; see docs/spec.md");
  EXPECT_EQ(error_of(R"("-maxrregcount=many")"),
            ":4:12: option '-maxrregcount=many': not allowed in a spec: expected a number from 0 "
            "to 65535 after it; see docs/spec.md");
  EXPECT_EQ(error_of(R"("-DX=\u001b[2J")"),
            ":4:12: option '-DX=?[2J': not allowed in a spec: it contains a control character; see "
            "docs/spec.md");
  EXPECT_LT(error_of('"' + std::string(100000, 'x') + '"').size(), 200U);
}

TEST_F(CompilerOptions, AParametersMacroHasTheParametersValue) {
  for (const std::string option : {"-DBM=64", "-D BM=64", "-UBM", "--define-macro=BM=64", "-DBM"}) {
    const std::string line = error_of('"' + option + '"');
    EXPECT_TRUE(
        line.ends_with(" takes the place of the parameter 'BM'; expected the option without "
                       "it, or -DBM={BM}"))
        << line;
  }
  EXPECT_EQ(spec(R"("-DBM={BM}", "-DBMX=3")").options,
            (std::vector<std::string>{"-DBM={BM}", "-DBMX=3"}));
}

TEST_F(CompilerOptions, TwoWordsAreReadAsTheCompilerReadsThem) {
  EXPECT_EQ(spec(R"("-D", "X=1", "--maxrregcount", "64", "-Xptxas", "-O2", "-w")").options,
            (std::vector<std::string>{"-DX=1", "--maxrregcount=64", "-Xptxas=-O2", "-w"}));
  // The compiler would read the second option as the value of the first, so it must not bypass the
  // list.
  EXPECT_NE(error_of(R"("-dopt", "--create-pch=f")"), "no error");
  EXPECT_NE(error_of(R"("--ptxas-options", "--options-file=f")"), "no error");
  EXPECT_NE(error_of(R"("--use_fast_math", "--create-pch=f")"), "no error");
  EXPECT_NE(error_of(R"("--maxrregcount")"), "no error");
}

TEST_F(CompilerOptions, PathsAreLookedUpFromTheSpecsFolder) {
  const std::string include = path("spec/include");
  EXPECT_EQ(
      spec(R"("-Iinclude", "-I", "include", "--include-path=../spec/include")").options,
      (std::vector<std::string>{"-I" + include, "-I" + include, "--include-path=" + include}));
  EXPECT_EQ(spec("\"-I" + include + "\"").options, std::vector{"-I" + include});
  EXPECT_EQ(spec(R"("--pre-include=pre.h", "-include", "include/x.h")").options,
            (std::vector<std::string>{"--pre-include=" + path("spec/pre.h"),
                                      "-include=" + path("spec/include/x.h")}));
  EXPECT_EQ(error_of(R"("-Inone")"), ":4:12: option '-Inone': there is no folder " +
                                         path("spec/none") +
                                         "; expected a path relative to the spec's folder");
}

TEST_F(CompilerOptions, AFileOutsideOfTheSpecsFolderIsNotPreIncluded) {
  const std::string refusal =
      "': not allowed in a spec: the file lies neither below the spec's folder nor below the "
      "source's; see docs/spec.md";
  EXPECT_EQ(error_of(R"("--pre-include=../secret.h")"),
            ":4:12: option '--pre-include=../secret.h" + refusal);
  EXPECT_EQ(error_of(R"("--pre-include=/etc/passwd")"),
            ":4:12: option '--pre-include=/etc/passwd" + refusal);
  std::filesystem::create_symlink("/etc/passwd", m_folder.path() / "spec/link.h");
  EXPECT_EQ(error_of(R"("--pre-include=link.h")"), ":4:12: option '--pre-include=link.h" + refusal);
  EXPECT_NE(error_of(R"("--pre-include=/dev/zero")"), "no error");
}

TEST_F(CompilerOptions, PlaceholdersAreCheckedWithEachValue) {
  EXPECT_EQ(error_of(R"("-maxrregcount={BM}", "-DX={BM}", "-DY=a{BM}b")"), "no error");
  EXPECT_EQ(error_of(R"("-maxrregcount={R}")"),
            ":4:12: option '-maxrregcount=70000': not allowed in a spec: expected a number from 0 "
            "to 65535 after it; see docs/spec.md");
  EXPECT_NE(error_of(R"("-D", "X={NONE}")"), "no error");
  // A configuration from elsewhere may have a value that the spec does not list.
  const KernelSpec good = spec(R"("-maxrregcount={BM}")");
  EXPECT_EQ(compile_options(good, {{"BM", 64}}).back(), "-maxrregcount=64");
  EXPECT_THROW(static_cast<void>(compile_options(good, {{"BM", -1}})), UserError);
}

TEST_F(CompilerOptions, APathIsTakenAsItIs) {
  m_folder.write("spec/{BM}/x.h", "");
  const KernelSpec braces = spec(R"("-I{BM}")");
  EXPECT_EQ(compile_options(braces, {{"BM", 64}}).back(), "-I" + path("spec/{BM}"));
}

}  // namespace
}  // namespace gtune
