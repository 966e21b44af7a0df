#include "tune/kernel_session.hpp"

#include "model/error.hpp"
#include "scale_test.hpp"

namespace gtune {
namespace {

class Lines : public test::SilentObserver {
 public:
  void on_note(const std::string& line) override { all += line + "\n"; }
  std::string all;
};

/// A kernel that is compiled and tuned for a made-up GPU.
class KernelSessions : public test::ScaleTest {
 protected:
  KernelSpec spec_of(const std::string& source, const std::string& options = "") const {
    KernelSpec read = spec("entry = \"naive\", grid = [1], block = [32]");
    std::string text = read.text;
    text.replace(text.find("scale<BLOCK>\""), 13, "scale\"" + options);
    folder.write("scale.cu", source + "__global__ void naive(float* x, int n) {}\n");
    return read_spec(folder.write("scale.toml", text), {});
  }
};

TEST_F(KernelSessions, AMacroThatTheSourceSetsItselfIsRefusedBeforeAnythingIsMeasured) {
  const KernelSpec read =
      spec_of("#define BLOCK 16\n__global__ void scale(float* x, int n) { x[BLOCK] = n; }\n");
  Lines notes;
  try {
    const KernelSession session(session_options(), read, notes, [] { return false; });
    FAIL() << "it begins";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_EQ(std::string(error.what()),
              (folder.path() / "scale.cu").string() +
                  ":1: #define BLOCK 16 overrides the value that gtune passes (-DBLOCK=...), so "
                  "all values compile to the same code; write #ifndef BLOCK before it and #endif "
                  "after it");
  }
  EXPECT_FALSE(std::filesystem::exists(session_options().database));
}

TEST_F(KernelSessions, AParameterThatOnlyALibraryNamesIsNoted) {
  folder.write("far/lib.cuh", "inline int dim_threads(int BLOCK) { return 0; }\n");
  const KernelSpec read = spec_of("#include <lib.cuh>\n__global__ void scale(float* x, int n) {}\n",
                                  "\noptions = [\"-Ifar\"]");
  Lines notes;
  const KernelSession session(session_options(), read, notes, [] { return false; });
  EXPECT_NE(notes.all.find("parameter 'BLOCK' is not defined as a macro"), std::string::npos)
      << notes.all;
}

}  // namespace
}  // namespace gtune
