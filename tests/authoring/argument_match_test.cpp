#include "authoring/argument_match.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

const KernelParameter pointer = {8, 8, false, false};
const KernelParameter four_bytes = {4, 4, false, false};
const KernelParameter single = {4, 4, false, true};
const KernelParameter half = {2, 2, true, false};
const KernelParameter map = {128, 64, true, false};

ArgumentSpec buffer_called(const std::string& name) {
  BufferSpec buffer;
  buffer.name = name;
  return buffer;
}

ArgumentSpec scalar_of(ElementType type) { return ScalarSpec{"s", type, {}}; }

bool fits(const ArgumentSpec& argument, const KernelParameter& parameter) {
  return match_arguments({argument}, {parameter}).empty();
}

TEST(ArgumentMatch, AStructHasItsSize) {
  StructSpec structure{"s", {{ElementType::i8, {}, "", 0}, {ElementType::f64, {}, "", 0}}, false};
  EXPECT_TRUE(fits(structure, {16, 8, true, false}));
  EXPECT_FALSE(fits(structure, {9, 8, true, false}));
  structure.by_address = true;
  EXPECT_TRUE(fits(structure, pointer));
  EXPECT_FALSE(fits(structure, {16, 8, true, false}));
}

TEST(ArgumentMatch, WhatIsNotPassedIsNoParameter) {
  BufferSpec hidden;
  hidden.passed = false;
  EXPECT_TRUE(match_arguments({hidden, buffer_called("x")}, {pointer}).empty());
}

TEST(ArgumentMatch, ABufferTakesAPointer) {
  EXPECT_TRUE(fits(buffer_called("x"), pointer));
  EXPECT_FALSE(fits(buffer_called("x"), four_bytes));
  EXPECT_FALSE(fits(buffer_called("x"), {8, 8, false, true}));
}

TEST(ArgumentMatch, AScalarTakesItsSizeAndKind) {
  EXPECT_TRUE(fits(scalar_of(ElementType::i32), four_bytes));
  EXPECT_TRUE(fits(scalar_of(ElementType::u32), four_bytes));
  EXPECT_FALSE(fits(scalar_of(ElementType::i64), four_bytes));
  EXPECT_FALSE(fits(scalar_of(ElementType::f32), four_bytes));
  EXPECT_FALSE(fits(scalar_of(ElementType::i32), single));
  EXPECT_TRUE(fits(scalar_of(ElementType::f32), single));
  EXPECT_TRUE(fits(scalar_of(ElementType::f16), half));
  EXPECT_TRUE(fits(scalar_of(ElementType::bf16), half));
  EXPECT_FALSE(fits(scalar_of(ElementType::f32), half));
}

TEST(ArgumentMatch, ATensorMapTakes128AlignedBytes) {
  TensorMapSpec spec;
  EXPECT_TRUE(fits(spec, map));
  EXPECT_FALSE(fits(spec, pointer));
  EXPECT_FALSE(fits(spec, {128, 8, true, false}));
}

std::vector<std::string> lines_of(const std::vector<ArgumentMistake>& mistakes) {
  std::vector<std::string> lines;
  for (const ArgumentMistake& each : mistakes) lines.push_back(each.begin + "'k'" + each.end);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ArgumentMatch, AMissingArgumentIsOneMistakeWithAllParameters) {
  const std::vector<ArgumentSpec> two = {buffer_called("x"), scalar_of(ElementType::i32)};
  const auto mistakes = match_arguments(two, {pointer, pointer, four_bytes});
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_FALSE(mistakes[0].index);
  EXPECT_EQ(lines_of(mistakes),
            Lines{"the spec passes 2 arguments (x, s); the 3 parameters of 'k' are a pointer or an "
                  "integer of 8 bytes, a pointer or an integer of 8 bytes, an integer of 4 bytes; "
                  "write one argument for each, in this order"});
  EXPECT_EQ(lines_of(match_arguments(two, {pointer, pointer, four_bytes}, {{"x", "y", "n"}})),
            Lines{"the spec passes 2 arguments (x, s); the 3 parameters of 'k' are x, y, n; write "
                  "one argument for each, in this order"});
  EXPECT_EQ(
      lines_of(match_arguments({}, {pointer}, {{"x"}})),
      Lines{"the spec passes no arguments; the 1 parameter of 'k' is x; write one argument for "
            "each, in this order"});
}

