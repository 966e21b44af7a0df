#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "jit/compile.hpp"
#include "jit/include_scanner.hpp"
#include "jit/support.hpp"

// Compares the scanner with the compiler: it must know every file that NVRTC reads.
namespace gtune {
namespace {

using test::TemporaryFolder;

const NvrtcLibrary& the_nvrtc() {
  static const NvrtcLibrary library;
  return library;
}

struct Outcome {
  bool seen = false;      // by NVRTC
  bool known = false;     // to the scanner
  bool complete = false;  // the scanner claims to know all files
  bool digest = false;    // it changes with the header's contents
  bool hash = false;      // likewise
};

/// Compiles with a header x.h, in a folder of the options, that stops the compiler if it is read.
Outcome outcome_of(const std::string& source, std::vector<std::string> options = {}) {
  const TemporaryFolder folder;
  const auto file = folder.write("k.cu", source + "\nextern \"C\" __global__ void f() {}\n");
  const auto header = folder.write("inc/x.h", "#error SEEN\n");
  options.push_back("-I" + header.parent_path().string());
  const auto request = [&] { return KernelSource(file).request({"f"}, options, test::arch); };
  const KernelRequest before = request();
  Outcome outcome;
  outcome.seen = compile(the_nvrtc(), before.compile).reason.find("SEEN") != std::string::npos;
  const IncludeScan scan = scan_includes(file, include_search(file, options));
  outcome.known = std::find(scan.files.begin(), scan.files.end(), header) != scan.files.end();
  outcome.complete = scan.complete();
  const std::string hash = source_hash(file, options);
  folder.write("inc/x.h", "// mended\n");
  outcome.digest = before.includes_digest != request().includes_digest;
  outcome.hash = hash != source_hash(file, options);
  return outcome;
}

const std::map<std::string, std::string>& forms_that_are_read() {
  static const std::map<std::string, std::string> forms = {
      {"plain", "#include \"x.h\""},
      {"behind a comment", "/* local */ #include \"x.h\""},
      {"behind a comment of lines", "/* local\n */ #include \"x.h\""},
      {"comments within", "# /**/ include /**/ \"x.h\""},
      {"digraph", "%:include \"x.h\""},
      {"spliced", "#inc\\\nlude \"x.h\""},
      {"spliced, CRLF", "#inc\\\r\nlude \"x.h\""},
      {"spliced, two CR", "#inc\\\r\r\nlude \"x.h\""},
      {"spliced name", "#include \"x\\\n.h\""},
      {"spliced digraph", "%\\\n:include \"x.h\""},
      {"spliced comment", "/\\\n* c *\\\n/ #include \"x.h\""},
      {"no splice", "// a \\ \n#include \"x.h\""},
      {"no trigraph", "// a ?\?/\n#include \"x.h\""},
      {"other blanks", "\f#\vinclude\f\"x.h\""},
      {"glued", "#include<x.h>"},
      {"text behind it", "#include \"x.h\" /* c */ garbage"},
      {"next", "#include_next \"x.h\""},
      {"macro", "#define H \"x.h\"\n#include H"},
      {"macro in angle brackets", "#define H <x.h>\n#include H"},
      {"macro with a parameter", "#define H(a) <a.h>\n#include H(x)"},
      {"macro of a string", "#define H(a) #a\n#include H(x.h)"},
      {"macro of a macro", "#define h(a) a\n#define G \"x.h\"\n#define H G\n#include H"},
      {"macro within brackets", "#define y x\n#define H <y.h>\n#include H"},
      {"question", "#if __has_include(\"x.h\")\n#error SEEN\n#endif"},
      {"question in an elif", "#if 0\n#elif __has_include(<x.h>)\n#error SEEN\n#endif"},
      {"question with comments", "#if __has_include/**/(/**/\"x.h\")\n#error SEEN\n#endif"},
      {"question by a macro", "#define H \"x.h\"\n#if __has_include(H)\n#error SEEN\n#endif"},
      {"question under a name", "#define Q __has_include\n#if Q(\"x.h\")\n#error SEEN\n#endif"},
      {"question in a macro", "#define Q(a) __has_include(a)\n#if Q(\"x.h\")\n#error SEEN\n#endif"},
      {"question in a macro of a macro",
       "#define P(b) Q(b)\n#define Q(a) __has_include(a)\n#if P(<x.h>)\n#error SEEN\n#endif"},
      {"question in a macro about a macro",
       "#define y x\n#define Q(a) __has_include(a)\n#if Q(<y.h>)\n#error SEEN\n#endif"},
      {"question for the next", "#if __has_include_next(\"x.h\")\n#error SEEN\n#endif"},
      {"character", "#define c '\"'\n#include \"x.h\""},
      {"no end of a string", "#if 0\ndon\"t /*\n#endif\n#include \"x.h\"\n//*/"},
      {"no end of a character", "#if 0\ndon't /*\n#endif\n#include \"x.h\"\n//*/"},
      {"digit separators", "#define A 1'000 //'\n#include \"x.h\""},
      {"behind a raw string", "#define A R\"(/*)\"\n#include \"x.h\""},
      {"no raw string", "#define A fR\"(\n#include \"x.h\"\n//)\""},
      {"raw string behind a sign", "#define A $R\"(\n/*\n)\"\n#include \"x.h\""},
      {"raw string behind a letter", "#define A \xc3\xa9R\"(\n/*\n)\"\n#include \"x.h\""},
      {"within a macro's arguments", "#define M(x)\nM(\n#include \"x.h\"\n)"},
      {"under another line", "#line 7 \"other/y.cu\"\n#include \"x.h\""},
      {"at the end", "#include \\\n\"x.h\" \\"},
  };
  return forms;
}

TEST(NvrtcIncludes, EveryFormThatNvrtcReadsChangesTheDigests) {
  for (const auto& [name, source] : forms_that_are_read()) {
    const Outcome outcome = outcome_of(source);
    EXPECT_TRUE(outcome.seen) << name;
    EXPECT_TRUE(outcome.known || !outcome.complete) << name;
    EXPECT_TRUE(outcome.digest || !outcome.complete) << name;
    EXPECT_TRUE(outcome.hash || !outcome.complete) << name;
  }
}

TEST(NvrtcIncludes, OlderStandardsAreReadAsWell) {
  for (const auto& [source, standard] : std::map<std::string, std::string>{
           {"?\?=include \"x.h\"", "-std=c++14"},
           {"#inc?\?/\nlude \"x.h\"", "-std=c++11"},
           {"#define A 1'0 /*'\n#include \"x.h\"\n//*/", "-std=c++11"},
           {"#define A R\"(\n#include \"x.h\"\n//)\"", "-std=c++03"}}) {
    const Outcome outcome = outcome_of(source, {standard});
    EXPECT_TRUE(outcome.seen) << source;
    EXPECT_TRUE(outcome.known && outcome.digest && outcome.hash) << source;
  }
}

TEST(NvrtcIncludes, OrdinaryFormsLeaveNothingUnknown) {
  for (const char* source :
       {"#include \"x.h\"",
        "#ifdef __has_include\n#if __has_include(\"y.h\")\n#endif\n#endif\n"
        "#include \"x.h\"",
        "#define H \"x.h\"\n#include H", "#define H(name) <name.h>\n#include H(x)"}) {
    const Outcome outcome = outcome_of(source);
    EXPECT_TRUE(outcome.seen && outcome.known && outcome.complete) << source;
  }
}

TEST(NvrtcIncludes, FilesThatOptionsIncludeCount) {
  for (const char* option : {"--pre-include=x.h", "-include=x.h"}) {
    const Outcome outcome = outcome_of("", {option});
    EXPECT_TRUE(outcome.seen && outcome.known && outcome.digest && outcome.hash) << option;
  }
  const Outcome outcome = outcome_of("", {"--pre-include", "x.h"});
  EXPECT_TRUE(outcome.seen && outcome.known && outcome.digest && outcome.hash);
}

TEST(NvrtcIncludes, AHeaderThatAppearsChangesTheDigests) {
  const TemporaryFolder folder;
  const auto file = folder.write("k.cu", "#if __has_include(\"late.h\")\n#error LATE\n#endif\n");
  const auto request = [&] { return KernelSource(file).request({"f"}, {}, test::arch); };
  const KernelRequest before = request();
  const std::string hash = source_hash(file, {});
  ASSERT_TRUE(before.includes_digest);
  folder.write("late.h", "");
  EXPECT_NE(request().includes_digest, before.includes_digest);
  EXPECT_NE(source_hash(file, {}), hash);
  EXPECT_NE(compile(the_nvrtc(), before.compile).reason.find("LATE"), std::string::npos);
}

class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::filesystem::path& folder)
      : m_before(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingDirectory() { std::filesystem::current_path(m_before); }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  std::filesystem::path m_before;
};

TEST(NvrtcIncludes, AHeaderOfTheWorkingDirectoryIsNotTaken) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("source/k.cu", "#include \"sub/a.h\"\nextern \"C\" __global__ void f() {}\n");
  folder.write("source/sub/a.h", "#include \"b.h\"\n");
  folder.write("source/sub/b.h", "");
  folder.write("source/b.h", "#error not beside the including file\n");
  folder.write("elsewhere/sub/a.h", "#error from the working directory\n");
  const WorkingDirectory elsewhere(folder.path() / "elsewhere");
  const auto result =
      compile(the_nvrtc(), KernelSource(file).request({"f"}, {}, test::arch).compile);
  EXPECT_TRUE(result.ok) << result.reason;
  // A source named without a folder finds the files beside it.
  const WorkingDirectory there(file.parent_path());
  EXPECT_TRUE(compile(the_nvrtc(), KernelSource("k.cu").request({"f"}, {}, test::arch).compile).ok);
}

