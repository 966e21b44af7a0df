#include "jit/include_scanner.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "jit/support.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

using test::TemporaryFolder;

TEST(IncludeScanner, FollowsIncludesOfIncludes) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include \"sub/a.cuh\"\n  #  include <sys.h>\n");
  const auto a = folder.write("sub/a.cuh", "#pragma once\n#include \"b.cuh\"\n");
  const auto b = folder.write("sub/b.cuh", "#include \"a.cuh\"\n");  // a cycle
  const auto sys = folder.write("toolkit/sys.h", "");
  const IncludeSearch search{.folders = {folder.path() / "toolkit"}};
  EXPECT_EQ(scan_includes(source, search).files, (std::vector{a, b, sys}));
}

TEST(IncludeScanner, OwnFilesAreInQuotesAndBeside) {
  const TemporaryFolder folder;
  const auto source = folder.write(
      "k.cu", "#include \"sub/a.cuh\"\n#include <c.cuh>\n#include \"d.cuh\"\n#include \"k.cu\"\n");
  const auto a = folder.write("sub/a.cuh", "#include \"b.cuh\"\n#include \"d.cuh\"\n");
  const auto b = folder.write("b.cuh", "");  // in the source's folder
  const auto c = folder.write("c.cuh", "#include \"e.cuh\"\n");
  const auto d = folder.write("lib/d.cuh", "#include \"f.cuh\"\n");
  const auto e = folder.write("e.cuh", "");  // only c.cuh, in angle brackets, includes it
  const auto f = folder.write("lib/f.cuh", "");
  const IncludeScan scan =
      scan_includes(source, {.folders = {folder.path(), folder.path() / "lib"}});
  EXPECT_EQ(scan.own, (std::vector{b, a}));
  EXPECT_EQ(scan.files, (std::vector{b, c, e, source, d, f, a}));
}

TEST(IncludeScanner, LeavesOutWhatIsFoundNowhere) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include <cuda_fp16.h>\n#include \"none.cuh\"\n");
  EXPECT_TRUE(scan_includes(source, {}).files.empty());
}

TEST(IncludeScanner, AngleBracketsAreNotLookedUpBesideTheFile) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include <own.cuh>\n");
  folder.write("own.cuh", "");
  EXPECT_TRUE(scan_includes(source, {}).files.empty());
}

TEST(IncludeScanner, SaysWhereAMacroHidesAnInclude) {
  const TemporaryFolder folder;
  EXPECT_FALSE(scan_includes(folder.write("k.cu", "#include HEADER\n"), {}).complete());
  EXPECT_TRUE(scan_includes(folder.write("k.cu", "#include \"none.cuh\"\n"), {}).complete());
}

TEST(IncludeScanner, AChainOfMacrosThatAskForHeadersEnds) {
  const TemporaryFolder folder;
  std::string text = "#define M0(a) __has_include(a)\n";
  for (int i = 1; i < 1000; ++i) {
    text.insert(0, "#define M" + std::to_string(i) + "(a) M" + std::to_string(i - 1) + "(a)\n");
  }
  EXPECT_FALSE(scan_includes(folder.write("k.cu", text), {}).complete());
}

TEST(IncludeScanner, FollowsAChainOfManyFiles) {
  const TemporaryFolder folder;
  for (int i = 0; i < 500; ++i) {
    folder.write(std::to_string(i) + ".h", "#include \"" + std::to_string(i + 1) + ".h\"\n");
  }
  EXPECT_EQ(scan_includes(folder.write("k.cu", "#include \"0.h\"\n"), {}).files.size(), 500U);
}

TEST(SourceHash, ChangesWithTheSourceAndItsIncludesOnly) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include \"a.cuh\"\n");
  folder.write("a.cuh", "one");
  folder.write("unrelated.cuh", "one");
  const std::string first = source_hash(source, {});
  folder.write("unrelated.cuh", "two");
  EXPECT_EQ(source_hash(source, {}), first);
  folder.write("a.cuh", "two");
  const std::string second = source_hash(source, {});
  EXPECT_NE(second, first);
  folder.write("k.cu", "#include \"a.cuh\"\n// changed\n");
  EXPECT_NE(source_hash(source, {}), second);
}

