#include <gtest/gtest.h>

#include "model/error.hpp"
#include "model/json.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

/// A spec with a buffer w of N elements before its own arguments; `tables` follow w.
std::string memory_spec(const std::string& tables) {
  std::string text = spec_text("BLOCK = [32]");
  return text.insert(text.find("[[args]]"),
                     "[[args]]\nname = \"w\"\ntype = \"f32\"\ncount = \"N\"\n" + tables);
}

std::string memory_error(const std::string& tables) {
  try {
    (void)spec_of(memory_spec(tables));
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml:") + 7);
  }
  return "no error";
}

TEST(MemoryKinds, ABufferMayBeAVariableOfTheSource) {
  std::string text = memory_spec("symbol = \"weights\"\n");
  const KernelSpec usual = spec_of(text);
  EXPECT_EQ(std::get<BufferSpec>(usual.args[0]).symbol, "weights");
  EXPECT_EQ(std::get<BufferSpec>(usual.check.reference->args[0]).symbol, "weights");

  text.insert(text.find("entry = \"r\""), "args = [\"A\"], ");
  const KernelSpec unnamed = spec_of(text);
  ASSERT_EQ(unnamed.check.reference->args.size(), 2U);
  EXPECT_EQ(std::get<BufferSpec>(unnamed.check.reference->args[1]).symbol, "weights");

  text.replace(text.find("args = [\"A\"]"), 12, "args = [\"A\", \"w\"]");
  const KernelSpec named = spec_of(text);
  ASSERT_EQ(named.check.reference->args.size(), 2U);
  EXPECT_EQ(std::get<BufferSpec>(named.check.reference->args[1]).symbol, "");
}

