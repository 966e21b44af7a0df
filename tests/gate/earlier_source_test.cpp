// Earlier versions of a kernel's files: of git commits, and of folders.
#include "gate/earlier_source.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/error.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"
#include "system/program_output.hpp"

namespace gtune::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* spec_text = R"([kernel]
source = "k.cu"
entry = "k"
[problem]
n = 16
[params]
P = [1, 2]
[launch]
grid = [1]
block = [32]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "inout"
[check]
reference = "none"
)";

std::string text_of_file(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A repository whose commit "old" has other sources than its work tree.
class EarlierSources : public ::testing::Test {
 protected:
  EarlierSources() {
    folder.write("repo/specs/k.toml", spec_text);
    folder.write("repo/specs/k.cu", "#include \"../lib/k.cuh\"\n// old\n");
    folder.write("repo/lib/k.cuh", "// old header\n");
    git({"init", "--quiet", "--initial-branch", "main"});
    commit();
    git({"tag", "old"});
    folder.write("repo/specs/k.cu", "// new\n");
    folder.write("repo/specs/added.toml", spec_text);
    folder.write("repo/kernels/shared.cu", "// new, shared\n");
  }

  void git(std::vector<std::string> words) const {
    std::vector<std::string> command = {"git",         "-C", repo().string(),   "-c",
                                        "user.name=x", "-c", "user.email=x@y.z"};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramOutput output = run_to_end({command, {}, {}});
    ASSERT_TRUE(output.succeeded) << output.text;
  }

  void commit() const {
    git({"add", "--all"});
    git({"commit", "--quiet", "-m", "made up"});
  }

  [[nodiscard]] fs::path repo() const { return folder.path() / "repo"; }
  [[nodiscard]] KernelSpec present(const std::string& name = "k.toml") const {
    return read_spec(repo() / "specs" / name, {});
  }

  static std::string refusal_of(EarlierSource& source, const KernelSpec& of, ExitCode code) {
    try {
      static_cast<void>(source.spec_of(of, {}));
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "it is found";
    return "";
  }

  TemporaryFolder folder;
};

TEST_F(EarlierSources, ACommitHasTheSpecItsSourceAndItsIncludes) {
  EarlierSource source("old", repo());
  const KernelSpec before = source.spec_of(present(), {});
  EXPECT_NE(text_of_file(before.source).find("// old"), std::string::npos);
  EXPECT_EQ(text_of_file(before.source.parent_path() / "../lib/k.cuh"), "// old header\n");
  EXPECT_TRUE(source.text().starts_with("commit ")) << source.text();
  EXPECT_TRUE(source.text().ends_with(" (old)")) << source.text();
  EXPECT_EQ(text_of_file(present().source), "// new\n");
}

TEST_F(EarlierSources, NeitherTheIndexNorTheWorkTreeChanges) {
  const std::string index = text_of_file(repo() / ".git" / "index");
  fs::path tree;
  {
    EarlierSource source("old", repo());
    tree = source.spec_of(present(), {}).file.parent_path();
    EXPECT_TRUE(fs::exists(tree));
  }
  EXPECT_FALSE(fs::exists(tree)) << "the temporary files are removed";
  EXPECT_EQ(text_of_file(repo() / ".git" / "index"), index);
  EXPECT_EQ(text_of_file(repo() / "specs" / "k.cu"), "// new\n");
}

TEST_F(EarlierSources, FoldersOfKernelsAreThoseOfTheCommit) {
  folder.write("repo/kernels/k.cu", "// shared, old\n");
  fs::remove(repo() / "specs" / "k.cu");
  commit();
  folder.write("repo/kernels/k.cu", "// shared, new\n");
  const std::vector<fs::path> folders = {repo() / "kernels"};
  EarlierSource source("HEAD", repo());
  const KernelSpec before =
      source.spec_of(read_spec(repo() / "specs" / "k.toml", folders), folders);
  EXPECT_EQ(text_of_file(before.source), "// shared, old\n");
}

TEST_F(EarlierSources, ARefThatDoesNotExistIsAUsageError) {
  for (const std::string ref : {"none", "-x", "--help", "old:specs", "a b", "$(touch x)", "@{"}) {
    EarlierSource source(ref, repo());
    EXPECT_NE(refusal_of(source, present(), ExitCode::usage).find("no commit of "),
              std::string::npos)
        << ref;
  }
}

TEST_F(EarlierSources, OutsideOfARepositoryARefIsAUsageError) {
  folder.write("k.toml", spec_text);
  folder.write("k.cu", "");
  EarlierSource source("main", folder.path());
  const KernelSpec spec = read_spec(folder.path() / "k.toml", {});
  EXPECT_NE(refusal_of(source, spec, ExitCode::usage).find("is in no git repository"),
            std::string::npos);
}

TEST_F(EarlierSources, ASpecThatIsNewHasNoEarlierOne) {
  EarlierSource source("old", repo());
  const std::string line = refusal_of(source, present("added.toml"), ExitCode::nothing_stored);
  EXPECT_TRUE(line.ends_with(" has no specs/added.toml")) << line;
}

TEST_F(EarlierSources, AnEarlierSpecWithAMistakeIsNone) {
  folder.write("repo/specs/k.toml", "[kernel]\n");
  commit();
  folder.write("repo/specs/k.toml", spec_text);
  EarlierSource source("HEAD", repo());
  EXPECT_NE(refusal_of(source, present(), ExitCode::nothing_stored).find("k.toml:"),
            std::string::npos);
}

TEST_F(EarlierSources, AFileWithAMistakeIsThere) {
  folder.write("flat/k.toml", "[kernel]\n");
  EarlierSource flat((folder.path() / "flat").string(), repo());
  EXPECT_TRUE(flat.has_file_of(present()));
  EXPECT_FALSE(flat.has_file_of(present("added.toml")));
}

TEST_F(EarlierSources, AFolderHasTheSameStructureOrTheFilesAtItsTop) {
  folder.write("copy/specs/k.toml", spec_text);
  folder.write("copy/specs/k.cu", "// copy\n");
  folder.write("flat/k.toml", spec_text);
  folder.write("flat/k.cu", "// flat\n");
  EarlierSource copy((folder.path() / "copy").string(), repo());
  EXPECT_EQ(text_of_file(copy.spec_of(present(), {}).source), "// copy\n");
  EarlierSource flat((folder.path() / "flat").string(), repo());
  EXPECT_EQ(text_of_file(flat.spec_of(present(), {}).source), "// flat\n");
  EarlierSource empty((folder.path() / "repo" / "lib").string(), repo());
  EXPECT_NE(refusal_of(empty, present(), ExitCode::nothing_stored).find("has no"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune::test
