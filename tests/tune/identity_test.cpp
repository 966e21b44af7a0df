#include "tune/identity.hpp"

#include <gtest/gtest.h>

#include "jit/include_scanner.hpp"
#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"
#include "system/hash.hpp"

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
  // Folders are relative to the spec's, so their headers count whatever the working directory.
  EXPECT_NE(here.source_hash, identity_in(other, "// changed\n").source_hash);
}

TEST(Identity, AReferenceInAFileOfItsOwnBelongsToIt) {
  const test::TemporaryFolder folder;
  const std::string own_file(std::string(spec_text).replace(
      std::string(spec_text).find("entry = \"k\", grid"), 0, "source = \"r.cu\", "));
  const auto identity = [&](const std::string& reference, const std::string& header) {
    folder.write("k.cu", "");
    folder.write("pre.h", "");
    folder.write("include/x.h", header);
    folder.write("r.cu", reference);
    return identity_of(read_spec(folder.write("k.toml", own_file), {}));
  };
  const KernelIdentity first = identity("#include <x.h>\n", "");
  EXPECT_EQ(first.source_hash, identity("#include <x.h>\n", "").source_hash);
  EXPECT_NE(first.source_hash, identity("#include <x.h>\n// changed\n", "").source_hash);
  EXPECT_NE(first.source_hash, identity("#include <x.h>\n", "// changed\n").source_hash);
}

/// The bundled results belong to these digests.
TEST(Identity, OfTheBundledKernelsIsTheKernelsFileAlone) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  for (const char* name : {"sgemm", "sgemm_tf32x3", "transpose", "copy"}) {
    const KernelSpec spec =
        read_spec(root / "tuner_configs" / (std::string(name) + ".toml"), kernels);
    EXPECT_EQ(identity_of(spec).source_hash, source_hash(spec.source, spec.options));
    EXPECT_EQ(identity_of(spec).spec_hash, hex_digest(spec.text));
  }
}

}  // namespace
}  // namespace gtune