TEST(ArgumentMatch, EachMismatchSaysBothSidesAndWhatToWriteInTheSpec) {
  const auto line = [](const ArgumentSpec& argument, const KernelParameter& parameter) {
    return lines_of(match_arguments({argument}, {parameter})).at(0);
  };
  EXPECT_EQ(line(scalar_of(ElementType::f32), four_bytes),
            "argument 's' is f32, but parameter 1 of 'k' is an integer of 4 bytes; write type = "
            "\"i32\" or \"u32\"");
  EXPECT_EQ(line(scalar_of(ElementType::i32), single),
            "argument 's' is i32, but parameter 1 of 'k' is a float; write type = \"f32\"");
  EXPECT_EQ(line(buffer_called("x"), four_bytes),
            "argument 'x' is a buffer, but parameter 1 of 'k' is an integer of 4 bytes; write "
            "'value' and type = \"i32\" or \"u32\"");
  EXPECT_EQ(line(scalar_of(ElementType::i32), pointer),
            "argument 's' is i32, but parameter 1 of 'k' is a pointer or an integer of 8 bytes; "
            "write 'count' for a buffer, or 'value' and type = \"i64\" or \"u64\" for an integer");
  EXPECT_EQ(line(scalar_of(ElementType::f32), half),
            "argument 's' is f32, but parameter 1 of 'k' is a struct of 2 bytes; write type = "
            "\"f16\" or \"bf16\"");
  EXPECT_EQ(line(buffer_called("x"), map),
            "argument 'x' is a buffer, but parameter 1 of 'k' is a struct of 128 bytes; write type "
            "= \"tensor_map\"");
  EXPECT_EQ(line(buffer_called("x"), {16, 8, true, false}),
            "argument 'x' is a buffer, but parameter 1 of 'k' is a struct of 16 bytes; write type "
            "= \"struct\" and 'members' of 16 bytes in all");
}

TEST(ArgumentMatch, ArgumentsForAKernelWithoutParametersAreAMistake) {
  EXPECT_EQ(
      lines_of(match_arguments({buffer_called("x")}, {})),
      Lines{
          "the spec passes 1 argument (x); there are no parameters in 'k'; remove the arguments"});
}

TEST(ArgumentMatch, KernelsOfTheSameMistakeShareIt) {
  const auto mistakes = match_arguments({scalar_of(ElementType::f32)}, {four_bytes});
  ArgumentMistakes all;
  for (const char* kernel : {"a", "b", "a"}) all.add("k.toml:1:1", kernel, mistakes.at(0));
  all.add("k.toml:9:1", "a", mistakes.at(0));
  ASSERT_EQ(all.all().size(), 2U);
  EXPECT_EQ(all.all()[0].at, "k.toml:1:1");
  EXPECT_EQ(all.all()[0].line,
            "argument 's' is f32, but parameter 1 of 'a' and 'b' is an integer of 4 bytes; write "
            "type = \"i32\" or \"u32\"");
}

TEST(ArgumentMatch, ArgumentsInAnotherOrderAreOneMistake) {
  const std::vector<ArgumentSpec> arguments = {scalar_of(ElementType::i32), buffer_called("x"),
                                               buffer_called("y")};
  const auto mistakes =
      match_arguments(arguments, {pointer, pointer, four_bytes}, {{"x", "y", "s"}});
  EXPECT_EQ(lines_of(mistakes), Lines{"the spec passes s, x, y; the parameters of 'k' are x, y, s; "
                                      "put the arguments into that order"});
  EXPECT_EQ(lines_of(match_arguments(arguments, {pointer, pointer, four_bytes}, {{"a", "b", "c"}}))
                .size(),
            2U);
}

