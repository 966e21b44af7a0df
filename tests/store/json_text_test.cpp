#include "store/json_text.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/value_word.hpp"

namespace gtune {
namespace {

const NamedValues values = {{"M", -4096}, {"K", 0}, {"big", INT64_MAX}};
const std::vector<std::string> order = {"M", "K", "big"};

TEST(JsonText, OfValuesIsReadBack) {
  EXPECT_EQ(values_text(values), R"({"K":0,"M":-4096,"big":9223372036854775807})");
  EXPECT_EQ(values_from(values_text(values), order).entries(), values.entries());
  EXPECT_TRUE(values_from(values_text({}), order).empty());
  const NamedValues odd = {{"a\"b", 1}, {"c\\", 2}, {"\xc3\xa4", 3}};
  EXPECT_EQ(values_from(values_text(odd), {}), odd);
}

TEST(JsonText, OfWordsHasTheirLetters) {
  const NamedValues words = {{"T", value_of_word("float")}, {"K", 2}};
  EXPECT_EQ(values_text(words), R"({"K":2,"T":"float"})");
  EXPECT_EQ(values_from(values_text(words), {"T", "K"}).entries(), words.entries());
}

TEST(JsonText, OfOthersIsReadAsWell) {
  EXPECT_EQ(values_from(" { \"M\" : 1 , \"K\":2 } ", order), (NamedValues{{"M", 1}, {"K", 2}}));
  EXPECT_EQ(values_from(R"({"\u004d":1})", order), (NamedValues{{"M", 1}}));
  EXPECT_TRUE(values_from("{ }", order).empty());
}

TEST(JsonText, ThatIsNoObjectOfIntegersIsRefused) {
  for (const char* text :
       {"", "{", "}", "[]", "{\"M\":1,}", "{\"M\":1.5}", "{\"M\":1e3}", "{\"M\":}", "{\"M\"}",
        "{\"M\":\"1\"}", "{\"M\":1 \"K\":2}", "{\"M\":1}{", "{M:1}", "{\"M\":9223372036854775808}",
        "{\"M\":{\"K\":1}}", "{\"M\":1},"}) {
    EXPECT_THROW((void)values_from(text, order), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace gtune
