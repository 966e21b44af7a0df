#include "model/words.hpp"

#include <gtest/gtest.h>

#include "model/measurement.hpp"
#include "model/plan.hpp"

namespace gtune {
namespace {

// Databases and recordings contain these words: new ones may be added, but none may change.
TEST(Words, OfAStatus) {
  const std::vector<std::pair<Status, std::string_view>> words = {
      {Status::ok, "ok"},
      {Status::compile_error, "compile_error"},
      {Status::launch_error, "launch_error"},
      {Status::wrong_result, "wrong_result"},
      {Status::timeout, "timeout"},
      {Status::crashed, "crashed"},
      {Status::pruned, "pruned"}};
  for (const auto& [status, word] : words) {
    EXPECT_EQ(to_string(status), word);
    EXPECT_EQ(status_from_string(word), status);
  }
}

TEST(Words, OfAPhase) {
  const std::vector<std::pair<Phase, std::string_view>> words = {
      {Phase::search, "search"}, {Phase::final, "final"}, {Phase::baseline, "baseline"}};
  for (const auto& [phase, word] : words) {
    EXPECT_EQ(to_string(phase), word);
    EXPECT_EQ(phase_from_string(word), phase);
  }
}

struct TypeWord {
  ElementType type;
  std::string_view word;
  std::size_t size;
  bool floating;
};

TEST(Words, OfAnElementTypeAndItsSize) {
  const std::vector<TypeWord> words = {
      {ElementType::f16, "f16", 2, true},  {ElementType::bf16, "bf16", 2, true},
      {ElementType::f32, "f32", 4, true},  {ElementType::f64, "f64", 8, true},
      {ElementType::i8, "i8", 1, false},   {ElementType::u8, "u8", 1, false},
      {ElementType::i16, "i16", 2, false}, {ElementType::u16, "u16", 2, false},
      {ElementType::i32, "i32", 4, false}, {ElementType::u32, "u32", 4, false},
      {ElementType::i64, "i64", 8, false}, {ElementType::u64, "u64", 8, false}};
  for (const TypeWord& row : words) {
    EXPECT_EQ(to_string(row.type), row.word);
    EXPECT_EQ(element_type_from_string(row.word), row.type);
    EXPECT_EQ(size_of(row.type), row.size) << row.word;
    EXPECT_EQ(is_floating(row.type), row.floating) << row.word;
  }
}

TEST(Words, OfDirectionsAndFills) {
  for (const Direction direction :
       {Direction::in, Direction::out, Direction::inout, Direction::workspace}) {
    EXPECT_EQ(direction_from_string(to_string(direction)), direction);
  }
  for (const FillKind kind : {FillKind::uniform, FillKind::constant, FillKind::iota}) {
    EXPECT_EQ(fill_kind_from_string(to_string(kind)), kind);
  }
  EXPECT_EQ(direction_from_string("workspace"), Direction::workspace);
  EXPECT_EQ(fill_kind_from_string("iota"), FillKind::iota);
}

TEST(Words, AnUnknownOneIsNamed) {
  EXPECT_THROW((void)status_from_string(""), std::invalid_argument);
  EXPECT_THROW((void)element_type_from_string("float"), std::invalid_argument);
  EXPECT_THROW((void)direction_from_string("In"), std::invalid_argument);
  EXPECT_THROW((void)fill_kind_from_string("random"), std::invalid_argument);
  try {
    (void)phase_from_string("finale");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "'finale' is no phase");
  }
}

}  // namespace
}  // namespace gtune