TEST(MemoryKinds, ATextureIsOfABuffer) {
  const KernelSpec spec = spec_of(memory_spec(
      "[[args]]\nname = \"t\"\ntype = \"texture\"\nof = \"w\"\nextent = [\"N / 2\", 2]\n"
      "filter = \"linear\"\naddress = \"border\"\nnormalized_coordinates = true\n"));
  const Problem problem = {{"M", 8}, {"N", 8}};
  const Config config = {{"BLOCK", 32}};
  const auto plans = plan_arguments(spec, {problem, config, typical_device("sm_90")});
  const auto& texture = std::get<TexturePlan>(plans.at(1));
  EXPECT_EQ(texture.of, "w");
  EXPECT_EQ(texture.extent, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(texture.filter, TextureFilter::linear);
  EXPECT_EQ(texture.address, TextureAddress::border);
  EXPECT_TRUE(texture.normalized_coordinates);
  const Problem small = {{"M", 8}, {"N", 1}};
  EXPECT_THROW((void)plan_arguments(spec, {small, config, typical_device("sm_90")}), UserError);
}

TEST(MemoryKinds, ASurfaceIsOfABuffer) {
  const KernelSpec spec =
      spec_of(memory_spec("[[args]]\nname = \"t\"\ntype = \"surface\"\nof = \"w\"\nextent = [\"N / "
                          "2\"]\nchannels = 2\n"));
  const Case of = {{{"M", 8}, {"N", 8}}, {{"BLOCK", 32}}, typical_device("sm_90")};
  const ArgumentPlan plan =
      nlohmann::json::parse(nlohmann::json(plan_arguments(spec, of).at(1)).dump());
  const auto& surface = std::get<TexturePlan>(plan);
  EXPECT_TRUE(surface.is_surface);
  EXPECT_EQ(surface.extent, std::vector<std::int64_t>{4});
  EXPECT_EQ(surface.channels, 2);
}

TEST(MemoryKinds, AStructHasNumbersAndAddresses) {
  const KernelSpec spec = spec_of(
      memory_spec("passed = false\n[[args]]\nname = \"s\"\ntype = \"struct\"\nby_address = true\n"
                  "members = [{ of = \"w\" }, { type = \"u8\", value = \"BLOCK\", align = 4 }, "
                  "{ type = \"f32\", value = 0.5 }]\n"));
  EXPECT_FALSE(std::get<BufferSpec>(spec.args[0]).passed);
  const Problem problem = {{"M", 8}, {"N", 8}};
  const auto plans =
      plan_arguments(spec, {problem, Config{{"BLOCK", 32}}, typical_device("sm_90")});
  const auto& plan = std::get<StructPlan>(plans.at(1));
  EXPECT_TRUE(plan.by_address);
  ASSERT_EQ(plan.members.size(), 3U);
  EXPECT_EQ(plan.members[0].of, "w");
  EXPECT_EQ(plan.members[1].integer, 32);
  EXPECT_EQ(plan.members[1].alignment, 4);
  EXPECT_EQ(plan.members[2].real, 0.5);
  const Config large = {{"BLOCK", 256}};  // too large for u8
  EXPECT_THROW((void)plan_arguments(spec, {problem, large, typical_device("sm_90")}), UserError);
}

TEST(MemoryKinds, SaysWhatIsWrong) {
  EXPECT_EQ(memory_error("symbol = \"a b\"\n"),
            "21:10: variable 'a b' is not a C identifier; expected letters, digits and '_' only");
  EXPECT_EQ(memory_error("direction = \"inout\"\nsymbol = \"a\"\n"),
            "22:10: argument 'w' is a variable of the source; expected direction = \"in\"");
  const std::string texture = "[[args]]\nname = \"t\"\ntype = \"texture\"\n";
  EXPECT_EQ(memory_error(texture + "of = \"v\"\nextent = [1]\n"),
            "24:6: 'of' of argument 't' is 'v', which is not a buffer among the arguments");
  EXPECT_EQ(memory_error(texture + "of = \"w\"\nextent = [1, 1]\nlinear_memory = true\n"),
            "21:1: argument 't' is of linear memory; expected one dimension");
  EXPECT_EQ(memory_error(texture + "of = \"w\"\nextent = [1]\nchannels = 3\n"),
            "26:12: 'channels' of argument 't' is 3; expected 1, 2 or 4 elements of a texel");
  EXPECT_EQ(memory_error(texture + "of = \"w\"\nextent = [1]\nfilter = \"cubic\"\n"),
            "26:10: 'filter' of argument 't' is 'cubic'; expected point or linear");
  EXPECT_EQ(
      memory_error(texture + "of = \"w\"\nextent = [1]\naddress = \"wrap\"\n"),
      "26:11: 'address' of argument 't' is 'wrap', which needs normalized_coordinates = true");
  const std::string surface =
      "[[args]]\nname = \"t\"\ntype = \"surface\"\nof = \"w\"\nextent = [1]\n";
  EXPECT_EQ(memory_error(surface + "filter = \"linear\"\n"),
            "26:1: unknown key 'filter' in argument 't'; expected one of name, type, of, extent, "
            "channels");
  std::string second = surface;
  second.replace(second.find("\"t\""), 3, "\"u\"");
  EXPECT_EQ(memory_error(surface + second),
            "29:6: 'w' has the surface 't' already; expected one surface for a buffer");
  const std::string structure = "[[args]]\nname = \"s\"\ntype = \"struct\"\n";
  EXPECT_EQ(memory_error(structure + "members = []\n"),
            "24:11: 'members' of argument 's' has 0 entries; expected 1 to 512");
  EXPECT_EQ(memory_error(structure + "members = [{ type = \"f32\" }]\n"),
            "24:12: member 1 of argument 's' has neither 'of' nor 'value'; expected 'value' for a "
            "number, 'of' for the address of a buffer");
  EXPECT_EQ(
      memory_error(structure + "members = [{ type = \"f32\", of = \"w\" }]\n"),
      "24:21: member 1 of argument 's' has 'of' and 'type'; expected 'of' alone for an address");
  EXPECT_EQ(memory_error(structure + "members = [{ of = \"v\" }]\n"),
            "24:19: 'of' of a member of argument 's' is 'v', which is not a buffer among the "
            "arguments");
  EXPECT_EQ(memory_error(structure + "members = [{ of = \"w\", align = 3 }]\n"),
            "24:32: 'align' of member 1 of argument 's' is 3; expected a power of two, 1 to 256");
}

TEST(MemoryKinds, ATextureIsOneThatCudaHas) {
  const auto refusal = [](const std::string& type, const std::string& keys) {
    std::string tables = "[[args]]\nname = \"t\"\ntype = \"texture\"\nof = \"w\"\nextent = [1]\n";
    std::string text = memory_spec(tables + keys);
    text.replace(text.find("type = \"f32\"\ncount = \"N\""), 12, "type = \"" + type + "\"");
    try {
      (void)spec_of(text);
    } catch (const UserError& error) {
      const std::string line = error.what();
      return line.substr(line.find("k.toml:") + 7);
    }
    return std::string();
  };
  EXPECT_EQ(refusal("f16", "filter = \"linear\"\n"), "");
  EXPECT_EQ(refusal("u8", "filter = \"linear\"\nnormalized_values = true\n"), "");
  EXPECT_EQ(refusal("i32", ""), "");
  EXPECT_EQ(refusal("f64", ""),
            "24:6: 'w' has elements of type f64, which no texture or surface has; expected f16, "
            "f32 or integers of 8, 16 or 32 bits");
  EXPECT_EQ(refusal("bf16", "").substr(0, 39), "24:6: 'w' has elements of type bf16, wh");
  EXPECT_EQ(refusal("f32", "normalized_values = true\n"),
            "26:21: 'w' has elements of type f32, which cannot be normalized; expected integers of "
            "8 or 16 bits");
  EXPECT_EQ(refusal("i32", "filter = \"linear\"\n"),
            "26:10: 'w' has elements of type i32, which cannot be filtered; expected filter = "
            "\"point\", or normalized_values = true for integers of 8 or 16 bits");
  EXPECT_EQ(refusal("f32", "linear_memory = true\nfilter = \"linear\"\n"),
            "27:10: argument 't' is of linear memory, which has no filter; expected filter = "
            "\"point\"");
  EXPECT_EQ(refusal("f32", "linear_memory = true\nnormalized_coordinates = true\n"),
            "27:26: argument 't' is of linear memory, which is read by index; expected no "
            "normalized_coordinates");
}

}  // namespace
}  // namespace gtune