TEST(ArgumentMatch, TypesAreInAKernelsOwnName) {
  const auto types = parameter_types("_Z5scaleIfLi4EEvPKT_PS0_i");  // scale<float, 4>
  ASSERT_TRUE(types.has_value());
  ASSERT_EQ(types->size(), 3U);
  EXPECT_EQ((*types)[0].name, "float");
  EXPECT_TRUE((*types)[0].points_to_const);
  EXPECT_EQ((*types)[1].pointers, 1);
  EXPECT_FALSE((*types)[1].points_to_const);
  EXPECT_EQ((*types)[2].name, "int");
  EXPECT_FALSE(parameter_types("scale").has_value());  // extern "C"
}

TEST(ArgumentMatch, ABufferHasTheElementsThatAKernelPointsTo) {
  const auto mistakes = [](ElementType type, const std::string& cpp) {
    BufferSpec buffer;
    buffer.name = "x";
    buffer.type = type;
    return match_arguments({buffer}, {pointer}, {{}, {{cpp, 1, false}}});
  };
  EXPECT_TRUE(mistakes(ElementType::f32, "float4").empty());
  EXPECT_TRUE(mistakes(ElementType::i32, "unsigned int").empty());
  EXPECT_TRUE(mistakes(ElementType::u8, "double").empty());
  EXPECT_TRUE(mistakes(ElementType::f32, "Body").empty());
  EXPECT_EQ(mistakes(ElementType::i64, "int").size(), 1U);
  EXPECT_EQ(mistakes(ElementType::bf16, "__half").size(), 1U);
  const auto wrong = mistakes(ElementType::f64, "float");
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].begin + "'k'" + wrong[0].end,
            "argument 'x' has elements of type f64, but parameter 1 of 'k' points to float; write "
            "type = \"f32\"");
}

TEST(ArgumentMatch, AnOutputIsNotBehindAPointerToConst) {
  BufferSpec buffer;
  buffer.name = "y";
  buffer.type = ElementType::f32;
  const std::vector<ParameterType> types = {{"float", 1, true}};
  EXPECT_TRUE(match_arguments({buffer}, {pointer}, {{}, types}).empty());
  buffer.direction = Direction::out;
  const auto wrong = match_arguments({buffer}, {pointer}, {{}, types});
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].begin + "'k'" + wrong[0].end,
            "argument 'y' is an output, but parameter 1 of 'k' points to const; write direction = "
            "\"in\"");
}

TEST(ArgumentMatch, AWrongScalarDoesNotHideWrongElements) {
  BufferSpec buffer;
  buffer.name = "x";
  buffer.type = ElementType::f64;
  EXPECT_EQ(lines_of(match_arguments({buffer, scalar_of(ElementType::i64)}, {pointer, four_bytes},
                                     {{}, {{"float", 1, false}, {"int", 0, false}}})),
            (Lines{"argument 'x' has elements of type f64, but parameter 1 of 'k' points to float; "
                   "write type = \"f32\"",
                   "argument 's' is i64, but parameter 2 of 'k' is an integer of 4 bytes; write "
                   "type = \"i32\" or \"u32\""}));
}

TEST(ArgumentMatch, AKernelWithTheArgumentsOfOthersJoinsOnlyTheirMistake) {
  const auto mistakes = match_arguments({scalar_of(ElementType::f32)}, {four_bytes});
  ArgumentMistakes all;
  all.add("k.toml:1:1", "a", mistakes.at(0));
  all.add_to_others("k.toml:9:1", "naive", mistakes.at(0));
  all.add_to_others("k.toml:9:1", "naive",
                    match_arguments({scalar_of(ElementType::f32)}, {half}).at(0));
  ASSERT_EQ(all.all().size(), 2U);
  EXPECT_EQ(all.all()[0].at, "k.toml:1:1");
  EXPECT_TRUE(all.all()[0].line.find("of 'a' and 'naive' is") != std::string::npos);
  EXPECT_EQ(all.all()[1].at, "k.toml:9:1");
}

}  // namespace
}  // namespace gtune
