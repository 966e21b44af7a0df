#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/spec_catalog.hpp"
#include "spec/spec_file.hpp"
#include "spec/suggestion.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

TEST(SpecCatalog, ListsBrokenSpecsBesideGoodOnes) {
  const TestFolder folder;
  folder.write("one/kernels/k.cu", "");
  folder.write("one/tuner_configs/good.toml", spec_text("A = [1]"));
  folder.write("one/tuner_configs/broken.toml", "[kernel]\nentri = 1\n");
  folder.write("one/tuner_configs/notes.txt", "");
  folder.write("two/kernels/k.cu", "");
  folder.write("two/tuner_configs/good.toml", spec_text("A = [2]"));
  folder.write("two/tuner_configs/more.toml", spec_text("A = [2]"));
  const std::vector<std::filesystem::path> folders = {folder.path() / "one", folder.path() / "two",
                                                      folder.path() / "none"};
  EXPECT_EQ(kernel_folders(folders).size(), 2U);
  const auto entries = list_specs(folders);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "broken");
  ASSERT_TRUE(entries[0].error);
  EXPECT_NE(entries[0].error->find("broken.toml:2:1: "), std::string::npos);
  EXPECT_EQ(entries[1].name, "good");
  EXPECT_FALSE(entries[1].error);
  EXPECT_EQ(entries[1].file, folder.path() / "one/tuner_configs/good.toml");
  EXPECT_EQ(entries[2].name, "more");
}

TEST(SpecCatalog, FindsSpecsByTheirNames) {
  const TestFolder folder;
  folder.write("data/kernels/k.cu", "");
  const auto add = [&](const std::string& stem, const std::string& name) {
    std::string text = spec_text("A = [1]");
    const std::string head = "[kernel]\n";
    text.replace(text.find(head), head.size(), head + name + '\n');
    folder.write("data/tuner_configs/" + stem + ".toml", text);
  };
  add("own", "");
  add("double", "name = \"quoted\"");
  add("single", "name = 'literal'");
  add("speaks", "help = \"unlike 'own'\"");
  folder.write("data/tuner_configs/broken.toml", "[kernel]\nentri = 1\n");
  add("escaped", "name = \"e\\u0073c\"");
  std::filesystem::create_directories(folder.path() / "data/tuner_configs/folder.toml");
  const std::vector<std::filesystem::path> folders = {folder.path() / "data"};
  const auto found = [&](const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const CatalogEntry& entry : find_specs(folders, names)) all.push_back(entry.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(found({"query", "own", "--n", "9"}), Names({"own"}));
  EXPECT_EQ(found({"quoted", "literal"}), Names({"literal", "quoted"}));
  EXPECT_EQ(found({"double", "single"}), Names());  // their specs have other names
  EXPECT_EQ(found({"broken"}), Names({"broken"}));
  EXPECT_EQ(found({"esc"}), Names({"esc"}));
  EXPECT_EQ(found({"folder"}), Names({"folder"}));  // the entry says why it is not a spec
  EXPECT_EQ(found({""}), Names());
}

TEST(DeviceTable, KnowsArchitecturesByName) {
  EXPECT_EQ(typical_device("sm_90").cc(), 90);
  EXPECT_EQ(typical_device("sm_90a").shared_per_block_optin, 232448);
  EXPECT_EQ(typical_device("sm_86").max_threads_per_sm, 1536);
  EXPECT_EQ(typical_device("sm_120").arch(), "sm_120a");
  EXPECT_EQ(known_architectures().size(), 6U);
  try {
    (void)typical_device("sm_91");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "--arch: 'sm_91' is not an architecture that gtune knows; expected one of sm_80, "
                 "sm_86, sm_89, sm_90, sm_100, sm_120");
  }
}

TEST(Suggestion, IsNearOrAbsent) {
  const std::vector<std::string> words = {"constraints", "params", "BM", "BN"};
  EXPECT_EQ(nearest_word("constrains", words), "constraints");
  EXPECT_EQ(nearest_word("parmas", words), "params");
  EXPECT_EQ(nearest_word("bm", words), "BM");
  EXPECT_EQ(nearest_word("zz", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word("launch", words), "");
}

TEST(HexDigest, IsSha256) {
  EXPECT_EQ(hex_digest(""), "e3b0c44298fc1c149afbf4c8996fb924");
  EXPECT_EQ(hex_digest("abc"), "ba7816bf8f01cfea414140de5dae2223");
  EXPECT_EQ(hex_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039");
  EXPECT_EQ(hex_digest(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67");
}

}  // namespace
}  // namespace gtune
