#include "model/value_word.hpp"

#include <gtest/gtest.h>

#include "model/json.hpp"
#include "model/named_values.hpp"

namespace gtune {
namespace {

/// Stored results hold words as text, but a run orders ties by these integers.
TEST(ValueWords, AreTheSameIntegersInEveryVersion) {
  EXPECT_EQ(value_of_word("half"), INT64_C(5635030955821510949));
  EXPECT_EQ(value_of_word("float"), INT64_C(4614609247302451552));
}

TEST(ValueWords, AreShownAsWords) {
  const std::int64_t half = value_of_word("half");
  EXPECT_GE(half, first_word_value);
  EXPECT_EQ(value_text(half), "half");
  EXPECT_EQ(value_text(128), "128");
  EXPECT_EQ(value_text(INT64_MAX), "9223372036854775807");  // not a known word
  EXPECT_EQ((Config{{"BM", 128}, {"T", half}}.text()), "BM=128,T=half");
}

TEST(ValueWords, AreStringsInJson) {
  const NamedValues values = {{"T", value_of_word("unsigned int")}, {"BM", 128}};
  const nlohmann::json text = values;
  EXPECT_EQ(text.dump(), R"([["T","unsigned int"],["BM",128]])");
  EXPECT_EQ(text.get<NamedValues>(), values);
  EXPECT_THROW((void)nlohmann::json::parse(R"([["T","a,b"]])").get<NamedValues>(),
               std::invalid_argument);
}

TEST(ValueWords, AreNoIntegersAndNothingThatSeparates) {
  for (const char* word : {"float", "0.5", "-1.0", "1e-05", "std::vector<int>*", "x"}) {
    EXPECT_TRUE(is_value_word(word)) << word;
  }
  for (const char* text :
       {"", "12", "-12", "-", "a,b", "a=b", " a", "a ", "a\n", "a\"b", "\xc3\xa4"}) {
    EXPECT_FALSE(is_value_word(text)) << text;
    EXPECT_THROW((void)value_of_word(text), std::invalid_argument) << text;
  }
  EXPECT_FALSE(is_value_word(std::string(101, 'a')));
}

}  // namespace
}  // namespace gtune
