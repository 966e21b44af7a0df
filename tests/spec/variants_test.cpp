#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

const std::string usual_variants =
    "math = { default = \"fp32\", specs = { tf32 = \"other.toml\" }, help = \"how\" }\n";

/// A spec with [variants], beside a file other.toml.
KernelSpec spec_with(const std::string& variants) {
  const TestFolder folder;
  folder.write("k.cu", "");
  folder.write("other.toml", "not read before it is chosen");
  return read_spec(folder.write("k.toml", spec_text("A = [1]") + "[variants]\n" + variants), {});
}

std::string variants_error(const std::string& variants) {
  try {
    (void)spec_with(variants);
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml"));
  }
  return "no error";
}

TEST(Variants, AreReadButNotOpened) {
  const KernelSpec spec = spec_with(usual_variants);
  ASSERT_EQ(spec.variants.size(), 1U);
  EXPECT_EQ(spec.variants[0].name, "math");
  EXPECT_EQ(spec.variants[0].default_value, "fp32");
  EXPECT_EQ(spec.variants[0].help, "how");
  ASSERT_EQ(spec.variants[0].variants.size(), 1U);
  EXPECT_EQ(spec.variants[0].variants[0].value, "tf32");
  EXPECT_EQ(spec.variants[0].variants[0].file.filename(), "other.toml");
}

TEST(Variants, MistakesAreReportedWithTheirPlace) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = usual_variants;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(variants_error(changed("other.toml", "nowhere.toml"))
                .find(":45: there is no spec 'nowhere.toml'; expected it in /"),
            std::string::npos);
  EXPECT_NE(variants_error(changed("tf32 =", "fp32 ="))
                .find(":38: 'fp32' of variant option 'math' is the default, which is this spec; "
                      "expected another value"),
            std::string::npos);
  EXPECT_NE(variants_error(changed("{ tf32 = \"other.toml\" }", "{}"))
                .find("'specs' of variant option 'math' is empty"),
            std::string::npos);
  EXPECT_NE(
      variants_error(changed("math", "A"))
          .find(":1: variant option 'A' has the name of a problem size, a parameter or a let"),
      std::string::npos);
  EXPECT_NE(variants_error(changed("specs", "spec"))
                .find(":28: unknown key 'spec' in variant option 'math'; did you mean 'specs'?"),
            std::string::npos);
  EXPECT_NE(variants_error(changed("default = \"fp32\", ", ""))
                .find("variant option 'math' has no 'default'"),
            std::string::npos);
}

}  // namespace
}  // namespace gtune