TEST(NvrtcIncludes, LinksAreFollowedAsTheCompilerDoes) {
  const TemporaryFolder folder;
  const auto file = folder.write("k.cu", "#include \"top/a.h\"\n#include \"link/../c.h\"\n");
  const auto beside_link = folder.write("top/b.h", "#error SEEN\n");
  folder.write("far/real.h", "#include \"b.h\"\n");
  folder.write("far/b.h", "");
  const auto above_target = folder.write("far/c.h", "");
  folder.write("far/below/d.h", "");
  std::filesystem::create_symlink(folder.path() / "far/real.h", folder.path() / "top/a.h");
  std::filesystem::create_directory_symlink(folder.path() / "far/below", folder.path() / "link");
  EXPECT_NE(compile(the_nvrtc(), KernelSource(file).request({"f"}, {}, test::arch).compile)
                .reason.find("SEEN"),
            std::string::npos);
  EXPECT_EQ(scan_includes(file, include_search(file, {})).files,
            (std::vector{above_target, folder.path() / "top/a.h", beside_link}));
}

TEST(NvrtcIncludes, WithoutTheSourcesFolderQuotedNamesComeFromTheOthers) {
  const TemporaryFolder folder;
  const auto file = folder.write("k.cu", "#include \"sub/a.h\"\n");
  folder.write("sub/a.h", "#include \"b.h\"\n");
  folder.write("sub/b.h", "");
  const auto taken = folder.write("b.h", "#error SEEN\n");
  const std::vector<std::string> options = {"--no-source-include"};
  EXPECT_NE(compile(the_nvrtc(), KernelSource(file).request({"f"}, options, test::arch).compile)
                .reason.find("SEEN"),
            std::string::npos);
  const auto files = scan_includes(file, include_search(file, options)).files;
  EXPECT_NE(std::find(files.begin(), files.end(), taken), files.end());
}

TEST(NvrtcIncludes, MessagesAndTheKernelNameTheFileWithoutItsFolder) {
  const TemporaryFolder folder;
  const auto bad = folder.write("a \"b\\.cu", "\nextern \"C\" __global__ void f() { nope; }\n");
  const auto result =
      compile(the_nvrtc(), KernelSource(bad).request({"f"}, {}, test::arch).compile);
  EXPECT_TRUE(result.reason.starts_with("a \"b\\.cu(2): error")) << result.reason;
}

}  // namespace
}  // namespace gtune
