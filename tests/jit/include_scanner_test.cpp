#include "jit/include_scanner.hpp"

#include <gtest/gtest.h>

#include "jit/support.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

using test::TemporaryFolder;

TEST(IncludeScanner, FollowsIncludesOfIncludes) {
  const TemporaryFolder folder;
  const auto source = folder.write("k.cu", "#include \"sub/a.cuh\"\n  #  include <sys.h>\n");
  const auto a = folder.write("sub/a.cuh", "#pragma once\n#include \"b.cuh\"\n");
  const auto b = folder.write("sub/b.cuh", "#include \"a.cuh\"\n");  // a circle
  const auto sys = folder.write("toolkit/sys.h", "");
  const std::vector folders = {folder.path() / "toolkit"};
  EXPECT_EQ(scan_includes(source, folders).files, (std::vector{a, b, sys}));
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
  EXPECT_FALSE(scan_includes(folder.write("k.cu", "#include HEADER\n"), {}).complete);
  EXPECT_TRUE(scan_includes(folder.write("k.cu", "#include \"none.cuh\"\n"), {}).complete);
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
  const std::string first = source_hash(source, include_folders(options));
  folder.write("include/far.cuh", "two");
  EXPECT_NE(source_hash(source, include_folders(options)), first);
}

TEST(IncludeFolders, AreFoundInAllTheirForms) {
  const std::vector<std::string> options = {
      "-I/a", "-I=/b",  "-I /c",          "-I", "/d", "--include-path=/e", "--include-path",
      "/f",   "-DI=-I", "--use_fast_math"};
  EXPECT_EQ(include_folders(options),
            (std::vector<std::filesystem::path>{"/a", "/b", "/c", "/d", "/e", "/f"}));
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