TEST(SourceHash, ChangesWithHeadersInTheFoldersOfTheOptions) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include <far.cuh>\n");
  folder.write("include/far.cuh", "one");
  const std::vector<std::string> options = {"--use_fast_math",
                                            "-I" + (folder.path() / "include").string()};
  const std::string first = source_hash(source, options);
  folder.write("include/far.cuh", "two");
  EXPECT_NE(source_hash(source, options), first);
}

TEST(IncludeFolders, AreFoundInAllTheirForms) {
  const std::vector<std::string> options = {
      "-I/a", "-I=/b",  "-I /c",          "-I", "/d", "--include-path=/e", "--include-path",
      "/f",   "-DI=-I", "--use_fast_math"};
  EXPECT_EQ(include_folders(options),
            (std::vector<std::filesystem::path>{"/a", "/b", "/c", "/d", "/e", "/f"}));
}

TEST(SourceHash, CoversWhatStandsBesideTheSourceInAngleBrackets) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include <own.cuh>\n");
  const std::string first = source_hash(source, {});
  folder.write("own.cuh", "");  // the compiler looks there too
  EXPECT_NE(source_hash(source, {}), first);
}

/// The source's hash as computed by a forked process.
std::string hash_of_another_process(const std::filesystem::path& source) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    const std::string hash = source_hash(source, {});
    _exit(write(ends[1], hash.data(), hash.size()) == 32 ? 0 : 1);
  }
  std::array<char, 32> hash{};
  const ssize_t count = read(ends[0], hash.data(), hash.size());
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return {hash.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

TEST(SourceHash, OfAnUnknownIncludeIsOfThisProcessAlone) {
  const TemporaryFolder folder;
  const auto known = folder.write("known.cu", "#define H \"a.h\"\n#include H\n");
  EXPECT_EQ(source_hash(known, {}), hash_of_another_process(known));
  EXPECT_EQ(unknown_include_note(known, {}), "");
  const auto unknown = folder.write("unknown.cu", "\n#include H\n");
  EXPECT_EQ(source_hash(unknown, {}), source_hash(unknown, {}));
  EXPECT_NE(source_hash(unknown, {}), hash_of_another_process(unknown));
  EXPECT_TRUE(unknown_include_note(unknown, {}).starts_with("unknown.cu:2: #include H: "))
      << unknown_include_note(unknown, {});
}

TEST(SourceHash, AMacroOfTheOptionsLeavesTheIncludeUnknown) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#define H \"a.h\"\n#include H\n");
  const std::vector<std::string> options = {"-DH=\"b.h\""};
  EXPECT_NE(unknown_include_note(source, options), "");
}

TEST(SourceHash, APipeInAHeadersPlaceIsRefusedAndNotWaitedFor) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include \"a.h\"\n");
  ASSERT_EQ(mkfifo((folder.path() / "a.h").c_str(), 0600), 0);
  EXPECT_THROW((void)source_hash(source, {}), UserError);
}

TEST(SourceHash, IsTheSameElsewhere) {
  const TemporaryFolder here;
  const TemporaryFolder there;
  for (const auto* folder : {&here, &there}) {
    folder->write("k.cu", "#include \"sub/b.cuh\"\n#include \"a.cuh\"\n");
    folder->write("a.cuh", "a");
    folder->write("sub/b.cuh", "b");
  }
  EXPECT_EQ(source_hash(here.path() / "k.cu", {}), source_hash(there.path() / "k.cu", {}));
}

TEST(SourceHash, ASourceThatIsNotThereIsAnErrorThatNamesIt) {
  try {
    (void)source_hash("/nonexistent/k.cu", {});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/k.cu"), std::string::npos);
  }
}

}  // namespace
}  // namespace gtune
