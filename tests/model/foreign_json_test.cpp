#include "model/foreign_json.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace gtune {
namespace {

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string why(const std::string& text, const JsonBounds& bounds = {}) {
  try {
    (void)parse_foreign_json(text, bounds);
  } catch (const std::invalid_argument& error) {
    return error.what();
  } catch (const nlohmann::json::parse_error&) {
    return "no JSON";
  }
  return "";
}

TEST(ForeignJson, IsBoundedInDepth) {
  EXPECT_EQ(why(nested(64)), "");
  EXPECT_EQ(why(nested(65)), "JSON nested deeper than 64 levels");
  EXPECT_EQ(why(std::string(1'000'000, '[')), "JSON nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 300'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(why(objects), "JSON nested deeper than 64 levels");
}

TEST(ForeignJson, CountsNoBracketsInStrings) {
  EXPECT_EQ(why("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"), "");
  EXPECT_EQ(why("[\"a\\\\\"," + nested(64) + "]"), "JSON nested deeper than 64 levels");
}

TEST(ForeignJson, IsBoundedInSizeAndValues) {
  EXPECT_EQ(why("[1,2,3]", {7, 100, 64}), "");
  EXPECT_EQ(why("[1,2,3]", {6, 100, 64}), "JSON of more than 6 bytes");
  EXPECT_EQ(why("[1,2,3]", {100, 4, 64}), "");
  EXPECT_EQ(why("[1,2,3,4]", {100, 4, 64}), "JSON of more than 4 values");
  EXPECT_EQ(why("[1,", {100, 4, 64}), "no JSON");
}

TEST(ForeignJson, LinesAreReadAsGetlineDoesUpToTheirBound) {
  const std::string text("a\n\n\0b\nlast", 10);
  std::istringstream mine(text);
  std::istringstream standard(text);
  std::string line, expected;
  while (std::getline(standard, expected)) {
    ASSERT_TRUE(read_bounded_line(mine, line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(read_bounded_line(mine, line));
  EXPECT_FALSE(read_bounded_line(mine, line));
  std::istringstream endless(std::string(100, 'x'));
  EXPECT_THROW((void)read_bounded_line(endless, line, {99, 1, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace gtune
