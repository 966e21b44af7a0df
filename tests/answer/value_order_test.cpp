#include "answer/value_order.hpp"

#include <gtest/gtest.h>

#include "model/value_word.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {
namespace {

TEST(ValueOrder, NumbersByValueThenWordsAsListed) {
  const std::int64_t zebra = value_of_word("zebra"), ant = value_of_word("ant"),
                     mole = value_of_word("mole");
  Parameter parameter;
  parameter.values = {64, zebra, 8, ant, mole};
  EXPECT_EQ(in_order(&parameter, {mole, 8, ant, 64, zebra}),
            (std::vector<std::int64_t>{8, 64, zebra, ant, mole}));
}

TEST(ValueOrder, SizesByValue) {
  EXPECT_EQ(in_order(nullptr, {30, 4, 100}), (std::vector<std::int64_t>{4, 30, 100}));
}

}  // namespace
}  // namespace gtune
