#include "tune/identity.hpp"

#include <gtest/gtest.h>

#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

const char* const spec_text = R"toml([kernel]
source = "k.cu"
entry = "k"
options = ["-Iinclude", "--pre-include=pre.h"]
[problem]
n = 1
[params]
BLOCK = [32]
[launch]
grid = [1]
block = ["BLOCK"]
[[args]]
name = "out"
type = "f32"
count = "n"
direction = "out"
[check]
reference = { entry = "k", grid = [1], block = [32] }
rtol = 0.0
)toml";

KernelIdentity identity_in(const test::TemporaryFolder& folder, const std::string& header) {
  folder.write("k.cu", "#include <x.h>\n");
  folder.write("pre.h", "// first\n");
  folder.write("include/x.h", header);
  return identity_of(read_spec(folder.write("k.toml", spec_text), {}));
}

TEST(Identity, IsThatOfTheFilesWhereverTheyStand) {
  const test::TemporaryFolder one;
  const test::TemporaryFolder other;
  const KernelIdentity here = identity_in(one, "// same\n");
  const KernelIdentity there = identity_in(other, "// same\n");
  EXPECT_EQ(here.spec_hash, there.spec_hash);
  EXPECT_EQ(here.source_hash, there.source_hash);
  // A folder is looked up from the spec's, so its headers count, whatever the working directory.
  EXPECT_NE(here.source_hash, identity_in(other, "// changed\n").source_hash);
}

}  // namespace
}  // namespace gtune
