#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"
#include "spec/tensor_map_rules.hpp"

namespace gtune {
namespace {

std::string spec_with_map(const std::string& map) {
  return "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nM = 64\nK = { default = 64, "
         "minimum = 0 }\n[params]\nBM = [32, 64]\n[launch]\ngrid = [\"M\"]\nblock = [32]\n"
         "[[args]]\nname = \"A\"\ntype = \"f32\"\ncount = \"M*K\"\n[[args]]\n" +
         map +
         "[[args]]\nname = \"C\"\ntype = \"f32\"\ncount = \"M\"\ndirection = \"out\"\n"
         "[check]\nreference = { entry = \"r\", grid = [1], block = [32] }\nrtol = 0.0\n";
}

const std::string usual_map =
    "name = \"map\"\ntype = \"tensor_map\"\nof = \"A\"\nwhen = \"K % 4 == 0\"\n"
    "sizes = [\"K\", \"M\"]\nbox = [32, \"BM\"]\nswizzle = \"128B\"\n";

std::string with_map(const std::string& from, const std::string& to) {
  std::string text = usual_map;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the map");
  return text.replace(at, from.size(), to);
}

TensorMapPlan map_plan(const std::string& map, const Problem& problem) {
  const KernelSpec spec = spec_of(spec_with_map(map));
  return std::get<TensorMapPlan>(
      plan_arguments(spec, {problem, {{"BM", 64}}, typical_device("sm_90")}).at(1));
}

TEST(TensorMap, IsPutToNumbers) {
  const TensorMapPlan map = map_plan(usual_map, {{"M", 100}, {"K", 36}});
  EXPECT_EQ(map.name, "map");
  EXPECT_EQ(map.of, "A");
  EXPECT_EQ(map.offset, 0);
  EXPECT_EQ(map.sizes, (std::vector<std::int64_t>{36, 100}));
  EXPECT_EQ(map.strides, (std::vector<std::int64_t>{36}));
  EXPECT_EQ(map.box, (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ(map.swizzle, Swizzle::b128);
  const TensorMapPlan part = map_plan(with_map("swizzle",
                                               "offset = \"4*K\"\nstrides = [\"2*K\"]\n"
                                               "#") +
                                          "",
                                      {{"M", 100}, {"K", 0}});
  EXPECT_TRUE(part.sizes.empty());  // there is nothing to read through it
}

TEST(TensorMap, TakesOffsetsAndStrides) {
  const std::string every_second = with_map("sizes = [\"K\", \"M\"]",
                                            "offset = \"K\"\nsizes = [\"K\", \"M/2\"]\n"
                                            "strides = [\"2*K\"]");
  const TensorMapPlan map = map_plan(every_second, {{"M", 100}, {"K", 36}});
  EXPECT_EQ(map.offset, 36);
  EXPECT_EQ(map.strides, (std::vector<std::int64_t>{72}));
}

TEST(TensorMap, IsLeftOutWhereItIsNotMeant) {
  EXPECT_TRUE(map_plan(usual_map, {{"M", 100}, {"K", 37}}).sizes.empty());
  EXPECT_TRUE(map_plan(usual_map, {{"M", 100}, {"K", 0}}).sizes.empty());
}

std::string map_refusal(const std::string& map, const Problem& problem) {
  try {
    (void)map_plan(map, problem);
  } catch (const UserError& error) {
    const std::string line = error.what();
    const std::size_t at = line.find("BM=64: ");
    return at == std::string::npos ? line : line.substr(at + 7);
  }
  return "no error";
}

TEST(TensorMap, WhatTheDriverWouldRefuseIsRefusedByName) {
  const Problem problem = {{"M", 100}, {"K", 36}};
  EXPECT_EQ(map_refusal(with_map("K % 4 == 0", "1"), {{"M", 100}, {"K", 37}}),
            "its stride of 37 elements is 148 bytes; expected a multiple of 16");
  EXPECT_EQ(map_refusal(with_map("box = [32", "box = [64"), problem),
            "the box's innermost extent of 64 elements is 256 bytes; expected no more than its "
            "swizzle of 128B");
  EXPECT_EQ(map_refusal(with_map("box = [32", "box = [30"), problem),
            "the box's innermost extent of 30 elements is 120 bytes; expected a multiple of 16");
  EXPECT_EQ(map_refusal(with_map("\"BM\"", "\"5*BM\""), problem),
            "its box has an extent of 320; expected 256 at most");
  EXPECT_EQ(map_refusal(with_map("\"M\"]", "\"M+1\"]"), problem),
            "it reaches beyond the end of 'A', which has 3600 elements");
  EXPECT_EQ(map_refusal(with_map("sizes", "offset = 4\nsizes"), problem),
            "it reaches beyond the end of 'A', which has 3600 elements");
  EXPECT_EQ(map_refusal(with_map("sizes", "offset = 2\nsizes"), problem),
            "its offset of 2 elements is not a multiple of 16 bytes");
}

TEST(TensorMap, RulesHoldAtTheirLimits) {
  const std::int64_t pitch = std::int64_t{1} << 20;
  TensorMapPlan map{"m", "A", 0, {pitch, 3}, {pitch}, {256, 256}, Swizzle::none};
  EXPECT_FALSE(find_mistake(map, ElementType::f32, 3 * pitch));
  EXPECT_TRUE(find_mistake(map, ElementType::f32, 3 * pitch - 1));
  map.strides = {std::int64_t{1} << 38};
  EXPECT_TRUE(find_mistake(map, ElementType::f32, std::int64_t{1} << 62));
  map.strides = {pitch};
  map.sizes = {(std::int64_t{1} << 32) + 1, 1};
  EXPECT_TRUE(find_mistake(map, ElementType::u8, std::int64_t{1} << 62));
}

std::string map_error(const std::string& map) {
  try {
    (void)spec_of(spec_with_map(map));
  } catch (const UserError& error) {
    const std::string line = error.what();
    return line.substr(line.find("k.toml"));
  }
  return "no error";
}

TEST(TensorMap, MistakesAreReportedWithTheirPlace) {
  EXPECT_EQ(
      map_error(with_map("of = \"A\"", "of = \"a\"")),
      "k.toml:19:6: 'of' of argument 'map' is 'a', which is not a buffer among the arguments; "
      "did you mean 'A'?");
  EXPECT_EQ(map_error(with_map("of = \"A\"\n", "")), "k.toml:16:1: argument 'map' has no 'of'");
  EXPECT_EQ(map_error(with_map("128B", "129B")),
            "k.toml:23:11: 'swizzle' of argument 'map' is '129B'; expected none, 32B, 64B or 128B");
  EXPECT_EQ(
      map_error(with_map("[32, \"BM\"]", "[32]")),
      "k.toml:22:7: 'box' of argument 'map' has 1 dimensions; expected 2, as many as 'sizes'");
  EXPECT_EQ(map_error(with_map("[\"K\", \"M\"]", "[]")),
            "k.toml:21:9: 'sizes' of argument 'map' has 0 dimensions; expected 1 to 5, innermost "
            "first");
  EXPECT_EQ(map_error(with_map("box", "strides = [4, 4]\nbox")),
            "k.toml:22:11: 'strides' of argument 'map' has 2 dimensions; expected 1, one for each "
            "size but the innermost");
  EXPECT_EQ(map_error(with_map("\"BM\"", "\"BN\"")).substr(0, 42),
            "k.toml:22:13: in 'box' of argument 'map': ");
  EXPECT_EQ(map_error(with_map("when", "wen")).substr(0, 56),
            "k.toml:20:1: unknown key 'wen' in argument 'map'; did yo");
}

}  // namespace
}  // namespace gtune
