#include "authoring/argument_match.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

const KernelParameter pointer = {8, 8, false, false};
const KernelParameter integer = {4, 4, false, false};
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
  return match_arguments("k", {argument}, {parameter}).empty();
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
  EXPECT_TRUE(match_arguments("k", {hidden, buffer_called("x")}, {pointer}).empty());
}

TEST(ArgumentMatch, ABufferTakesAPointer) {
  EXPECT_TRUE(fits(buffer_called("x"), pointer));
  EXPECT_FALSE(fits(buffer_called("x"), integer));
  EXPECT_FALSE(fits(buffer_called("x"), {8, 8, false, true}));
}

TEST(ArgumentMatch, AScalarTakesItsSizeAndKind) {
  EXPECT_TRUE(fits(scalar_of(ElementType::i32), integer));
  EXPECT_TRUE(fits(scalar_of(ElementType::u32), integer));
  EXPECT_FALSE(fits(scalar_of(ElementType::i64), integer));
  EXPECT_FALSE(fits(scalar_of(ElementType::f32), integer));
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

TEST(ArgumentMatch, AMissingArgumentIsOneMistakeWithAllSizes) {
  const auto mistakes = match_arguments("scale", {buffer_called("x"), scalar_of(ElementType::i32)},
                                        {pointer, pointer, integer});
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_FALSE(mistakes[0].index);
  EXPECT_EQ(mistakes[0].line,
            "'scale' takes 3 parameters (of 8, 8 and 4 bytes), and the spec passes 2 arguments; "
            "expected one for each, in the order of the kernel's");
}

TEST(ArgumentMatch, EachMismatchNamesItsArgument) {
  const auto mistakes = match_arguments("scale", {buffer_called("x"), scalar_of(ElementType::f32)},
                                        {single, integer});
  ASSERT_EQ(mistakes.size(), 2U);
  EXPECT_EQ(mistakes[0].index, 0U);
  EXPECT_EQ(mistakes[1].index, 1U);
  EXPECT_EQ(mistakes[1].line,
            "parameter 2 of 'scale' is an integer of 4 bytes, and argument 's' is f32; expected a "
            "float of 4 bytes there");
}

}  // namespace
}  // namespace gtune
